"""An editor that replaces text by its content: what is given must occur in the file exactly once.

The way of SWE-agent 1.x's and Anthropic's text editors, as four commands.
"""

from __future__ import annotations

from aci_plugins.editor.checking import Codes, promise
from aci_plugins.editor.replacing import create_file, insert_text, replace_text
from aci_plugins.editor.undo_edit import undo_tools
from aci_plugins.plugin import plugin
from aci_plugins.tool import Context, Tool, ToolResult, tool


@plugin
class StrReplace:
    """``str_replace``, ``insert``, ``create`` and ``undo_edit``; each names its file.

    Attributes:
        lint: codes of errors that an edit must not bring in, see :data:`aci_plugins.editor.checking.Codes`.
        undo: whether edits can be taken back.
    """

    lint: Codes = ()
    undo: bool = True

    def tools(self, viewer: bool) -> tuple[Tool, ...]:
        """The same with and without a viewer."""
        fill = {"check": promise(self.lint)}
        return (
            tool(self.str_replace, edits=True, options=True, fill=fill),
            tool(self.insert, edits=True, options=True),
            tool(self.create, edits=True, options=True),
            *undo_tools(self.undo),
        )

    def str_replace(self, context: Context, path: str, old_str: str, new_str: str) -> ToolResult:
        """Replaces a text in a file by another, and shows the lines around the change. The old text must occur in the
        file exactly once, with the white space that it has there; it may go over several lines.{check}

        Args:
            path: the file to change
            old_str: the text to be replaced, exactly as it is in the file
            new_str: the text to stand in its place (empty to delete)
        """
        return replace_text(context, path, old_str, new_str, lint=self.lint, undo=self.undo)

    def insert(self, context: Context, path: str, insert_line: int, text: str) -> ToolResult:
        """Inserts lines into a file, and shows the lines around them.

        Args:
            path: the file to change
            insert_line: the new lines stand after this line (0 for the top of the file)
            text: the new lines
        """
        return insert_text(context, path, insert_line, text, lint=self.lint, undo=self.undo)

    def create(self, context: Context, path: str, text: str) -> ToolResult:
        """Creates a file that does not exist yet.

        Args:
            path: the file to create
            text: its whole content
        """
        return create_file(context, path, text, lint=self.lint, undo=self.undo)
