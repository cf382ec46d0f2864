"""Thought as text, then one code block that is the new text of the shown window (SWE-agent's EditFormat).

No answer can open a file or submit, so a whole episode cannot be driven by it; it is for reading answers that
were asked for within another interface.
"""

from __future__ import annotations

from collections.abc import Sequence

from aci_plugins.format.fences import Block, blocks, longest, no_block, without
from aci_plugins.format.markup import unix
from aci_plugins.message import Action, FormatError, Message, Parsed, ToolCall
from aci_plugins.plugin import plugin
from aci_plugins.tool import Tool


@plugin
class EditFormat:
    """The last code block replaces the window, its blank lines and indentation included; it may be empty."""

    @property
    def native(self) -> bool:
        return False

    @property
    def named(self) -> bool:
        return False

    def unfit(self, tools: Sequence[Tool]) -> str:
        """Why an ACI with ``tools`` cannot be driven by this format."""
        return "its answers can only replace the text of a window: none could open a file, run a command or submit"

    def documentation(self, tools: Sequence[Tool]) -> str:
        """How to answer."""
        return (
            "First write down what you want to change. Then write the new text of the whole window, with its "
            "indentation and without line numbers, in a code block: a line of three backticks, the text, a line of "
            "three backticks. If there are several blocks, only the last one counts. For example:\n\n"
            "We replace the contents of the window.\n"
            "```\n"
            "import os\n"
            "os.listdir()\n"
            "```"
        )

    def parse(self, text: str, tool_calls: Sequence[ToolCall], tools: Sequence[Tool]) -> Parsed:
        """Raises :class:`FormatError`: ``missing`` or ``unclosed``."""
        lines = unix(text).split("\n")
        found, unclosed = blocks(lines, {})
        if not found:
            raise FormatError(*no_block(text, unclosed))
        return Parsed(without(lines, found[-1:]), Action(_inside(lines, found[-1])))

    def render(self, thought: str, action: Action, step: int) -> Message:
        """The answer that :meth:`parse` reads back."""
        run = longest(f"{thought}\n{action.text}")
        opening, closing = ("`" * (run + 1) + "text", "`" * (run + 1)) if run else ("```", "```")
        block = f"{opening}\n{action.text}\n{closing}"
        return Message("assistant", f"{thought}\n\n{block}" if thought else block, "action", step)


def _inside(lines: Sequence[str], block: Block) -> str:
    return "\n".join(lines[block.first + 1 : block.last])
