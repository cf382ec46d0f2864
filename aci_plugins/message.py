"""What goes to a model and what comes back, as plain frozen records."""

from __future__ import annotations

from collections.abc import Mapping
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
    """

    role: Role
    content: str
    kind: Kind = "observation"
    step: int = 0
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None


@dataclass(frozen=True, slots=True)
class Action:
    """What the model wants done.

    Attributes:
        text: the command as one writes it in the shell dialect of the ACI (``edit 1:2`` + body +
            ``end_of_edit``); always present: it is what records and tables show.
        tool: name of the tool when the model called it natively, with typed ``arguments``; None when only
            the text was given.
        call_id: id of the native call that the observation must answer.
    """

    text: str
    tool: str | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    call_id: str | None = None


@dataclass(frozen=True, slots=True)
class Parsed:
    """A well-formed answer of the model: its thought and its action."""

    thought: str
    action: Action


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
    """

    text: str
    exit_code: int = 0
    timed_out: bool = False
    submitted: bool = False
    exit_status: str | None = None
    elided_chars: int = 0
    failed_edit: bool = False
