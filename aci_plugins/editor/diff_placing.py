"""Finding the place of a hunk in a file, and putting it there."""

from __future__ import annotations

from aci_plugins.editor.diff_reading import DiffError, DiffHunk
from aci_plugins.editor.occurrences import similar
from aci_plugins.editor.replacing import listed
from aci_plugins.files import TextFile
from aci_plugins.viewer.window import numbered


def patched(file: TextFile, hunks: list[DiffHunk], path: str) -> bytes:
    """The content after all hunks; lines of context keep their bytes.

    Raises:
        DiffError: a hunk fits nowhere, or in several places; the lines that may have been meant are named.
        UnicodeEncodeError: a new line cannot be written in the file's encoding.
    """
    places, free, shift = [], 1, 0
    rows = file.rows(1, len(file.lines))
    for number, hunk in enumerate(hunks, 1):
        start = _place(file, rows, hunk, free, shift, f"Hunk {number} of {path}")
        shift = start - hunk.line if hunk.line is not None else shift
        places.append((start, hunk))
        free = start + len(hunk.old)
    after = file
    for start, hunk in reversed(places):
        open_end = hunk.open_end and start + len(hunk.old) > len(file.lines)
        after = _put(after, start, hunk)
        if open_end:
            *lines, last = after.lines or (b"",)
            after = TextFile(after.bom, (*lines, last.rstrip(b"\r\n")), after.encoding)
    return after.data


def _place(file: TextFile, rows: list[str], hunk: DiffHunk, free: int, shift: int, what: str) -> int:
    """The line that the hunk begins at."""
    old = hunk.old
    if not old:
        if hunk.line is not None and free <= hunk.line <= len(rows) + 1:
            return hunk.line
        if not rows:
            return 1
        raise DiffError(f"{what} has no lines of context, so that its place is unknown. Add some.")
    found = [
        i + 1
        for i in range(free - 1, len(rows) - len(old) + 1)
        if rows[i] == old[0] and rows[i : i + len(old)] == old
    ]
    if len(found) == 1:
        return found[0]
    if found:
        exact = [line for line in found if hunk.line is not None and line == hunk.line + shift]
        if exact:
            return exact[0]
        raise DiffError(
            f"{what} fits in {len(found)} places, from lines {listed(found)} on, and its header names none of them. "
            "Add more lines of context."
        )
    raise DiffError(f"{what} does not fit: {_why_not(file, rows, old)}")


def _why_not(file: TextFile, rows: list[str], old: list[str]) -> str:
    near = similar(file, "\n".join(old))
    if near:
        shown = "\n".join(numbered(file, near[0], near[0] + len(old) - 1))
        return f"its lines are in the file with other white space. The lines of the file are:\n{shown}"
    known = set(rows)
    absent = next((row for row in old if row not in known), None)
    if absent is not None:
        return f"the file has no line {absent!r}. Look at the file again."
    return "its lines are in the file, but not one after the other. Look at the file again."


def _put(file: TextFile, start: int, hunk: DiffHunk) -> TextFile:
    """Replace runs of changed lines, from the last one on."""
    runs: list[tuple[int, int, list[str]]] = []
    line, fresh = start, True
    for sign, text in hunk.lines:
        if sign == " ":
            line, fresh = line + 1, True
            continue
        if fresh:
            runs.append((line, line - 1, []))
            fresh = False
        first, last, new = runs[-1]
        if sign == "-":
            line += 1
            runs[-1] = (first, last + 1, new)
        else:
            new.append(text)
    for first, last, new in reversed(runs):
        file = file.replaced(first, last, new)
    return file
