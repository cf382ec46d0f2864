"""Writing files as a whole: the simplest editor, as in Aider's edit format "whole"."""

from __future__ import annotations

from aci_plugins.editor.change import REVIEW, around, change, encoded, refused
from aci_plugins.editor.checking import Codes, promise
from aci_plugins.editor.creating import create
from aci_plugins.editor.rewriting import rewritten
from aci_plugins.editor.undo_edit import undo_tools
from aci_plugins.files import TextFile
from aci_plugins.plugin import plugin
from aci_plugins.tool import Context, Tool, ToolResult, tool

END = "end_of_file"


@plugin
class WholeFile:
    """``write_file``.

    Attributes:
        lint: codes of errors that an edit must not bring in, see :data:`aci_plugins.editor.checking.Codes`.
        undo: whether edits can be taken back (``undo_edit``).
    """

    lint: Codes = ()
    undo: bool = True

    def tools(self, viewer: bool) -> tuple[Tool, ...]:
        """The same with and without a viewer."""
        write = tool(
            self.write_file,
            signature=f"write_file <path>\n<text>\n{END}",
            end_name=END,
            edits=True,
            fill={"check": promise(self.lint)},
        )
        return write, *undo_tools(self.undo)

    def write_file(self, context: Context, path: str, text: str) -> ToolResult:
        """Writes a file as a whole: creates it, or replaces all of its content. Of a file that was there before, the
        changed lines are shown.{check}

        Args:
            path: the file to write
            text: its whole content
        """
        kind = context.env.exists(path) if path else "directory"
        if kind == "directory":
            return refused(f"{path or 'The empty path'} is a directory.")
        if kind is None:
            why = create(context, path, text.encode(), lint=self.lint, undo=self.undo)
            return refused(why) if why else ToolResult(f"{path} was created.\n")
        before = context.env.read(path)
        file = TextFile.of(before)
        if isinstance(bad := encoded(file, text), str):
            return refused(bad)
        after = rewritten(file, 1, len(file.lines), text)
        where = context.env.resolve(path)
        if why := change(context, where, before, after, lint=self.lint, undo=self.undo):
            return refused(why)
        return ToolResult(f"{path} was written.\n{around(where, before, after)}{REVIEW}")
