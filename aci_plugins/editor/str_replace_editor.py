"""One tool that shows and changes files, by command: Anthropic's text editor, as SWE-agent 1.x has it by default
(its bundle ``edit_anthropic``).
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from aci_plugins.editor.change import problem, refused
from aci_plugins.editor.checking import Codes, promise
from aci_plugins.editor.replacing import create_file, insert_text, replace_text
from aci_plugins.editor.undo_edit import undo_edit
from aci_plugins.files import TextFile
from aci_plugins.plugin import plugin
from aci_plugins.tool import Context, Tool, ToolResult, UsageError, tool
from aci_plugins.viewer.outline import outline

CLIPPED = (
    "<response clipped> Only a part is shown. Look for line numbers with `grep -n`, then give a view_range.\n"
)
_DEPTH = 2


@plugin
class StrReplaceEditor:
    """``str_replace_editor`` with view, create, str_replace, insert and undo_edit.

    Attributes:
        lint: codes of errors that an edit must not bring in, see :data:`aci_plugins.editor.checking.Codes`.
        undo: whether edits can be taken back.
        max_chars: longer views are clipped.
        filemap: a Python file that is longer is shown as a whole without the bodies of its functions.
    """

    lint: Codes = ()
    undo: bool = True
    max_chars: int = Field(default=16_000, ge=1)
    filemap: bool = False

    def tools(self, viewer: bool) -> tuple[Tool, ...]:
        """The one tool; the same with and without a viewer."""
        fill = {"check": promise(self.lint), "undo": _UNDO if self.undo else ""}
        function = self.str_replace_editor if self.undo else self.without_undo
        return (tool(function, name="str_replace_editor", edits=True, options=True, fill=fill),)

    def str_replace_editor(
        self,
        context: Context,
        command: Literal["view", "create", "str_replace", "insert", "undo_edit"],
        path: str,
        file_text: str | None = None,
        old_str: str | None = None,
        new_str: str | None = None,
        insert_line: int | None = None,
        view_range: list[int] | None = None,
    ) -> ToolResult:
        """Shows, creates and changes files. view shows a file with its line numbers, or what is in a directory, two
        levels deep; create makes a file that does not exist yet; str_replace replaces old_str, which must occur in the
        file exactly once with the white space that it has there, by new_str; insert puts new_str after a line.{undo}
        Long answers are clipped.{check}

        Args:
            command: what to do
            path: the file or directory
            file_text: for create, the content of the file
            old_str: for str_replace, the text to be replaced, exactly as it is in the file
            new_str: for str_replace, the text to stand in its place (default: none); for insert, the new lines
            insert_line: for insert, the new lines stand after this line (0 for the top of the file)
            view_range: for view, the first and the last line to show; -1 as the last for the end of the file
        """
        if command == "view":
            return self._view(context, path, view_range)
        if command == "create":
            text = _needed(file_text, "file_text", command)
            return create_file(context, path, text, lint=self.lint, undo=self.undo)
        if command == "str_replace":
            old = _needed(old_str, "old_str", command)
            return replace_text(context, path, old, new_str or "", lint=self.lint, undo=self.undo)
        if command == "insert":
            if insert_line is None:
                raise UsageError("The command insert needs insert_line.", 2)
            text = _needed(new_str, "new_str", command)
            return insert_text(context, path, insert_line, text, lint=self.lint, undo=self.undo)
        return undo_edit(context, path)

    def without_undo(
        self,
        context: Context,
        command: Literal["view", "create", "str_replace", "insert"],
        path: str,
        file_text: str | None = None,
        old_str: str | None = None,
        new_str: str | None = None,
        insert_line: int | None = None,
        view_range: list[int] | None = None,
    ) -> ToolResult:
        return self.str_replace_editor(
            context, command, path, file_text, old_str, new_str, insert_line, view_range
        )

    without_undo.__doc__ = str_replace_editor.__doc__

    def _view(self, context: Context, path: str, lines: list[int] | None) -> ToolResult:
        kind = context.env.exists(path) if path else None
        if kind == "directory":
            if lines:
                return _failed("view_range is for files; this is a directory.")
            return ToolResult(self._clipped(_listing(context, path)))
        if why := problem(context, path):
            return _failed(why)
        file = TextFile.of(context.env.read(path))
        total = len(file.lines)
        if lines is None:
            text = _numbered(file, 1, total)
            if self.filemap and len(text) > self.max_chars and path.endswith(".py"):
                text = _mapped(file) or text
            return ToolResult(self._clipped(text) or f"{path} is empty.\n")
        if len(lines) != 2 or not 1 <= lines[0] <= max(total, 1) or (lines[1] != -1 and lines[1] < lines[0]):
            return _failed(
                f"view_range must be [first, last]: first from 1 to {total}, last from first on, or -1 for the end."
            )
        last = total if lines[1] == -1 else min(lines[1], total)
        return ToolResult(self._clipped(_numbered(file, lines[0], last)))

    def _clipped(self, text: str) -> str:
        return text if len(text) <= self.max_chars else f"{text[: self.max_chars]}\n{CLIPPED}"


_UNDO = " undo_edit takes back the last edit of a file."


def _needed(text: str | None, name: str, command: str) -> str:
    if text is None:
        raise UsageError(f"The command {command} needs {name}.", 2)
    return text


def _failed(why: str) -> ToolResult:
    """A view that cannot be shown: no edit has failed."""
    return ToolResult(f"{refused(why).text}", 1)


def _numbered(file: TextFile, first: int, last: int) -> str:
    return "".join(f"{n:6}\t{row}\n" for n, row in enumerate(file.rows(first, last), first))


def _mapped(file: TextFile) -> str:
    """The file without the bodies of its functions ("" if it is no Python that can be parsed)."""
    try:
        mapped = outline(file, longest=5)
    except ValueError:
        return ""
    return f"The file is long, so that the bodies of its functions are left out; view_range shows them.\n{mapped}"


def _listing(context: Context, path: str) -> str:
    """Files and directories that are not hidden, two levels deep."""
    where = context.env.resolve(path).rstrip("/")
    entries: set[str] = set()
    for file in context.env.files(where or "/"):
        parts = file[len(where) + 1 :].split("/")
        if any(part.startswith(".") for part in parts):
            continue
        entries |= {
            "/".join(parts[:depth]) + ("/" if depth < len(parts) else "") for depth in range(1, _DEPTH + 1)
        }
    rows = [f"{where}/{entry}" for entry in sorted(entries)]
    return "\n".join([f"{where or '/'}, two levels deep, without what is hidden:", *rows]) + "\n"
