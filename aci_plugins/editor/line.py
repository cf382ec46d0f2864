"""The paper's editor: replaces a range of lines, shows the result, and refuses what does not lint.

Behaviour and messages follow SWE-agent 0.7 (arXiv 2405.15793v3, Fig. 6 and Table 4); docs/deviations.md lists the
differences. Bytes outside the edited lines never change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from aci_plugins.editor.checking import Codes, brought_in, promise
from aci_plugins.editor.hunks import Hunk
from aci_plugins.files import TextFile
from aci_plugins.plugin import plugin
from aci_plugins.tool import Context, Tool, ToolResult, UsageError, number, tool
from aci_plugins.viewer.window import constrained, move, open_file, shown

END = "end_of_edit"
_NO_FILE = "No file open. Use the `open` command first."
_UPDATED = (
    "File updated. Please review the changes and make sure they are correct (correct indentation, no duplicate "
    "lines, etc). Edit the file again if necessary.\n"
)
_RULE = "-" * 49
_CONTEXT = 10  # lines shown around an edit, both sides together


@plugin
class LineEditor:
    """``edit`` and ``create``. With a viewer they work on the open file; without one ``edit`` names its file.

    Attributes:
        lint: codes of errors that an edit must not bring in, see :data:`aci_plugins.editor.checking.Codes`.
    """

    lint: Codes = ()

    def tools(self, viewer: bool) -> tuple[Tool, ...]:
        """edit, create; ``viewer``: whether there is one."""
        fill = {"check": promise(self.lint)}
        if viewer:
            edit = tool(
                self.edit,
                signature=f"edit <start_line>:<end_line>\n<replacement_text>\n{END}",
                end_name=END,
                reader=_read_edit,
                writer=_write_edit,
                edits=True,
                fill=fill,
            )
            create = tool(self.create, signature="create <filename>", reader=_read_create, edits=True)
            return edit, create
        edit = tool(
            self.edit_path,
            name="edit",
            signature=f"edit <path> <start_line>:<end_line>\n<replacement_text>\n{END}",
            end_name=END,
            reader=_read_edit_path,
            writer=_write_edit_path,
            edits=True,
            fill=fill,
        )
        return edit, tool(
            self.create_path, name="create", signature="create <filename>", reader=_read_create, edits=True
        )

    def edit(self, context: Context, start_line: int, end_line: int, text: str) -> ToolResult:
        """Replaces the lines from start_line to end_line (both included) of the open file with the given text,
        and shows the file around the change. Write every leading space that the new lines need.{check}

        Args:
            start_line: the first line to replace
            end_line: the last line to replace
            text: the new lines
        """
        if not context.session.open_file:
            raise UsageError(_NO_FILE)
        return self._replace(context, context.session.open_file, start_line, end_line, text, in_window=True)

    def edit_path(self, context: Context, path: str, start_line: int, end_line: int, text: str) -> ToolResult:
        """Replaces the lines from start_line to end_line (both included) of a file with the given text, and shows
        the changed lines. Write every leading space that the new lines need.{check}

        Args:
            path: the file to change
            start_line: the first line to replace
            end_line: the last line to replace
            text: the new lines
        """
        if context.env.exists(path) != "file":
            return ToolResult(f"File {path} not found\n", failed_edit=True)
        return self._replace(context, context.env.resolve(path), start_line, end_line, text, in_window=False)

    def create(self, context: Context, filename: str) -> ToolResult:
        """Creates a file with one empty line in it, and opens it.

        Args:
            filename: the file to create
        """
        problem = _create(context, filename)
        if problem and context.env.exists(filename) != "file":
            return ToolResult(problem, failed_edit=True)
        return ToolResult(problem + open_file(context, filename), failed_edit=bool(problem))

    def create_path(self, context: Context, filename: str) -> ToolResult:
        """Creates a file with one empty line in it.

        Args:
            filename: the file to create
        """
        problem = _create(context, filename)
        return ToolResult(problem or f"File {filename} created.\n", failed_edit=bool(problem))

    def _replace(
        self, context: Context, path: str, start: int, end: int, text: str, *, in_window: bool
    ) -> ToolResult:
        if start < 1:
            raise UsageError("Usage: edit <start_line>:<end_line>\nError: start_line must be at least 1", 1)
        if end < 0:
            raise UsageError("Usage: edit <start_line>:<end_line>\nError: end_line must be at least 1", 1)
        old = context.env.read(path)
        before = TextFile.of(old)
        lines = _lines(text)
        try:
            after = before.replaced(start, end, lines)
        except UnicodeEncodeError as error:
            bad = error.object[error.start : error.end]
            why = f"Error: {bad!r} cannot be written in this file, whose encoding is {before.encoding}\n"
            return ToolResult(why, 1, failed_edit=True)
        new = after.data
        errors = brought_in(path, old, new, [Hunk(start, end, start, len(lines))], self.lint)
        if errors:
            refusal = _refusal(errors, path, before, after, start, end, len(lines))
            return ToolResult(refusal, failed_edit=True)
        if new != old:
            context.env.write(path, new)
        if in_window:
            view = move(context, start - 1)
        else:
            view = _snippet(path, after, start - 1 + len(lines) // 2, len(lines) + _CONTEXT)
        return ToolResult(view + _UPDATED, failed_edit=new == old)


def _create(context: Context, filename: str) -> str:
    """Make the file; or say why not."""
    if context.env.exists(filename) is not None:
        return f"Error: File '{filename}' already exists.\n"
    folder = filename.rpartition("/")[0]
    if folder and context.env.exists(folder) != "directory":
        return f"Error: Directory {folder} does not exist.\n"
    context.env.write(filename, b"\n")
    return ""


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _refusal(
    errors: Sequence[str], path: str, before: TextFile, after: TextFile, start: int, end: int, count: int
) -> str:
    """Why an edit is refused, how it would have looked, and the lines as they are."""
    first = start - 1  # the original's arithmetic counts from 0
    replaced = end - first
    return "\n".join(
        [
            "Your proposed edit has introduced new syntax error(s). Please read this error message carefully and "
            "then retry editing the file.",
            "",
            "ERRORS:",
            *(f"- {error}" for error in errors),
            "",
            "This is how your edit would have looked if applied",
            _RULE,
            _snippet(path, after, count // 2 + first, count + _CONTEXT) + _RULE,
            "",
            "This is the original code before your edit",
            _RULE,
            _snippet(path, before, int((replaced + 1) / 2) + first, max(1, replaced + _CONTEXT)) + _RULE,
            "Your changes have NOT been applied. Please fix your edit command and try again.",
            "You either need to 1) Specify the correct start/end line arguments or 2) Correct your edit code.",
            "DO NOT re-run the same failed edit command. Running it again will lead to the same error.",
            "",
        ]
    )


def _snippet(path: str, file: TextFile, centre: int, window: int) -> str:
    return shown(path, file, constrained(centre, len(file.lines), window), window)


# ---- how the text commands are written ------------------------------------------------------------------


def _read_range(word: str, usage: str) -> dict[str, Any]:
    first, _, rest = word.partition(":")
    last = rest.partition(":")[0]
    if not first or not last:
        raise UsageError(usage)
    start, end = number(first), number(last)
    if start is None:
        raise UsageError(f"{usage}\nError: start_line must be a number")
    if end is None:
        raise UsageError(f"{usage}\nError: end_line must be a number")
    return {"start_line": start, "end_line": end}


def _read_edit(context: Context | None, words: Sequence[str], body: str | None) -> dict[str, Any]:
    if context is not None and not context.session.open_file:
        raise UsageError(_NO_FILE)
    return {
        **_read_range(words[0] if words else "", "Usage: edit <start_line>:<end_line>"),
        "text": body or "",
    }


def _write_edit(arguments: Mapping[str, Any]) -> tuple[list[str], str | None]:
    return [f"{arguments['start_line']}:{arguments['end_line']}"], arguments["text"]


def _read_edit_path(context: Context | None, words: Sequence[str], body: str | None) -> dict[str, Any]:
    usage = "Usage: edit <path> <start_line>:<end_line>"
    if len(words) != 2 or not words[0]:
        raise UsageError(usage)
    return {"path": words[0], **_read_range(words[1], usage), "text": body or ""}


def _write_edit_path(arguments: Mapping[str, Any]) -> tuple[list[str], str | None]:
    return [str(arguments["path"]), *_write_edit(arguments)[0]], arguments["text"]


def _read_create(context: Context | None, words: Sequence[str], body: str | None) -> dict[str, Any]:
    if not words or not words[0]:
        raise UsageError("Usage: create <filename>")
    return {"filename": words[0]}
