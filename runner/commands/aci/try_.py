"""``acilab aci try``: a person plays the model in a composed ACI."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from runner.commands.aci.show import refuse_flags
from runner.errors import Incomplete, UserError

USAGE = """usage: acilab aci try [overrides] [--repo DIR] [--issue TEXT] [--config-dir DIR]

You are the model: the loop shows you the prompt and what comes of each of your answers, guardrails and history policy
included. You work on a copy of DIR (default: a small sample with an issue); Ctrl-D, or submitting, ends it and prints
the patch. There are no limits but that of time per command. :help lists what can be typed beside commands.
The overrides are those of acilab run (environment=local, aci/format=function_calling …). Standard input may be a pipe.
"""


def try_(argv: Sequence[str]) -> int:
    """Run ``acilab aci try ARGV``.

    Raises:
        UserError: before anything was started.
        Incomplete: the environment failed.
    """
    if any(word in ("-h", "--help") for word in argv):
        sys.stdout.write(USAGE)
        return 0
    words, repo = option(list(argv), "--repo")
    words, issue = option(words, "--issue")
    refuse_flags(words, "--repo DIR, --issue TEXT")
    from aci_plugins.environment import EnvironmentFailure
    from runner.commands.aci.place import opened, task
    from runner.commands.aci.seat import play
    from runner.compose.mentions import check_mentions
    from runner.compose.parts import compose_command

    composed = compose_command(words, ("aci", "prompt", "environment", "agent"))
    check_mentions(composed.parts["prompt"], composed.parts["aci"], composed.where)
    statement, folder = task(Path(repo) if repo is not None else None, issue or "")
    composed.parts["environment"].check()
    try:
        with opened(composed.parts["environment"], folder) as env:
            play(composed, env, statement)
    except EnvironmentFailure as error:
        raise Incomplete(f"the environment failed: {error}") from error
    return 0


def option(words: list[str], name: str) -> tuple[list[str], str | None]:
    """``words`` without the option ``name``, and its value (None if it is not there).

    Raises:
        UserError: it has no value.
    """
    left: list[str] = []
    value: str | None = None
    rest = iter(words)
    for word in rest:
        if word.startswith(f"{name}="):
            value = word.partition("=")[2]
        elif word == name:
            value = next(rest, None)
            if value is None:
                raise UserError(f"{name} needs a value")
        else:
            left.append(word)
    return left, value
