"""The command that takes back an edit."""

from __future__ import annotations

from aci_plugins.editor.change import around, refused
from aci_plugins.editor.undo import undo
from aci_plugins.tool import Context, Tool, ToolResult, tool


def undo_tools(wanted: bool) -> tuple[Tool, ...]:
    """``undo_edit``, if it is wanted."""
    return (tool(undo_edit, edits=True),) if wanted else ()


def undo_edit(context: Context, path: str) -> ToolResult:
    """Takes back the last edit of a file that was made with the commands of this interface. A file that it created is
    removed again.

    Args:
        path: the file
    """
    try:
        where, now, edited = undo(context, path)
    except LookupError as error:
        return refused(error.args[0])
    if now is None:
        return ToolResult(f"{path} was created by its last edit; it is removed.\n")
    return ToolResult(f"The last edit of {path} was taken back.\n{around(where, edited, now)}")
