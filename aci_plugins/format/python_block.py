"""Thought as text, action as Python code in one block that is marked as python (CodeAct, arXiv 2402.01030).

The code is the argument of the tool ``python``; an ACI without it cannot be driven this way.
"""

from __future__ import annotations

from collections.abc import Sequence

from aci_plugins.format.fences import blocks, content, longest, no_block, without
from aci_plugins.format.markup import defused_lines, unix
from aci_plugins.message import Action, FormatError, Message, Parsed, ToolCall
from aci_plugins.plugin import plugin
from aci_plugins.tool import Tool

_LABELS = ("python", "py", "python3")
PYTHON = "python"
"""The tool that runs code; its first argument is the code."""


@plugin
class PythonBlock:
    """Code in one ```` ```python ```` block; other blocks are thought."""

    @property
    def native(self) -> bool:
        return False

    @property
    def named(self) -> bool:
        return False

    def unfit(self, tools: Sequence[Tool]) -> str:
        """Why an ACI with ``tools`` cannot be driven by this format ("" if it can)."""
        if any(t.name == PYTHON for t in tools):
            return ""
        return f"answers in Python code need a tool named {PYTHON!r} that runs it, and this ACI acts in bash"

    def documentation(self, tools: Sequence[Tool]) -> str:
        """How to answer."""
        return (
            "First write down what you are thinking and what you want to do next. Then write Python code in a code "
            "block that is marked as python: a line of three backticks and the word python, the code, a line of three "
            "backticks. There must be exactly one python code block. For example:\n\n"
            "I look at what is in the current directory.\n"
            "```python\n"
            "import os\n"
            "print(os.listdir())\n"
            "```"
        )

    def parse(self, text: str, tool_calls: Sequence[ToolCall], tools: Sequence[Tool]) -> Parsed:
        """Raises :class:`FormatError`: ``missing``, ``unclosed``, ``unmarked`` (there are only other blocks),
        ``multiple`` or ``empty``."""
        lines = unix(text).split("\n")
        closed, unclosed = blocks(lines, {})
        found = [block for block in closed if block.label in _LABELS]
        if not found and closed:
            raise FormatError(
                "unmarked",
                "there is a code block, but none that is marked as python: begin it with three backticks and the word "
                "python.",
            )
        if not found:
            raise FormatError(*no_block(text, unclosed))
        if len(found) > 1:
            raise FormatError(
                "multiple", f"there are {len(found)} python code blocks in it. Write exactly one."
            )
        code = content(lines, found[0])
        if not code.strip():
            raise FormatError("empty", "the code block is empty: write the code between the backticks.")
        return Parsed(without(lines, found), _action(code, tools))

    def render(self, thought: str, action: Action, step: int) -> Message:
        """The answer that :meth:`parse` reads back; fences in the thought are indented by a space."""
        fence = "`" * (longest(action.text) + 1 if "```" in action.text else 3)
        block = f"{fence}python\n{action.text}\n{fence}"
        thought = defused_lines(thought, r"`{3,}")
        return Message("assistant", f"{thought}\n\n{block}" if thought else block, "action", step)


def _action(code: str, tools: Sequence[Tool]) -> Action:
    for tool in tools:
        if tool.name == PYTHON and tool.parameters:
            return Action(code, PYTHON, {tool.parameters[0].name: code})
    return Action(code)
