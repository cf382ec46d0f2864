"""The composed ACI: tools + documentation + action format + feedback + guardrails + history policy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from aci_plugins.message import Action, Message, Observation, Parsed, ToolCall
from aci_plugins.tool import Tool


class ToolProvider(Protocol):
    """A viewer, editor, search, shell or submit option: it brings tools."""

    def tools(self) -> tuple[Tool, ...]: ...


class Format(Protocol):
    """How an action is written in an answer."""

    @property
    def native(self) -> bool:
        """Whether tools go to the provider as JSON schemas (native function calling)."""
        ...

    def documentation(self, tools: Sequence[Tool]) -> str:
        """The part of the system prompt that says how to answer."""
        ...

    def parse(self, text: str, tool_calls: Sequence[ToolCall], tools: Sequence[Tool]) -> Parsed:
        """Raises :class:`aci_plugins.message.FormatError` and nothing else."""
        ...

    def render(self, thought: str, action: Action, step: int) -> Message:
        """The assistant message that :meth:`parse` reads back as ``thought`` and ``action``."""
        ...


class HistoryPolicy(Protocol):
    """Which messages, in which form, the model sees."""

    def apply(self, messages: Sequence[Message]) -> list[Message]: ...


class FeedbackPolicy(Protocol):
    """What of an observation is shown."""

    def apply(self, observation: Observation) -> Observation: ...


class GuardrailPolicy(Protocol):
    """What is refused before it runs."""

    @property
    def max_requeries(self) -> int:
        """Consecutive answers that may be malformed or blocked before the episode ends (``exit_format``)."""
        ...

    def check(self, action: Action) -> str | None:
        """Why ``action`` must not run (shown to the model), or None."""
        ...


def describe(**parts: Any) -> dict[str, Any]:
    raise NotImplementedError
