"""The loop with a person in the model's seat."""

from __future__ import annotations

import io
import sys

from aci_plugins.environment import Environment
from runner.agents.loop import Episode
from runner.benchmarks.base import Instance
from runner.budget import Meter, Spending
from runner.commands.aci.person import HELP, Gone, Person
from runner.compose.cell import Composed
from runner.compose.schema import Budget


def play(composed: Composed, env: Environment, statement: str) -> None:
    """Run the loop until the person submits or leaves, then print how it ended and the patch.

    Raises:
        aci_plugins.environment.EnvironmentFailure
    """
    aci, prompt = composed.parts["aci"], composed.parts["prompt"]
    session = aci.session()
    instance = Instance("try", statement, {}, "", repo="repo")
    budget = Budget(steps=None, command_seconds=composed.typed.budget.command_seconds, command_timeouts=None)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="backslashreplace")
    sys.stderr.write(HELP)
    try:
        status, _ = composed.parts["agent"].run(
            Episode(
                aci=aci,
                prompt=prompt,
                conversation=Person(aci, _line),
                environment=env,
                session=session,
                meter=Meter(budget, Spending(None)),
                messages=prompt.opening(aci, instance, aci.state(env, session), str(env.root)),
                record=lambda step: None,
            )
        )
    except Gone:
        status = "left"
    sys.stdout.write(f"\n==== {status}\n{env.patch()}")


def _line(prompt: str) -> str:
    """The next line of standard input; at a terminal with editing and history."""
    if not sys.stdin.isatty():
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line.removesuffix("\n")
    import readline  # noqa: F401 - input() edits lines with it

    return input(prompt)
