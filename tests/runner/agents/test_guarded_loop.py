"""What guardrails do in whole episodes, as the records show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from aci_plugins.message import Message
from aci_plugins.tool import Tool
from runner.agents.loop import Episode
from runner.budget import Meter, Spending
from runner.compose.schema import Budget
from runner.environments.base import Workspace
from runner.environments.local import Local
from runner.models.base import Completion, Usage
from runner.records import Step
from tests.composed import cell

FILES = {"a.py": b"x = 1\n"}


@dataclass
class Scripted:
    """A model that says what it was told to say, one answer after the other."""

    answers: list[str]

    def __post_init__(self) -> None:
        self.seen: list[list[Message]] = []

    def complete(self, messages: Sequence[Message], tools: Sequence[Tool], stop: Sequence[str]) -> Completion:
        self.seen.append(list(messages))
        text = self.answers[min(len(self.seen), len(self.answers)) - 1]
        return Completion(text, usage=Usage(10, 5, 0), cost=0.25)


@dataclass
class Played:
    """An episode that is over."""

    status: str
    steps: list[Step]
    model: Scripted
    meter: Meter


def play(*answers: str, overrides: Sequence[str] = (), **limits: Any) -> Played:
    """Run the loop with ``answers`` in a real shell; an answer that is one line becomes a command."""
    composed = cell("tracking=none", "prompt/demonstration=none", *overrides)
    environment = Local().start(Workspace(dict(FILES), name="repo"))
    spoken = [a if "```" in a or a == "nothing" else f"I go on.\n```\n{a}\n```" for a in answers]
    model, steps, session = Scripted(spoken), list[Step](), composed.aci.session()
    meter = Meter(Budget(**{"steps": 20, "command_seconds": 10, **limits}), Spending(None))
    opening = [Message("system", "s", "system"), Message("user", "task", "instance")]
    try:
        status, _ = composed.agent.run(
            Episode(
                aci=composed.aci,
                prompt=composed.prompt,
                conversation=model,
                environment=environment,
                session=session,
                meter=meter,
                messages=opening,
                record=steps.append,
            )
        )
    finally:
        environment.close()
    return Played(status, steps, model, meter)


def test_the_rule_that_refused_is_in_the_record_and_every_answer_is_billed() -> None:
    played = play("vim a.py", "nothing", "ls", "git log", "submit", overrides=["aci/guardrails=chain"])
    assert played.status == "submitted"
    assert [(s.kind, s.guard) for s in played.steps] == [
        ("blocked", "blocklist"), ("format_error", None), ("action", None), ("blocked", "blocklist"), ("action", None),
    ]  # fmt: skip
    assert "vim cannot be used" in played.steps[0].observation
    assert (played.meter.calls, played.meter.cost) == (5, 1.25)


def test_too_many_refusals_end_the_episode() -> None:
    limit = ["aci/guardrails=chain", "aci.guardrails.max_requeries=1"]
    played = play("ls", "vim a.py", "echo 'x", overrides=limit)
    assert played.status == "exit_format"
    assert [s.guard for s in played.steps] == [None, "blocklist", "syntax"]


def test_an_intervention_comes_with_the_third_equal_error() -> None:
    again = ["cat nowhere"] * 4
    played = play(*again, "submit", overrides=["aci/guardrails=repeated_error"])
    assert [s.guard for s in played.steps] == [None, None, "repeated_error", None, None]
    said = played.steps[2].observation
    assert "NOTE: the same error came 3 times in a row." in said and said.endswith("bash-$")
    assert played.model.seen[3][-1].content == said
    broken = play(*["nothing"] * 4, overrides=["aci/guardrails=repeated_error", "aci.guardrails.max_requeries=9"],
                  steps=4)  # fmt: skip
    assert [s.guard for s in broken.steps] == [None, None, "repeated_error", None]


def test_a_submission_that_fails_goes_back_and_stays_in_the_history() -> None:
    check = ["aci/guardrails=submit_validator", "aci.guardrails.command=test -f done"]
    played = play("submit", "touch done", "submit", overrides=check)
    assert played.status == "submitted"
    assert [(s.kind, s.guard, s.exit_code) for s in played.steps] == [
        ("action", "submit_validator", 1), ("action", None, 0), ("action", None, 0),
    ]  # fmt: skip
    assert "Nothing was submitted" in next(
        m.content for m in played.model.seen[-1] if m.kind == "observation"
    )


def test_a_stale_edit_is_a_failed_edit() -> None:
    change = "sed -i s/1/7/ a.py"
    edit = "edit 1:1\nx = 2\nend_of_edit"
    played = play("open a.py", change, edit, edit, "submit", overrides=["aci/guardrails=stale_edit"])
    assert [(s.guard, s.failed_edit) for s in played.steps[2:4]] == [("stale_edit", True), (None, False)]
