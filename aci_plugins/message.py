"""What goes to a model and what comes back, as plain frozen records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Role = Literal["system", "user", "assistant", "tool"]
Kind = Literal["system", "demonstration", "instance", "action", "observation", "error"]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A native function call. ``arguments`` is the raw JSON text that the model wrote."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation.

    Attributes:
        kind: what the message is in the episode; history policies decide by it. ``error`` marks both the
            malformed answer of the model and the reply that asks again.
        step: the step it belongs to, from 1 (0 for what stands before the first step).
        tool: the command that an observation answers, by its first word or the name of the native call.
        tags: marks that history policies give each other, e.g. ``keep_output``.
        cached: whether providers that cache prompts on demand are asked to cache up to here.
    """

    role: Role
    content: str
    kind: Kind = "observation"
    step: int = 0
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    tool: str = ""
    tags: tuple[str, ...] = ()
    cached: bool = False


@dataclass(frozen=True, slots=True)
class Action:
    """What the model wants done.

    Attributes:
        text: the command as one writes it in the shell dialect of the ACI (``edit 1:2`` + body +
            ``end_of_edit``); always present: it is what records and tables show.
        tool: name of the tool when the model called it by name, with typed ``arguments``; None when only
            the text was given.
        call_id: id of the native call that the observation must answer.
    """

    text: str
    tool: str | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    call_id: str | None = None


@dataclass(frozen=True, slots=True)
class Parsed:
    """A well-formed answer of the model: its thought and its action.

    Attributes:
        more: further actions of the same answer, run after ``action`` in this order (formats that allow several
            native calls).
    """

    thought: str
    action: Action
    more: tuple[Action, ...] = ()

    @property
    def actions(self) -> tuple[Action, ...]:
        """All of them, in order."""
        return (self.action, *self.more)


class FormatError(ValueError):
    """The answer is not in the action format. ``code`` is a short stable name, the message tells the model
    exactly what was wrong and what would be right."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Observation:
    """What the ACI answers to an action, before the prompt's templates are put around it.

    Attributes:
        text: what the model is shown.
        exit_code: of the command or tool.
        timed_out: the command ran out of time.
        submitted: the action was an accepted submit: the episode ends and the patch is taken.
        exit_status: a status that ends the episode without a submission (e.g. ``exit_forfeit``).
        elided_chars: how many characters the feedback policy cut out of ``text``.
        failed_edit: an edit was refused or had no effect (for behaviour tables).
        rule: the guardrail rule that had a say in it ("" if none).
    """

    text: str
    exit_code: int = 0
    timed_out: bool = False
    submitted: bool = False
    exit_status: str | None = None
    elided_chars: int = 0
    failed_edit: bool = False
    rule: str = ""


def together(observations: Sequence[Observation]) -> Observation:
    """What came of several actions of one answer, as one: it failed as the last one that failed."""
    if len(observations) == 1:
        return observations[0]
    return Observation(
        "\n".join(o.text for o in observations),
        exit_code=next((o.exit_code for o in reversed(observations) if o.exit_code), 0),
        timed_out=any(o.timed_out for o in observations),
        submitted=any(o.submitted for o in observations),
        exit_status=next((o.exit_status for o in observations if o.exit_status), None),
        elided_chars=sum(o.elided_chars for o in observations),
        failed_edit=any(o.failed_edit for o in observations),
        rule=next((o.rule for o in observations if o.rule), ""),
    )
