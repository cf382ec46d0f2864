"""Thought, then one fenced block with the action: the format of the SWE-agent paper (arXiv 2405.15793v3, Fig. 26)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from aci_plugins.message import Action, FormatError, Message, Parsed, ToolCall
from aci_plugins.plugin import plugin
from aci_plugins.tool import Tool

_FENCE = re.compile(r"^(`{3,})([^`\n]*)$")


@plugin
class ThoughtAction:
    """The last block that is not inside another one is the action; all the rest is the thought."""

    @property
    def native(self) -> bool:
        return False

    def documentation(self, tools: Sequence[Tool]) -> str:
        """How to answer."""
        return (
            "First say what you think and why, then give the command in one block between lines of three backticks:\n\n"
            "I look at the files of this directory.\n"
            "```\n"
            "ls -a\n"
            "```\n\n"
            "If the command itself contains such lines, use four backticks around the block."
        )

    def parse(self, text: str, tool_calls: Sequence[ToolCall], tools: Sequence[Tool]) -> Parsed:
        """Raises :class:`FormatError`: ``missing`` (no block), ``unclosed``, ``empty``."""
        lines = text.split("\n")
        blocks: list[tuple[int, int]] = []
        opened: tuple[int, str] | None = None
        for number, line in enumerate(lines):
            fence = _FENCE.match(line.rstrip())
            if not fence:
                continue
            if opened is None:
                opened = (number, fence[1])
            elif fence[1].startswith(opened[1]) and not fence[2].strip():
                blocks.append((opened[0], number))
                opened = None
        if opened is not None and not blocks:
            raise FormatError(
                "unclosed", "the block that begins with ``` is not closed: end it with a line of ```."
            )
        if not blocks:
            raise FormatError("missing", "there is no block between lines of ``` with a command.")
        begin, end = blocks[-1]
        action = "\n".join(lines[begin + 1 : end])
        if not action.strip():
            raise FormatError("empty", "the block between the lines of ``` is empty.")
        thought = "\n".join([*lines[:begin], *lines[end + 1 :]]).strip()
        return Parsed(thought, Action(action.strip("\n")))

    def render(self, thought: str, action: Action, step: int) -> Message:
        """The answer that is parsed back as ``thought`` and ``action``."""
        longest = max((len(m) for m in re.findall(r"^`{3,}", action.text, re.M)), default=2)
        fence = "`" * (longest + 1)
        return Message("assistant", f"{thought}\n\n{fence}\n{action.text}\n{fence}", "action", step)
