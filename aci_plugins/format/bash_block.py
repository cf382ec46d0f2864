"""Thought as text, action in code blocks that are marked as bash (mini-swe-agent's text format; SWE-agent 1.x's
single_bash_code_block and all_bash_code_blocks). Blocks in other languages, or without a mark, are thought.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from aci_plugins.format.fences import blocks, content, longest, no_block, without
from aci_plugins.format.markup import defused_lines, unix
from aci_plugins.message import Action, FormatError, Message, Parsed, ToolCall
from aci_plugins.plugin import plugin
from aci_plugins.tool import Tool

_LABELS = ("bash", "sh", "shell", "mswea_bash_command")


@plugin
class BashBlock:
    """Commands in ```` ```bash ```` blocks.

    Attributes:
        blocks: ``single``: exactly one such block; ``all``: the blocks are one action, in their order.
    """

    blocks: Literal["single", "all"] = "single"

    @property
    def native(self) -> bool:
        return False

    @property
    def named(self) -> bool:
        return False

    def documentation(self, tools: Sequence[Tool]) -> str:
        """How to answer."""
        how_many = (
            "There must be exactly one bash code block."
            if self.blocks == "single"
            else "If there are several bash code blocks, they are run in their order, as one command."
        )
        return (
            "First write down what you are thinking and what you want to do next. Then write the command in a code "
            "block that is marked as bash: a line of three backticks and the word bash, the command, a line of three "
            f"backticks. {how_many} For example:\n\n"
            "I look at what is in the current directory.\n"
            "```bash\n"
            "ls -a\n"
            "```"
        )

    def parse(self, text: str, tool_calls: Sequence[ToolCall], tools: Sequence[Tool]) -> Parsed:
        """Raises :class:`FormatError`: ``missing``, ``unclosed``, ``unmarked`` (there are only other blocks),
        ``multiple`` or ``empty``."""
        lines = unix(text).split("\n")
        closed, unclosed = blocks(lines, {t.name: t.end_name for t in tools if t.end_name})
        found = [block for block in closed if block.label in _LABELS]
        if not found and closed:
            raise FormatError(
                "unmarked",
                "there is a code block, but none that is marked as bash: begin it with three backticks and the word "
                "bash.",
            )
        if not found:
            raise FormatError(*no_block(text, unclosed))
        if len(found) > 1 and self.blocks == "single":
            raise FormatError(
                "multiple",
                f"there are {len(found)} bash code blocks in it. Write exactly one; join commands with &&.",
            )
        action = "\n".join(content(lines, block) for block in found)
        if not action.strip():
            raise FormatError("empty", "the code block is empty: write the command between the backticks.")
        return Parsed(without(lines, found), Action(action))

    def render(self, thought: str, action: Action, step: int) -> Message:
        """The answer that :meth:`parse` reads back; fences in the thought are indented by a space."""
        fence = "`" * (longest(action.text) + 1 if "```" in action.text else 3)
        block = f"{fence}bash\n{action.text}\n{fence}"
        thought = defused_lines(thought, r"`{3,}")
        return Message("assistant", f"{thought}\n\n{block}" if thought else block, "action", step)
