"""Text to logical lines.

The scanner knows comments, quotes, brackets and continuation; it knows nothing about values. It yields a sequence of
``Header``, ``Pair`` and nothing else, each with the number of the line on which it starts.
"""

import re
from dataclasses import dataclass

from .errors import ParseError

COMMENT_MARKS = "#;"

KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
HEADER = re.compile(r"\[([^\[\]]*)\]")


@dataclass(frozen=True)
class Header:
    """``[a.b]``: the parts of the name of a section."""

    line: int
    parts: tuple


@dataclass(frozen=True)
class Pair:
    """``key = raw``: the value is still text."""

    line: int
    key: str
    raw: str


def strip_comment(text):
    """Remove a comment at the end of ``text``, unless its mark is inside quotes.

    A mark in the middle of a word (``a#b``) does not start a comment; one at the start of the line or after a blank
    does.
    """
    quote = None
    escaped = False
    for index, char in enumerate(text):
        if escaped:
            escaped = False
        elif quote:
            if char == "\\" and quote == '"':
                escaped = True
            elif char == quote:
                quote = None
        elif char in "\"'":
            quote = char
        elif char in COMMENT_MARKS and (index == 0 or text[index - 1].isspace()):
            return text[:index].rstrip()
    return text.rstrip()


def bracket_depth(text):
    """Number of square brackets outside quotes that ``text`` leaves open."""
    depth = 0
    quote = None
    escaped = False
    for char in text:
        if escaped:
            escaped = False
        elif quote:
            if char == "\\" and quote == '"':
                escaped = True
            elif char == quote:
                quote = None
        elif char in "\"'":
            quote = char
        elif char == "[":
            depth += 1
        elif char == "]":
            depth -= 1
    return depth


def split_name(name, line):
    """Parts of a dotted name; ParseError when one of them is not a key."""
    parts = [part.strip() for part in name.split(".")]
    for part in parts:
        if not KEY.fullmatch(part):
            raise ParseError(f"bad section name {name!r}", line)
    return tuple(parts)


def logical_lines(text):
    """``(number, text)`` of lines without comments, with continued lines joined by a blank.

    A line goes on when it ends in a backslash or leaves a bracket open.
    """
    pending = ""
    start = 0
    for number, raw in enumerate(text.splitlines(), start=1):
        line = strip_comment(raw).strip()
        if pending:
            line = f"{pending} {line}".strip()
        else:
            start = number
        if not line:
            continue
        if line.endswith("\\"):
            pending = line[:-1].rstrip()
            continue
        if not line.startswith("[") and bracket_depth(line) > 0:
            pending = line
            continue
        pending = ""
        yield start, line
    if pending:
        raise ParseError("unexpected end of file, a bracket or continued line is open", start)


def scan(text):
    """All headers and pairs of ``text`` in order."""
    for number, line in logical_lines(text):
        if line.startswith("["):
            match = HEADER.fullmatch(line)
            if match is None:
                raise ParseError(f"bad section header {line!r}", number)
            yield Header(number, split_name(match.group(1), number))
            continue
        key, equals, raw = line.partition("=")
        if not equals:
            raise ParseError(f"expected 'key = value', found {line!r}", number)
        key = key.strip()
        if not KEY.fullmatch(key):
            raise ParseError(f"bad key {key!r}", number)
        yield Pair(number, key, raw.strip())
