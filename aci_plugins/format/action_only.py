"""The whole answer is the action (SWE-agent's ActionOnlyParser): no thought, no marks."""

from __future__ import annotations

from collections.abc import Sequence

from aci_plugins.format.markup import unix
from aci_plugins.message import Action, FormatError, Message, Parsed, ToolCall
from aci_plugins.plugin import plugin
from aci_plugins.tool import Tool


@plugin
class ActionOnly:
    """A command and nothing else. A rendered thought is left out."""

    @property
    def native(self) -> bool:
        return False

    @property
    def named(self) -> bool:
        return False

    def documentation(self, tools: Sequence[Tool]) -> str:
        """How to answer."""
        return (
            "Answer with exactly one command and nothing else: no explanation, no quotes, no code block. The whole "
            "answer is run as it is. For example:\n\nls -a"
        )

    def parse(self, text: str, tool_calls: Sequence[ToolCall], tools: Sequence[Tool]) -> Parsed:
        """Raises :class:`FormatError`: ``empty``."""
        action = unix(text).strip("\n")
        if not action.strip():
            raise FormatError("empty", "it is empty. Answer with exactly one command.")
        return Parsed("", Action(action))

    def render(self, thought: str, action: Action, step: int) -> Message:
        """The answer that :meth:`parse` reads back, without the thought."""
        return Message("assistant", action.text, "action", step)
