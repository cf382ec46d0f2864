"""The paper's format: free text (the thought), then one code block that holds the action.

The last block that is not inside another one is the action (SWE-agent's ThoughtActionParser); all the rest is
thought.
"""

from __future__ import annotations

from collections.abc import Sequence

from aci_plugins.format.fences import blocks, content, longest, no_block, without
from aci_plugins.format.markup import unix
from aci_plugins.message import Action, FormatError, Message, Parsed, ToolCall
from aci_plugins.plugin import plugin
from aci_plugins.tool import Tool


@plugin
class ThoughtAction:
    """Thought and action as text."""

    @property
    def native(self) -> bool:
        return False

    @property
    def named(self) -> bool:
        return False

    def documentation(self, tools: Sequence[Tool]) -> str:
        """How to answer."""
        return (
            "First write down what you are thinking and what you want to do next. Then write the command in a code "
            "block of its own: a line of three backticks, the command, a line of three backticks. There must be "
            "exactly one command block; if there are several, only the last one counts. For example:\n\n"
            "I look at what is in the current directory.\n"
            "```\n"
            "ls -a\n"
            "```"
        )

    def parse(self, text: str, tool_calls: Sequence[ToolCall], tools: Sequence[Tool]) -> Parsed:
        """Raises :class:`FormatError`: ``missing``, ``unclosed`` or ``empty``."""
        lines = unix(text).split("\n")
        found, unclosed = blocks(lines, {t.name: t.end_name for t in tools if t.end_name})
        if not found:
            raise FormatError(*no_block(text, unclosed))
        action = content(lines, found[-1])
        if not action.strip():
            raise FormatError("empty", "the code block is empty: write the command between the backticks.")
        return Parsed(without(lines, found[-1:]), Action(action))

    def render(self, thought: str, action: Action, step: int) -> Message:
        """The answer that :meth:`parse` reads back."""
        run = longest(f"{thought}\n{action.text}")
        # A marked and longer fence can neither end a block of the thought nor be ended inside the action.
        opening, closing = ("`" * (run + 1) + "bash", "`" * (run + 1)) if run else ("```", "```")
        block = f"{opening}\n{action.text}\n{closing}"
        return Message("assistant", f"{thought}\n\n{block}" if thought else block, "action", step)
