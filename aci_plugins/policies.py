"""The contracts of the parts of an ACI that decide what a model sees and what it may do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from aci_plugins.bash import CommandLine, Simple
from aci_plugins.message import Action, Message, Observation
from aci_plugins.tool import Context, Tool


@runtime_checkable
class HistoryPolicy(Protocol):
    """Which messages, in which form, the model sees."""

    def apply(self, messages: Sequence[Message]) -> list[Message]: ...


@runtime_checkable
class FeedbackPolicy(Protocol):
    """What of an observation is shown."""

    def apply(self, observation: Observation) -> Observation: ...


@dataclass(frozen=True, slots=True)
class Verdict:
    """A guardrail fired: the ``rule``, a short stable name for records; and the ``reason``, for the model."""

    rule: str
    reason: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """An action that has not run yet, and where it would run.

    Attributes:
        line: ``action.text`` as bash would read it.
        tools: the ACI's commands by name.
    """

    action: Action
    line: CommandLine
    tools: Mapping[str, Tool]
    context: Context

    @property
    def commands(self) -> Sequence[Simple]:
        """All simple commands in it, at any depth."""
        return self.line.commands


@runtime_checkable
class GuardrailPolicy(Protocol):
    """What is refused before it runs. A guardrail may also be a :class:`ToolGuard`, a :class:`SubmitGuard` and a
    :class:`Watcher`."""

    @property
    def max_requeries(self) -> int:
        """Consecutive answers that may be malformed or blocked; with one more the episode ends
        (``exit_format``)."""
        ...

    def check(self, proposal: Proposal) -> Verdict | None:
        """Why the action must not run, or None."""
        ...


@runtime_checkable
class ToolGuard(Protocol):
    """A guardrail that stands before or behind the ACI's own commands, wherever in a command line they are."""

    def guarded(self, tool: Tool) -> Tool:
        """``tool``, or one that looks first and then does the same."""
        ...


@runtime_checkable
class SubmitGuard(Protocol):
    """A guardrail that has a say when the model submits."""

    def accept(self, context: Context) -> Verdict | None:
        """Why the submission is sent back (the episode goes on), or None."""
        ...


@runtime_checkable
class Watcher(Protocol):
    """A guardrail that looks at what came of an action."""

    def watch(self, observation: Observation, context: Context) -> Verdict | None:
        """What the prompt's ``intervention`` shall say to the model beside ``observation``, or None."""
        ...
