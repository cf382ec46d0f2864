"""Where a text stands in a file, byte for byte; and where something like it stands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from aci_plugins.files import TextFile


class Place(NamedTuple):
    """One occurrence: its bytes (after the byte order mark), the line it begins in, the line end used in it."""

    start: int
    end: int
    line: int
    line_end: bytes


def places(file: TextFile, text: str, first: int = 1, last: int | None = None) -> list[Place]:
    """Every occurrence of ``text`` within the lines ``first`` to ``last``, none overlapping; a newline in it stands for
    either line end. A text that the file's encoding lacks occurs nowhere.
    """
    rows = file.lines[first - 1 : last]
    skipped = sum(len(row) for row in file.lines[: first - 1])
    body = b"".join(rows)
    plain = text.replace("\r\n", "\n")
    found: list[Place] = []
    for end in (b"\n", b"\r\n") if "\n" in plain else (file.line_end,):
        try:
            wanted = plain.replace("\n", end.decode()).encode(file.encoding)
        except UnicodeEncodeError:
            return []
        at = body.find(wanted) if wanted else -1
        while at >= 0:
            line = first + body.count(b"\n", 0, at)
            found.append(Place(skipped + at, skipped + at + len(wanted), line, end))
            at = body.find(wanted, at + len(wanted))
    return sorted(found)


def substituted(file: TextFile, where: Sequence[Place], new: str) -> bytes:
    """The content with ``new`` in each of the places; no other byte changes.

    Raises:
        UnicodeEncodeError: ``new`` cannot be written in the file's encoding.
    """
    body, plain = b"".join(file.lines), new.replace("\r\n", "\n")
    parts, at = [file.bom], 0
    for place in where:
        parts += [
            body[at : place.start],
            plain.replace("\n", place.line_end.decode()).encode(file.encoding),
        ]
        at = place.end
    return b"".join([*parts, body[at:]])


def similar(file: TextFile, text: str) -> list[int]:
    """First lines of the places where ``text`` would stand if white space did not count."""
    wanted = [_squeezed(row) for row in text.strip("\r\n").split("\n")]
    if not any(wanted):
        return []
    rows = [_squeezed(row) for row in file.rows(1, len(file.lines))]
    size = len(wanted)
    return [i + 1 for i in range(len(rows) - size + 1) if rows[i : i + size] == wanted]


def _squeezed(row: str) -> str:
    return re.sub(r"\s+", "", row)
