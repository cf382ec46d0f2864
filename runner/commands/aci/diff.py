"""``acilab aci diff``: what differs between two interfaces, as a model sees them."""

from __future__ import annotations

import difflib
import os
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence

from runner.commands.aci.show import refuse_flags
from runner.errors import UserError

USAGE = """usage: acilab aci diff A B [overrides for both] [--config-dir DIR]

Prints a unified diff of what acilab aci show prints for A and for B. Each is the name of an option of the group aci,
or overrides in quotes:

  acilab aci diff swe_agent bash_only
  acilab aci diff swe_agent "aci/editor=none aci/history=full"
"""

_COLOURS = {"+": "32", "-": "31", "@": "36"}


def diff(argv: Sequence[str]) -> int:
    """Run ``acilab aci diff ARGV``.

    Raises:
        UserError
    """
    if any(word in ("-h", "--help") for word in argv):
        sys.stdout.write(USAGE)
        return 0
    words = list(argv)
    refuse_flags(words, "none")
    flags = _config_dir(words)
    if len(words) < 2:
        raise UserError('give two ACIs: acilab aci diff swe_agent "aci/editor=none"')
    from runner.commands.aci.seen import composed

    one, other, *both = words
    before, after = (composed([*flags, *both, *_overrides(side)]).sections() for side in (one, other))
    coloured = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    found = False
    for line in _lines(before, after, one, other):
        found = True
        colour = _COLOURS.get(line[0]) if coloured else None
        sys.stdout.write(f"\x1b[{colour}m{line}\x1b[m\n" if colour else f"{line}\n")
    if not found:
        sys.stderr.write("no difference\n")
    return 0


def _config_dir(words: list[str]) -> list[str]:
    """Take ``--config-dir`` out of ``words``."""
    flags = []
    for word in [w for w in words if w.startswith("-")]:
        at = words.index(word)
        length = 1 if "=" in word else 2
        flags += words[at : at + length]
        del words[at : at + length]
    return flags


def _overrides(side: str) -> list[str]:
    try:
        words = shlex.split(side)
    except ValueError as error:
        raise UserError(f"{side!r}: {error}") from error
    return [word if "=" in word or word.startswith("~") else f"aci={word}" for word in words]


def _lines(before: Mapping[str, str], after: Mapping[str, str], one: str, other: str) -> Iterator[str]:
    """Sections that differ, each with its title; the order is that of ``before``, then what only ``after`` has."""
    begun = False
    for title in dict.fromkeys([*before, *after]):
        old, new = before.get(title), after.get(title)
        if old == new:
            continue
        if not begun:
            yield from (f"--- {one}", f"+++ {other}")
            begun = True
        gone = " (only in the first)" if new is None else " (only in the second)" if old is None else ""
        yield f"==== {title}{gone}"
        lines = difflib.unified_diff((old or "").splitlines(), (new or "").splitlines(), lineterm="", n=2)
        yield from list(lines)[2:]  # without the names of files
