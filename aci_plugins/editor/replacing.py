"""Replacing a text by another, said in the answers of the editors that do it."""

from __future__ import annotations

from collections.abc import Sequence

from aci_plugins.editor.change import REVIEW, around, change, encoded, problem, refused
from aci_plugins.editor.creating import create
from aci_plugins.editor.occurrences import places, similar, substituted
from aci_plugins.files import TextFile
from aci_plugins.tool import Context, ToolResult
from aci_plugins.viewer.window import numbered

_MOST = 10  # lines that an answer names


def replace_text(
    context: Context,
    path: str,
    old: str,
    new: str,
    *,
    every: bool = False,
    lint: Sequence[str],
    undo: bool,
) -> ToolResult:
    """Replace the one occurrence of ``old`` in the file (all, if ``every``); the answer shows the result, or says why
    nothing was changed."""
    if why := problem(context, path):
        return refused(why)
    if not old:
        return refused("The text to be replaced is empty. Use insert to add lines.")
    if old == new:
        return refused("The old and the new text are the same: nothing was changed.")
    before = context.env.read(path)
    file = TextFile.of(before)
    found = places(file, old)
    if not found:
        return refused(not_found(file, path, old))
    if len(found) > 1 and not every:
        return refused(
            f"The text to be replaced occurs {len(found)} times in {path}, in lines {listed([p.line for p in found])}. "
            "Nothing was changed. Give more of the lines around it, so that it is unique."
        )
    if isinstance(bad := encoded(file, new), str):
        return refused(bad)
    after = substituted(file, found, new)
    where = context.env.resolve(path)
    if why := change(context, where, before, after, lint=lint, undo=undo):
        return refused(why)
    what = f"{len(found)} places of {path} were" if len(found) > 1 else f"{path} was"
    return ToolResult(f"{what} changed.\n{around(where, before, after)}{REVIEW}")


def insert_text(
    context: Context, path: str, line: int | None, text: str, *, lint: Sequence[str], undo: bool
) -> ToolResult:
    """Insert lines after ``line`` (0: at the top; None: at the end); likewise."""
    if why := problem(context, path):
        return refused(why)
    before = context.env.read(path)
    file = TextFile.of(before)
    after = with_inserted(file, len(file.lines) if line is None else line, text)
    if isinstance(after, str):
        return refused(f"{path}: {after}")
    where = context.env.resolve(path)
    if why := change(context, where, before, after, lint=lint, undo=undo):
        return refused(why)
    return ToolResult(f"{path} was changed.\n{around(where, before, after)}{REVIEW}")


def create_file(context: Context, path: str, text: str, *, lint: Sequence[str], undo: bool) -> ToolResult:
    """Make a file that does not exist yet; likewise. Folders above it are made too."""
    if (kind := context.env.exists(path) if path else "directory") is not None:
        return refused(
            f"{path} exists already ({kind}); nothing was written. Edit it, or choose another name."
        )
    if why := create(context, path, text.encode(), lint=lint, undo=undo):
        return refused(why)
    return ToolResult(f"{path} was created.\n")


def with_inserted(file: TextFile, line: int, text: str) -> bytes | str:
    """The content with ``text`` as lines after ``line``; or why not."""
    if not 0 <= line <= len(file.lines):
        return f"there is no line {line}; the lines are 1 to {len(file.lines)}, and 0 stands for the top."
    bare = text.replace("\r\n", "\n")
    rows = (bare.removesuffix("\n") if bare.endswith("\n") else bare).split("\n")
    if isinstance(bad := encoded(file, bare), str):
        return bad
    return file.replaced(line + 1, line, rows).data


def not_found(file: TextFile, path: str, old: str) -> str:
    """Why nothing was replaced, with the lines that may have been meant."""
    lines = similar(file, old)
    if not lines:
        return (
            f"The text to be replaced does not occur in {path}. Nothing was changed. Look at the file again."
        )
    count = len(old.strip("\r\n").split("\n"))
    rows = numbered(file, lines[0], lines[0] + min(count, _MOST) - 1)
    return "\n".join(
        [
            f"The text to be replaced does not occur in {path} as it is written; with other white space it does, from "
            f"line {listed(lines)} on. Nothing was changed. The lines of the file are:",
            *rows,
            *(["…"] if count > _MOST else []),
        ]
    )


def listed(lines: Sequence[int]) -> str:
    """Line numbers, the first few of them."""
    shown = ", ".join(str(line) for line in lines[:_MOST])
    return f"{shown} and {len(lines) - _MOST} more" if len(lines) > _MOST else shown
