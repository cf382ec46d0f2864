"""Text inside markup: line ends, CDATA sections, and thoughts that must not be read as actions."""

from __future__ import annotations

import re

_START, _END = "<![CDATA[", "]]>"


def unix(text: str) -> str:
    """``text`` with plain line ends, if all of them are CR LF."""
    if text.count("\r\n") and text.count("\r\n") == text.count("\n"):
        return text.replace("\r\n", "\n")
    return text


def cdata(text: str) -> str:
    """``text`` in CDATA sections (XML 1.0, section 2.7), so that no tag in it counts."""
    return f"{_START}{text.replace(_END, ']]' + _END + _START + '>')}{_END}"


def read_cdata(text: str, at: int) -> tuple[str, int] | None:
    """What the CDATA sections that begin at ``at`` hold, and where they end; None if there are none."""
    parts = []
    while text.startswith(_START, at):
        end = text.find(_END, at)
        if end < 0:
            return None
        parts.append(text[at + len(_START) : end])
        at = end + len(_END)
    return ("".join(parts), at) if parts else None


def defused(thought: str, mark: str) -> str:
    """``thought`` with a space in each match of the pattern ``mark``, after its first character, so that it is no
    markup any more."""
    return re.sub(mark, lambda m: f"{m[0][0]} {m[0][1:]}", thought)


def space_after(text: str, at: int) -> int:
    """Where the whitespace that begins at ``at`` ends."""
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def defused_lines(thought: str, mark: str) -> str:
    """``thought`` with a space before each line that begins with the pattern ``mark``."""
    return re.sub(rf"^(?={mark})", " ", thought, flags=re.M)
