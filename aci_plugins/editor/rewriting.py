"""New text for a range of lines, of which the lines that stay the same keep their bytes."""

from __future__ import annotations

from aci_plugins.editor.hunks import hunks
from aci_plugins.files import TextFile


def rewritten(file: TextFile, first: int, last: int, text: str) -> bytes:
    """The content with ``text`` as the lines ``first`` to ``last``. A line that is as before, as it is shown, keeps its
    bytes: its line end, what cannot be decoded, a missing end of the last line.

    Raises:
        UnicodeEncodeError: a new line cannot be written in the file's encoding.
    """
    rows = text.replace("\r\n", "\n").split("\n")
    new = rows[:-1] if rows[-1] == "" else rows
    after = file
    for hunk in reversed(hunks(file.rows(first, last), new)):
        start = first + hunk.first - 1
        after = after.replaced(start, first + hunk.last - 1, new[hunk.new - 1 : hunk.new - 1 + hunk.size])
    return after.data
