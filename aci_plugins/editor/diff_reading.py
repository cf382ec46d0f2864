"""Reading unified diffs that models write.

The libraries for it (and git) trust the line counts of a hunk's header, which models often get wrong; here a hunk ends
where the next header begins, and its line number is a hint only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_HUNK = re.compile(r"^@@(?: -(\d+)(?:,(\d+))?(?: \+\d+(?:,\d+)?)?)?.*$")
_NOISE = re.compile(
    r"^(diff |index |new file mode |deleted file mode |old mode |new mode |similarity index )"
)
_RENAME = re.compile(r"^(rename|copy) (from|to) |^GIT binary patch|^Binary files ")


class DiffError(ValueError):
    """The text is no diff that can be applied; the message is for the model."""


@dataclass(slots=True)
class DiffHunk:
    """Lines with their signs (" ", "-", "+").

    Attributes:
        line: where it begins, as its header says; None if it does not.
        open_end: the new version ends without a newline.
    """

    line: int | None
    lines: list[tuple[str, str]] = field(default_factory=list)
    open_end: bool = False

    @property
    def old(self) -> list[str]:
        """The lines that must be in the file."""
        return [text for sign, text in self.lines if sign != "+"]

    @property
    def new(self) -> list[str]:
        """The lines that shall be in their place."""
        return [text for sign, text in self.lines if sign != "-"]


@dataclass(slots=True)
class FileDiff:
    """What a diff says of one file; ``old`` is None if it is new, ``new`` if it is to be deleted."""

    old: str | None
    new: str | None
    hunks: list[DiffHunk] = field(default_factory=list)


def read_diff(text: str) -> list[FileDiff]:
    """The files of a diff.

    Raises:
        DiffError: it holds none, or something that is no part of a unified diff.
    """
    rows = text.replace("\r\n", "\n").removesuffix("\n").split("\n")
    files: list[FileDiff] = []
    hunk: DiffHunk | None = None
    at = 0
    while at < len(rows):
        row = rows[at]
        at += 1
        if _names_file(rows, at - 1, in_hunk=hunk is not None):
            files.append(FileDiff(_path(row), _path(rows[at])))
            hunk = None
            at += 1
        elif row.startswith("@@"):
            if not files:
                raise DiffError("A hunk stands before the two lines that name its file (--- and +++).")
            hunk = DiffHunk(_line(row))
            files[-1].hunks.append(hunk)
        elif _RENAME.match(row):
            raise DiffError(
                "Renames, copies and binary files cannot be applied; use the shell for them (mv, cp)."
            )
        elif _NOISE.match(row):
            hunk = None
        elif hunk is not None:
            _add(hunk, row, at)
        elif row.strip():
            raise DiffError(
                f"Line {at} of the diff is neither the name of a file nor the header of a hunk: {row[:80]!r}."
            )
    for file in files:
        for found in file.hunks:
            while found.lines and found.lines[-1] == ("", ""):
                found.lines.pop()  # blank lines between hunks
            found.lines = [(sign or " ", text) for sign, text in found.lines]
        if not file.hunks and file.old is not None and file.new is not None:
            raise DiffError(f"The diff has no hunk for {file.new}.")
    if not files:
        raise DiffError("It is no unified diff: there are no lines --- and +++ that name a file.")
    return files


def _names_file(rows: list[str], at: int, *, in_hunk: bool) -> bool:
    """Whether a file begins here. Within a hunk the two lines may also be a change of lines that begin with -- and ++;
    then no hunk begins after them."""
    named = rows[at].startswith("--- ") and at + 1 < len(rows) and rows[at + 1].startswith("+++ ")
    return named and (not in_hunk or (at + 2 < len(rows) and rows[at + 2].startswith("@@")))


def _add(hunk: DiffHunk, row: str, at: int) -> None:
    if row == "":
        hunk.lines.append(("", ""))  # a blank line whose space was lost, or one after the hunk
    elif row[0] in " -+":
        hunk.lines.append((row[0], row[1:]))
    elif row.startswith("\\"):
        hunk.open_end |= bool(hunk.lines) and hunk.lines[-1][0] != "-"
    else:
        raise DiffError(f"Line {at} of the diff begins with none of space, -, +, @@: {row[:80]!r}.")


def _line(header: str) -> int | None:
    found = _HUNK.match(header)
    if not found or found[1] is None:
        return None
    # A hunk without old lines stands after the line that it names.
    return int(found[1]) + (found[2] == "0")


def _path(row: str) -> str | None:
    name = row[4:].split("\t")[0].strip()
    if name == "/dev/null":
        return None
    return name[2:] if name.startswith(("a/", "b/")) else name
