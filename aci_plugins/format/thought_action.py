"""The paper's format: free text (the thought), then one code block that holds the action.

The last block that is not inside another one is the action (SWE-agent's ThoughtActionParser); all the rest is
thought. A block may begin with more than three backticks: then only as many end it, so that an action can hold
code blocks itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from aci_plugins.message import Action, FormatError, Message, Parsed, ToolCall
from aci_plugins.plugin import plugin
from aci_plugins.tool import Tool

_FENCE = re.compile(r"(`{3,})([^\s`]*)[ \t\r]*")
_HEREDOC = re.compile(r"<<-?\s*(['\"]?)(\w+)\1")


@plugin
class ThoughtAction:
    """Thought and action as text."""

    @property
    def native(self) -> bool:
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
        if text.count("\r\n") and text.count("\r\n") == text.count("\n"):
            text = text.replace("\r\n", "\n")
        lines = text.split("\n")
        blocks, unclosed = _blocks(lines, {t.name: t.end_name for t in tools if t.end_name})
        if not blocks:
            if unclosed is not None:
                raise FormatError(
                    "unclosed",
                    f"the code block that begins on line {unclosed + 1} is never closed: put a line of three "
                    "backticks after the command.",
                )
            if "```" in text:
                raise FormatError(
                    "missing",
                    "there are backticks, but no code block: the three backticks before and after the command must "
                    "stand on lines of their own.",
                )
            raise FormatError(
                "missing",
                "there is no command in it. Put exactly one command between two lines of three backticks.",
            )
        block = blocks[-1]
        action = "\n".join(lines[block.first + 1 : block.last]).strip("\n")
        if not action.strip():
            raise FormatError("empty", "the code block is empty: write the command between the backticks.")
        thought = "\n".join([*lines[: block.first], *lines[block.last + 1 :]]).strip()
        return Parsed(thought, Action(action))

    def render(self, thought: str, action: Action, step: int) -> Message:
        """The answer that :meth:`parse` reads back."""
        longest = max((len(run) for run in re.findall(r"`{3,}", f"{thought}\n{action.text}")), default=0)
        # A marked and longer fence can neither end a block of the thought nor be ended inside the action.
        opening, closing = (
            ("```", "```") if not longest else ("`" * (longest + 1) + "bash", "`" * (longest + 1))
        )
        content = f"{opening}\n{action.text}\n{closing}"
        return Message("assistant", f"{thought}\n\n{content}" if thought else content, "action", step)


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines of the fences, from 0."""

    first: int
    last: int


def _blocks(lines: Sequence[str], ends: dict[str, str]) -> tuple[list[_Block], int | None]:
    """Closed blocks that are in no other closed block; and where the first unclosed one begins, if any."""
    stack: list[tuple[int, int]] = []
    closed: list[_Block] = []
    at = 0
    while at < len(lines):
        fence = _FENCE.fullmatch(lines[at])
        if fence and stack and not fence[2] and len(fence[1]) >= stack[-1][1]:
            closed.append(_Block(stack.pop()[0], at))
        elif fence and (not stack or (fence[2] and len(fence[1]) >= stack[-1][1])):
            stack.append((at, len(fence[1])))
        elif stack and not fence:
            at = _after_text(lines, at, stack[-1][1], ends)
            continue
        at += 1
    outer = [b for b in closed if not any(o.first < b.first and b.last < o.last for o in closed)]
    return outer, stack[0][0] if stack else None


def _after_text(lines: Sequence[str], at: int, fence: int, ends: dict[str, str]) -> int:
    """The line after a command: below its multi-line text (``edit``, here-documents), which may hold fences."""
    for end in _ends_of(lines[at], ends):
        for below in range(at + 1, len(lines)):
            if lines[below].rstrip() == end:
                return below + 1
            found = _FENCE.fullmatch(lines[below])
            if found and len(found[1]) > fence:
                break
    return at + 1


def _ends_of(line: str, ends: dict[str, str]) -> Iterator[str]:
    if found := _HEREDOC.search(line):
        yield found[2]
    else:
        for name, end in ends.items():
            if re.search(rf"(^|&&|;|\|\|)\s*{re.escape(name)}(\s|$)", line):
                yield end
