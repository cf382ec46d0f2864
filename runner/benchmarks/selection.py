"""Which instances are run: one meaning of ``filter``, ``ids`` and ``slice`` for all benchmarks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

from aci_plugins.plugin import suggest
from runner.errors import UserError

T = TypeVar("T")

_SLICE = re.compile(r"(?P<a>-?\d*):(?P<b>-?\d*)(?::(?P<c>-?\d*))?")


def select(
    rows: Sequence[tuple[str, T]],
    *,
    source: str,
    filter: str | None = None,
    ids: Sequence[str] | None = None,
    slice: str | None = None,
) -> list[T]:
    """The chosen ones of ``rows`` (pairs of instance id and anything), in their order.

    ``filter`` (a regular expression that must match the whole id) and ``ids`` are applied first, then
    ``slice`` (``a:b`` or ``a:b:c``, as Python slices) to what remains. ``source`` names the
    dataset in messages.

    Raises:
        UserError: an id that does not exist (with the nearest one), a broken slice or expression, or nothing
            left to run.
    """
    chosen = list(rows)
    if filter is not None:
        try:
            pattern = re.compile(filter)
        except re.error as error:
            message = f"benchmark.filter={filter!r} is no regular expression: {error}"
            raise UserError(message) from error
        chosen = [row for row in chosen if pattern.fullmatch(row[0])]
    if ids is not None:
        known = {row[0] for row in rows}
        for name in ids:
            if name not in known:
                raise UserError(f"benchmark.ids: {source} has no instance {name!r}{_nearest(name, known)}")
        chosen = [row for row in chosen if row[0] in set(ids)]
    if slice is not None:
        chosen = chosen[parse_slice(slice)]
    if not chosen:
        given = {"filter": filter, "ids": ids, "slice": slice}
        named = ", ".join(f"benchmark.{key}={value}" for key, value in given.items() if value is not None)
        raise UserError(f"{named or 'the dataset'} leaves no instance of the {len(rows)} in {source}")
    return [row[1] for row in chosen]


def parse_slice(text: str) -> slice:
    """``"0:10"``, ``":5"``, ``"10:"``, ``"::2"`` as a slice.

    Raises:
        UserError: anything else, or a step of 0.
    """
    match = _SLICE.fullmatch(text.strip())
    parts = [match[name] for name in ("a", "b", "c")] if match else []
    if not match or "-" in parts or parts[2] in ("0", "-0"):
        raise UserError(f"benchmark.slice={text!r} is no slice: write a:b or a:b:c, e.g. 0:10")
    return slice(*(int(part) if part else None for part in parts))


def _nearest(name: str, known: set[str]) -> str:
    if len(known) <= 20:
        return suggest(name, known)
    hint = suggest(name, known)
    return hint if "did you mean" in hint else f" ({len(known)} instances, e.g. {min(known)!r})"
