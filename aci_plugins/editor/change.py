"""What all editors that change text by its content have in common: check, write, remember, show."""

from __future__ import annotations

from collections.abc import Sequence

from aci_plugins.editor.checking import brought_in
from aci_plugins.editor.hunks import Hunk, hunks
from aci_plugins.editor.undo import remember
from aci_plugins.files import TextFile
from aci_plugins.tool import Context, ToolResult
from aci_plugins.viewer.window import header, numbered

REVIEW = (
    "Please review the change: indentation, duplicate lines, what depends on it. Edit again if necessary.\n"
)
_RULE = "-" * 49
_CONTEXT = 4  # lines shown above and below a change
_MOST = 200  # lines shown of all changes together


def refused(why: str) -> ToolResult:
    """An edit that was not made."""
    return ToolResult(f"{why}\n", 1, failed_edit=True)


def problem(context: Context, path: str) -> str:
    """Why the file ``path`` cannot be edited ("" if it can)."""
    kind = context.env.exists(path) if path else None
    if kind == "file":
        return ""
    return f"{path} is a directory." if kind else f"There is no file {path}."


def encoded(file: TextFile, text: str) -> bytes | str:
    """``text`` in the encoding of the file; or why it cannot be written in it."""
    try:
        return text.encode(file.encoding)
    except UnicodeEncodeError as error:
        bad = error.object[error.start : error.end]
        return f"{bad!r} cannot be written in this file, whose encoding is {file.encoding}."


def broken(path: str, before: bytes, after: bytes, lint: Sequence[str]) -> str:
    """Why an edit of the file ``path`` is refused, with how it would have looked ("" if nothing is wrong)."""
    if not lint or before == after:
        return ""
    old, new = TextFile.of(before), TextFile.of(after)
    edited = hunks(old.lines, new.lines)
    errors = brought_in(path, before, after, edited, lint)
    if not errors:
        return ""
    return "\n".join(
        [
            "Your edit would bring in new errors:",
            *(f"- {error}" for error in errors),
            "",
            "This is how your edit would have looked if applied",
            _RULE,
            _shown(path, new, [(h.new, h.new + h.size - 1) for h in edited]) + _RULE,
            "",
            "This is the original code before your edit",
            _RULE,
            _shown(path, old, [(h.first, h.last) for h in edited]) + _RULE,
            "Your changes have NOT been applied. Correct the edit; the same command would be refused again.",
        ]
    )


def save(context: Context, path: str, before: bytes | None, after: bytes, *, undo: bool) -> None:
    """Write the new content of a file (``before`` is None for a new one), so that it can be taken back."""
    context.env.write(path, after)
    if undo:
        remember(context.session, context.env.resolve(path), before, after)


def change(
    context: Context, path: str, before: bytes, after: bytes, *, lint: Sequence[str], undo: bool
) -> str:
    """Check and write; why not ("" if it is done)."""
    if before == after:
        return "The edit changes nothing: the file is like that already."
    if why := broken(path, before, after, lint):
        return why
    save(context, path, before, after, undo=undo)
    return ""


def around(path: str, before: bytes, after: bytes) -> str:
    """The new lines with a few around them, as the viewer shows lines."""
    new = TextFile.of(after)
    edited = hunks(TextFile.of(before).lines, new.lines)
    return _shown(path, new, [(h.new, h.new + h.size - 1) for h in edited])


def first_change(before: bytes, after: bytes) -> Hunk:
    """The first difference; of equal files, an empty one at the top."""
    found = hunks(TextFile.of(before).lines, TextFile.of(after).lines)
    return found[0] if found else Hunk(1, 0, 1, 0)


def _shown(path: str, file: TextFile, ranges: Sequence[tuple[int, int]]) -> str:
    """Ranges of lines with a few around them; what is left out is counted, as in the viewer."""
    total = len(file.lines)
    rows, at, left = [header(path, total)], 1, _MOST
    for first, last in ranges:
        first, last = max(at, first - _CONTEXT), min(total, max(first - 1, last) + _CONTEXT)
        if last < first or left <= 0:
            continue
        last = min(last, first + left - 1)
        if first > at:
            rows.append(f"({first - at} more lines {'above' if at == 1 else 'between'})")
        rows += numbered(file, first, last)
        left -= last - first + 1
        at = last + 1
    if at <= total:
        rows.append(f"({total - at + 1} more lines below)")
    return "\n".join(rows) + "\n"
