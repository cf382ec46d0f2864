"""Rewriting everything that the window shows: SWE-agent 1.x's bundle ``windowed_edit_rewrite``."""

from __future__ import annotations

from aci_plugins.editor.change import REVIEW, change, encoded, first_change, refused
from aci_plugins.editor.checking import Codes, promise
from aci_plugins.editor.creating import create
from aci_plugins.editor.rewriting import rewritten
from aci_plugins.editor.undo_edit import undo_tools
from aci_plugins.files import TextFile
from aci_plugins.plugin import PluginError, plugin
from aci_plugins.tool import Context, Tool, ToolResult, tool
from aci_plugins.viewer.window import open_file, rows_in_sight, show_line

END = "end_of_edit"
NO_FILE = "No file open. Open or create a file first."


@plugin
class WindowRewrite:
    """``edit`` and ``create``, on the open file.

    Attributes:
        lint: codes of errors that an edit must not bring in, see :data:`aci_plugins.editor.checking.Codes`.
        undo: whether edits can be taken back (``undo_edit``); not so in SWE-agent.
    """

    lint: Codes = ()
    undo: bool = False

    def tools(self, viewer: bool) -> tuple[Tool, ...]:
        """edit, create.

        Raises:
            PluginError: there is no viewer, so no window either.
        """
        if not viewer:
            raise PluginError(
                "this editor rewrites what the viewer shows, and there is no viewer; choose one, or "
                "aci/editor=whole_file",
                "editor",
            )
        return (
            tool(
                self.edit,
                signature=f"edit\n<replacement_text>\n{END}",
                end_name=END,
                edits=True,
                fill={"check": promise(self.lint)},
            ),
            tool(self.create, edits=True, options=True),
            *undo_tools(self.undo),
        )

    def edit(self, context: Context, text: str) -> ToolResult:
        """Replaces all the lines of the open file that are shown by the given text, and shows the window again. Repeat
        the shown lines that stay as they are, without their numbers.{check}

        Args:
            text: the new lines
        """
        path = context.session.open_file
        if not path:
            return refused(NO_FILE)
        before = context.env.read(path)
        file = TextFile.of(before)
        if isinstance(bad := encoded(file, text), str):
            return refused(bad)
        first, last = rows_in_sight(len(file.lines), context.session.line, context.session.window)
        after = rewritten(file, first, last, text)
        if why := change(context, path, before, after, lint=self.lint, undo=self.undo):
            return refused(why)
        shown = show_line(context, first_change(before, after).new)
        return ToolResult(f"The shown lines were replaced. {REVIEW}{shown}")

    def create(self, context: Context, filename: str) -> ToolResult:
        """Creates an empty file, and opens it.

        Args:
            filename: the file to create
        """
        if (kind := context.env.exists(filename) if filename else "directory") is not None:
            return refused(f"{filename} exists already ({kind}); nothing was written.")
        if why := create(context, filename, b"", lint=self.lint, undo=self.undo):
            return refused(why)
        return ToolResult(open_file(context, filename))
