"""The paper's editor: replace a range of lines, optionally only if a linter finds nothing new."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from aci_plugins.editor.lint import introduced
from aci_plugins.plugin import plugin
from aci_plugins.tool import Context, Tool, ToolResult, UsageError, tool
from aci_plugins.viewer.window import constrain, lines_of, show, show_open

RULE = "-" * 49
UPDATED = (
    "File updated. Please review the changes and make sure they are correct (correct indentation, no duplicate "
    "lines, etc). Edit the file again if necessary.\n"
)
REJECTED = (
    "Your proposed edit has introduced new syntax error(s). Please read this error message carefully and then retry "
    "editing the file.\n"
)
AFTERWARDS = (
    "Your changes have NOT been applied. Please fix your edit command and try again.\n"
    "You either need to 1) Specify the correct start/end line arguments or 2) Correct your edit code.\n"
    "DO NOT re-run the same failed edit command. Running it again will lead to the same error.\n"
)
NO_FILE = "No file open. Use the `open` command first.\n"
CODES = ("F821", "F822", "F831", "E111", "E112", "E113", "E999", "E902")
END = "end_of_edit"


@plugin
class LineRange:
    """``edit <start>:<end>``, and ``create``.

    Attributes:
        lint: codes of new problems that make an edit of a ``.py`` file refused; empty for no lint.
    """

    lint: tuple[str, ...] = CODES

    @property
    def lints(self) -> bool:
        return bool(self.lint)

    def tools(self, viewer: bool) -> tuple[Tool, ...]:
        """edit and create; without a viewer, edit takes the path of the file."""
        codes = frozenset(self.lint)
        check = " A new syntax error makes the edit refused." if codes else ""

        def edit(context: Context, start_line: int, end_line: int, replacement: str) -> str | ToolResult:
            """Replace lines start_line to end_line (both included) of the open file by the text up to the line end_of_edit.{check}

            Args:
                start_line: the first line to replace
                end_line: the last line to replace
                replacement: the text to put there, with its indentation
            """
            return _edit_open(context, start_line, end_line, replacement, codes)

        def edit_path(
            context: Context, path: str, start_line: int, end_line: int, replacement: str
        ) -> str | ToolResult:
            """Replace lines start_line to end_line (both included) of a file by the text up to the line end_of_edit.{check}

            Args:
                path: the file to change
                start_line: the first line to replace
                end_line: the last line to replace
                replacement: the text to put there, with its indentation
            """
            return _edit_path(context, path, start_line, end_line, replacement, codes)

        signature = f"edit {'' if viewer else '<path> '}<start_line>:<end_line>\n<replacement>\n{END}"
        made = tool(
            edit if viewer else edit_path,
            signature,
            name="edit",
            end_name=END,
            words=_range if viewer else _path_and_range,
            text=_text,
            check=check,
        )
        return (made, tool(create, "create <path>", words=_create_words))


@plugin
class NoEditor:
    """No editor: files are changed with bash (redirection, sed, python)."""

    @property
    def lints(self) -> bool:
        return False

    def tools(self, viewer: bool) -> tuple[Tool, ...]:
        """None."""
        return ()


def create(context: Context, path: str) -> str:
    """Make a new file and open it.

    Args:
        path: the file to make
    """
    env, session = context.env, context.session
    if env.exists(path):
        session.open_file = env.resolve(path)
        session.line = session.window / 2
        return f"Error: File '{path}' already exists.\n" + (show_open(env, session) if session.window else "")
    try:
        env.write(path, b"\n")
    except OSError as error:
        return f"Error: cannot create {path}: {error.strerror}\n"
    session.open_file = env.resolve(path)
    session.line = session.window / 2
    return show_open(env, session)


def _create_words(words: Sequence[str], body: str) -> dict[str, Any]:
    if not words:
        raise UsageError("Usage: create <filename>\n")
    return {"path": words[0]}


def _range(words: Sequence[str], body: str) -> dict[str, Any]:
    first = words[0] if words else ""
    if not re.fullmatch(r"[^:]+:[^:]+", first):
        return {"start_line": None, "end_line": None, "replacement": body}
    start, _, end = first.partition(":")
    return {"start_line": start, "end_line": end, "replacement": body}


def _path_and_range(words: Sequence[str], body: str) -> dict[str, Any]:
    if len(words) < 2:
        raise UsageError("Usage: edit <path> <start_line>:<end_line>\n")
    return {"path": words[0], **_range(words[1:], body)}


def _text(arguments: Mapping[str, Any]) -> str:
    import shlex

    path = f"{shlex.quote(arguments['path'])} " if arguments.get("path") else ""
    body = str(arguments["replacement"]).rstrip("\n")
    return f"edit {path}{arguments['start_line']}:{arguments['end_line']}\n{body}\n{END}"


def _edit_open(context: Context, start: Any, end: Any, body: str, codes: frozenset[str]) -> str | ToolResult:
    session = context.session
    if not session.open_file:
        return ToolResult(NO_FILE, failed_edit=True)
    if (usage := _numbers(start, end)) is not None:
        return ToolResult(usage, failed_edit=True)
    first, last = int(start), int(end)
    before = context.env.read(session.open_file)
    after, added = replaced(before, first, last, body)
    if refused := _check(session.open_file, before, after, first, last, added, codes):
        return ToolResult(refused, failed_edit=True)
    context.env.write(session.open_file, after)
    session.line = first - 1
    return show_open(context.env, session) + UPDATED


def _edit_path(
    context: Context, path: str, start: Any, end: Any, body: str, codes: frozenset[str]
) -> str | ToolResult:
    if (usage := _numbers(start, end)) is not None:
        return ToolResult(usage, failed_edit=True)
    first, last = int(start), int(end)
    try:
        before = context.env.read(path)
    except OSError:
        return ToolResult(f"File {path} not found\n", failed_edit=True)
    name = context.env.resolve(path)
    after, added = replaced(before, first, last, body)
    if refused := _check(name, before, after, first, last, added, codes):
        return ToolResult(refused, failed_edit=True)
    context.env.write(path, after)
    return _around(name, after, first - 1 + added // 2, added + 10) + UPDATED


def _numbers(start: Any, end: Any) -> str | None:
    usage = "Usage: edit <start_line>:<end_line>\n"
    if start is None:
        return usage
    for name, value in (("start_line", start), ("end_line", end)):
        if not re.fullmatch(r"\d+", str(value)):
            return f"{usage}Error: {name} must be a number\n"
    return f"{usage}Error: line numbers start at 1\n" if int(start) < 1 else None


def replaced(data: bytes, start: int, end: int, body: str) -> tuple[bytes, int]:
    """``data`` with lines ``start``..``end`` (1-based) replaced, and the number of lines put there. All other bytes
    stay as they are; new lines end as the file's lines end."""
    lines = _split(data)
    newline = b"\r\n" if lines and lines[0].endswith(b"\r\n") else b"\n"
    new = [line.encode("utf-8", "surrogateescape") + newline for line in body.split("\n")]
    head, tail = lines[: start - 1], lines[end:]
    if head and not head[-1].endswith(b"\n"):
        head[-1] += newline
    return b"".join([*head, *new, *tail]), len(new)


def _split(data: bytes) -> list[bytes]:
    parts = data.split(b"\n")
    lines = [part + b"\n" for part in parts[:-1]]
    return [*lines, parts[-1]] if parts[-1] else lines


def _check(
    path: str, before: bytes, after: bytes, start: int, end: int, added: int, codes: frozenset[str]
) -> str | None:
    if not codes or not path.endswith(".py"):
        return None
    old, new = (data.decode("utf-8", "backslashreplace") for data in (before, after))
    problems = introduced(old, new, start, end, added, codes)
    if not problems:
        return None
    errors = "\n".join(p.shown for p in problems)
    return (
        f"{REJECTED}\nERRORS:\n{errors}\n\nThis is how your edit would have looked if applied\n{RULE}\n"
        f"{_around(path, after, added // 2 + start - 1, added + 10)}{RULE}\n\n"
        f"This is the original code before your edit\n{RULE}\n"
        f"{_around(path, before, int((end - start + 2) / 2) + start - 1, end - start + 11)}{RULE}\n{AFTERWARDS}"
    )


def _around(path: str, data: bytes, centre: float, window: int) -> str:
    lines = lines_of(data)
    return show(path, lines, constrain(centre, len(lines), window), window)
