"""Search and replace within the window, and insertion of lines: SWE-agent 1.x's bundle ``windowed_edit_replace``."""

from __future__ import annotations

from aci_plugins.editor.change import REVIEW, change, encoded, refused
from aci_plugins.editor.checking import Codes, promise
from aci_plugins.editor.creating import create
from aci_plugins.editor.occurrences import places, substituted
from aci_plugins.editor.replacing import insert_text, listed, not_found, replace_text, with_inserted
from aci_plugins.editor.undo_edit import undo_tools
from aci_plugins.files import TextFile
from aci_plugins.plugin import plugin
from aci_plugins.tool import Context, Tool, ToolResult, tool
from aci_plugins.viewer.window import open_file, rows_in_sight, show_line

NO_FILE = "No file open. Open or create a file first."


@plugin
class WindowReplace:
    """``edit``, ``insert`` and ``create``. With a viewer they work on the open file, and ``edit`` within its window;
    without one they name their file, and ``edit`` works on all of it.

    Attributes:
        lint: codes of errors that an edit must not bring in, see :data:`aci_plugins.editor.checking.Codes`.
        undo: whether edits can be taken back (``undo_edit``); not so in SWE-agent.
    """

    lint: Codes = ()
    undo: bool = False

    def tools(self, viewer: bool) -> tuple[Tool, ...]:
        """edit, insert, create."""
        fill = {"check": promise(self.lint)}
        edit, insert, make = (
            (self.edit, self.insert, self.create)
            if viewer
            else (self.edit_path, self.insert_path, self.create_path)
        )
        return (
            tool(edit, name="edit", edits=True, options=True, fill=fill),
            tool(insert, name="insert", edits=True, options=True),
            tool(make, name="create", edits=True, options=True),
            *undo_tools(self.undo),
        )

    def edit(self, context: Context, search: str, replace: str, replace_all: bool = False) -> ToolResult:
        """Replaces a text in the shown lines of the open file by another, and shows the window. The text must occur in
        the shown lines exactly once, with the white space that it has there; it may go over several lines.{check}

        Args:
            search: the text to be replaced, exactly as it is in the file
            replace: the text to stand in its place (empty to delete)
            replace_all: whether to replace every occurrence in the whole file instead (default: false)
        """
        path = context.session.open_file
        if not path:
            return refused(NO_FILE)
        if not search:
            return refused("The text to be replaced is empty. Use insert to add lines.")
        if search == replace:
            return refused("The old and the new text are the same: nothing was changed.")
        before = context.env.read(path)
        file = TextFile.of(before)
        everywhere = places(file, search)
        found = everywhere
        if not replace_all:
            found = places(file, search, *rows_in_sight(len(file.lines), *_window(context)))
        if not found and everywhere:
            lines = listed([place.line for place in everywhere])
            return refused(
                "The text to be replaced does not occur in the shown lines. Nothing was changed. It occurs in "
                f"{'line' if len(everywhere) == 1 else 'lines'} {lines} of the file: go there first."
            )
        if not found:
            return refused(not_found(file, path, search))
        if len(found) > 1 and not replace_all:
            lines = listed([place.line for place in found])
            return refused(
                f"The text to be replaced occurs {len(found)} times in the shown lines, in lines {lines}. Nothing was "
                "changed. Give more of the lines around it, so that it is unique."
            )
        if isinstance(bad := encoded(file, replace), str):
            return refused(bad)
        after = substituted(file, found, replace)
        if why := change(context, path, before, after, lint=self.lint, undo=self.undo):
            return refused(why)
        what = f"{len(found)} places were" if len(found) > 1 else "The text was"
        return ToolResult(f"{what} replaced. {REVIEW}{show_line(context, found[0].line)}")

    def insert(self, context: Context, text: str, line: int | None = None) -> ToolResult:
        """Inserts lines into the open file, and shows the window.

        Args:
            text: the new lines
            line: they stand after this line, 0 for the top of the file (default: at its end)
        """
        path = context.session.open_file
        if not path:
            return refused(NO_FILE)
        before = context.env.read(path)
        file = TextFile.of(before)
        at = len(file.lines) if line is None else line
        after = with_inserted(file, at, text)
        if isinstance(after, str):
            return refused(f"{path}: {after}")
        if why := change(context, path, before, after, lint=self.lint, undo=self.undo):
            return refused(why)
        return ToolResult(f"The lines were inserted. {REVIEW}{show_line(context, at + 1)}")

    def create(self, context: Context, filename: str) -> ToolResult:
        """Creates an empty file, and opens it.

        Args:
            filename: the file to create
        """
        if why := self._create(context, filename):
            return refused(why)
        return ToolResult(open_file(context, filename))

    def edit_path(
        self, context: Context, path: str, search: str, replace: str, replace_all: bool = False
    ) -> ToolResult:
        """Replaces a text in a file by another, and shows the lines around the change. The text must occur in the file
        exactly once, with the white space that it has there; it may go over several lines.{check}

        Args:
            path: the file to change
            search: the text to be replaced, exactly as it is in the file
            replace: the text to stand in its place (empty to delete)
            replace_all: whether to replace every occurrence instead (default: false)
        """
        return replace_text(context, path, search, replace, every=replace_all, lint=self.lint, undo=self.undo)

    def insert_path(self, context: Context, path: str, text: str, line: int | None = None) -> ToolResult:
        """Inserts lines into a file, and shows the lines around them.

        Args:
            path: the file to change
            text: the new lines
            line: they stand after this line, 0 for the top of the file (default: at its end)
        """
        return insert_text(context, path, line, text, lint=self.lint, undo=self.undo)

    def create_path(self, context: Context, filename: str) -> ToolResult:
        """Creates an empty file.

        Args:
            filename: the file to create
        """
        if why := self._create(context, filename):
            return refused(why)
        return ToolResult(f"{filename} was created.\n")

    def _create(self, context: Context, filename: str) -> str:
        if (kind := context.env.exists(filename) if filename else "directory") is not None:
            return f"{filename} exists already ({kind}); nothing was written."
        return create(context, filename, b"", lint=self.lint, undo=self.undo)


def _window(context: Context) -> tuple[float, int]:
    return context.session.line, context.session.window
