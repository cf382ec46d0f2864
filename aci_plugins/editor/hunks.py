"""Which lines differ between two versions of a file."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple, TypeVar

T = TypeVar("T", bytes, str)

_LARGEST = 4_000_000  # pairs of lines; beyond it everything between the first and last difference is one hunk


class Hunk(NamedTuple):
    """Lines ``first`` to ``last`` (from 1; ``last < first`` for none) became ``size`` lines from ``new`` on."""

    first: int
    last: int
    new: int
    size: int


def hunks(before: Sequence[T], after: Sequence[T]) -> list[Hunk]:
    """The differences, from the top."""
    start, shorter = 0, min(len(before), len(after))
    while start < shorter and before[start] == after[start]:
        start += 1
    end = 0
    while end < shorter - start and before[-1 - end] == after[-1 - end]:
        end += 1
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    if not old and not new:
        return []
    if not old or not new or len(old) * len(new) > _LARGEST:
        return [Hunk(start + 1, start + len(old), start + 1, len(new))]
    found = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [
        Hunk(start + i + 1, start + i_end, start + j + 1, j_end - j)
        for how, i, i_end, j, j_end in found
        if how != "equal"
    ]


def moved(line: int, edited: Sequence[Hunk]) -> int | None:
    """Where an old line stands after the edit; None if it was edited."""
    shift = 0
    for hunk in edited:
        if hunk.first <= line <= hunk.last:
            return None
        if line > hunk.last:
            shift += hunk.size - (hunk.last - hunk.first + 1)
    return line + shift


def in_new_lines(line: int, edited: Sequence[Hunk]) -> bool:
    """Whether a line of the new version is one of those that the edit wrote."""
    return any(hunk.new <= line < hunk.new + hunk.size for hunk in edited)
