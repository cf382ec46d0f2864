"""Fenced code blocks in an answer, by lines.

A block may begin with more than three backticks: then only as many end it, so that an action can hold code blocks
itself; and the text of a multi-line command or here-document may hold fences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

_FENCE = re.compile(r"(`{3,})([^\s`]*)[ \t\r]*")
_HEREDOC = re.compile(r"<<-?\s*(['\"]?)(\w+)\1")


@dataclass(frozen=True, slots=True)
class Block:
    """The lines of the fences, from 0, and the word after the opening one."""

    first: int
    last: int
    label: str


def blocks(lines: Sequence[str], ends: Mapping[str, str]) -> tuple[list[Block], int | None]:
    """Closed blocks that are in no other closed block; and where the first unclosed one begins, if any.

    ``ends``: the lines that end multi-line commands, by command.
    """
    stack: list[tuple[int, int, str]] = []
    closed: list[Block] = []
    at = 0
    while at < len(lines):
        fence = _FENCE.fullmatch(lines[at])
        if fence and stack and not fence[2] and len(fence[1]) >= stack[-1][1]:
            first, _, label = stack.pop()
            closed.append(Block(first, at, label))
        elif fence and (not stack or (fence[2] and len(fence[1]) >= stack[-1][1])):
            stack.append((at, len(fence[1]), fence[2]))
        elif stack and not fence:
            at = _after_text(lines, at, stack[-1][1], ends)
            continue
        at += 1
    return _outer(closed), stack[0][0] if stack else None


def content(lines: Sequence[str], block: Block) -> str:
    """What is between the fences."""
    return "\n".join(lines[block.first + 1 : block.last]).strip("\n")


def without(lines: Sequence[str], taken: Sequence[Block]) -> str:
    """The text outside of ``taken``."""
    left: list[str] = []
    at = 0
    for block in taken:
        left += lines[at : block.first]
        at = block.last + 1
    return "\n".join([*left, *lines[at:]]).strip()


def longest(text: str) -> int:
    """Length of the longest run of three or more backticks in ``text``, 0 without one."""
    return max((len(run) for run in re.findall(r"`{3,}", text)), default=0)


def no_block(text: str, unclosed: int | None) -> tuple[str, str]:
    """Why no block was found: kind and words."""
    if unclosed is not None:
        return "unclosed", (
            f"the code block that begins on line {unclosed + 1} is never closed: put a line of three backticks after "
            "the command."
        )
    if "```" in text:
        return "missing", (
            "there are backticks, but no code block: the three backticks before and after the command must stand on "
            "lines of their own."
        )
    return (
        "missing",
        "there is no command in it. Put exactly one command between two lines of three backticks.",
    )


def _outer(closed: Sequence[Block]) -> list[Block]:
    """The blocks that are in no other one, in order."""
    found: list[Block] = []
    for block in sorted(closed, key=lambda b: b.first):
        if not found or block.first > found[-1].last:
            found.append(block)
    return found


def _after_text(lines: Sequence[str], at: int, fence: int, ends: Mapping[str, str]) -> int:
    """The line after a command: below its multi-line text (``edit``, here-documents), which may hold fences."""
    for end in _ends_of(lines[at], ends):
        for below in range(at + 1, len(lines)):
            if lines[below].rstrip() == end:
                return below + 1
            found = _FENCE.fullmatch(lines[below])
            if found and len(found[1]) > fence:
                break
    return at + 1


def _ends_of(line: str, ends: Mapping[str, str]) -> Iterator[str]:
    if found := _HEREDOC.search(line):
        yield found[2]
    else:
        for name, end in ends.items():
            if re.search(rf"(^|&&|;|\|\|)\s*{re.escape(name)}(\s|$)", line):
                yield end
