"""The paper's file viewer: a window of some lines that is moved over the open file.

Window arithmetic, messages and their order follow SWE-agent 0.7 (arXiv 2405.15793v3, Table 4); the window is
kept as its centre, a 1-based line number.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor
from typing import Any

from pydantic import Field

from aci_plugins.files import TextFile
from aci_plugins.plugin import plugin
from aci_plugins.tool import Context, Tool, UsageError, number, tool

NO_FILE = "No file open. Use the open command first."


@plugin
class Windowed:
    """Shows ``window`` lines at a time.

    Attributes:
        window: number of lines.
        overlap: lines that stay in sight when scrolling.
        warn_after_scrolls: from which scroll command in a row on a warning is added; None for never.
    """

    window: int = Field(default=100, ge=1)
    overlap: int = Field(default=2, ge=0)
    warn_after_scrolls: int | None = Field(default=3, ge=1)

    def tools(self, search_file: bool) -> tuple[Tool, ...]:
        """open, goto, scroll_down, scroll_up; ``search_file``: whether that command can be recommended."""
        step = max(1, self.window - self.overlap)

        def scroll(context: Context, lines: int) -> str:
            session = context.session
            _require_file(context)
            session.scrolls += 1
            shown = move(context, session.line + lines)
            if self.warn_after_scrolls is None or session.scrolls < self.warn_after_scrolls:
                return shown
            return shown + _scroll_warning(search_file)

        def scroll_down(context: Context) -> str:
            """Moves the window down by {step} lines, so that the lines after those in sight are shown."""
            return scroll(context, step)

        def scroll_up(context: Context) -> str:
            """Moves the window up by {step} lines, so that the lines before those in sight are shown."""
            return scroll(context, -step)

        fill = {"window": self.window, "step": step}
        return (
            tool(
                open_file, name="open", signature='open "<path>" [<line_number>]', reader=read_open, fill=fill
            ),
            tool(goto, signature="goto <line_number>", reader=_read_goto, fill=fill),
            tool(scroll_down, reader=_ignore_words, fill=fill),
            tool(scroll_up, reader=_ignore_words, fill=fill),
        )


def open_file(context: Context, path: str, line_number: int | None = None) -> str:
    """Opens a file and shows {window} lines of it. With a line number, the window is moved so that this line is
    in it.

    Args:
        path: the file to open
        line_number: the line to move the window to (default: the beginning)
    """
    env, session = context.env, context.session
    kind = env.exists(path)
    warning = ""
    total = len(TextFile.of(env.read(path)).lines) if kind == "file" else 0
    if line_number is None:
        centre = session.window / 2
    elif kind == "file" and line_number > total:
        warning = (
            f"Warning: <line_number> ({line_number}) is greater than the number of lines in the file ({total})\n"
            f"Warning: Setting <line_number> to {total}\n"
        )
        centre = total
    elif line_number < 1:
        warning = (
            f"Warning: <line_number> ({line_number}) is less than 1\nWarning: Setting <line_number> to 1\n"
        )
        centre = 1
    else:
        centre = _centre_for(line_number, session.window)
    if kind == "directory":
        return (
            f"Error: {path} is a directory. You can only open files. Use cd or ls to navigate directories.\n"
        )
    if kind is None:
        return f"File {path} not found\n"
    session.open_file = env.resolve(path)
    return warning + move(context, centre)


def goto(context: Context, line_number: int) -> str:
    """Moves the window of the open file so that the given line is in it.

    Args:
        line_number: the line to move the window to
    """
    _require_file(context)
    session = context.session
    total = len(_opened(context).lines)
    if line_number > total:
        return f"Error: <line> must be less than or equal to {total}\n"
    return move(context, _centre_for(line_number, session.window))


def move(context: Context, centre: float) -> str:
    """Put the window of the open file at ``centre``, as far as the file allows, and show it."""
    session, file = context.session, _opened(context)
    if session.window == 0:
        session.line = 0
        return whole(session.open_file, file)
    session.line = _plain(constrained(centre, len(file.lines), session.window))
    return shown(session.open_file, file, session.line, session.window)


def shown(path: str, file: TextFile, centre: float, window: int) -> str:
    """The window of ``window`` lines around ``centre``, as text."""
    total, half = len(file.lines), window / 2
    above = max(0, floor(centre - half))
    below = max(0, floor(total - centre - half + 0.5))
    first, last = rows_in_sight(total, centre, window)
    rows = [header(path, total)]
    rows += [f"({above} more lines above)"] if above else []
    rows += numbered(file, first, last)
    rows += [f"({below} more lines below)"] if below else []
    return "\n".join(rows) + "\n"


def rows_in_sight(total: int, centre: float, window: int) -> tuple[int, int]:
    """First and last line of the window (0 for whole files) around ``centre`` of a file of ``total`` lines."""
    if window == 0:
        return 1, total
    half = window / 2
    last = min(total, floor(max(centre + half, half)))
    return max(1, last - window + 1), last


def show_line(context: Context, line: int) -> str:
    """Show the window of the open file; it is moved only if ``line`` is not in sight."""
    session = context.session
    total = len(_opened(context).lines)
    first, last = rows_in_sight(total, session.line, session.window)
    return move(context, session.line if first <= line <= last else _centre_for(line, session.window))


def whole(path: str, file: TextFile) -> str:
    """All lines, as text."""
    total = len(file.lines)
    return "\n".join([header(path, total), *numbered(file, 1, total)]) + "\n"


def header(path: str, total: int) -> str:
    """The line above the rows of a file."""
    return f"[File: {path} ({total} lines total)]"


def numbered(file: TextFile, first: int, last: int) -> list[str]:
    """Rows ``first`` to ``last``, each with its number."""
    return [f"{n}:{row}" for n, row in enumerate(file.rows(first, last), first)]


def constrained(centre: float, total: int, window: int) -> float:
    """The centre nearest to ``centre`` that leaves no empty place below the last line, if there are enough."""
    half = window // 2
    return max(min(centre, total - half), half)


def read_open(context: Context | None, words: Sequence[str], body: str | None) -> dict[str, Any]:
    """Words of ``open``; more than two are ignored, as the paper's command does."""
    if not words or not words[0]:
        raise UsageError('Usage: open "<file>"')
    if len(words) == 1 or not words[1]:
        return {"path": words[0]}
    line = number(words[1])
    if line is None:
        raise UsageError('Usage: open "<file>" [<line_number>]\nError: <line_number> must be a number')
    return {"path": words[0], "line_number": line}


def _read_goto(context: Context | None, words: Sequence[str], body: str | None) -> dict[str, Any]:
    if len(words) > 1:
        raise UsageError("goto allows only one line number at a time.")
    if context is not None:
        _require_file(context)
    if not words or not words[0]:
        raise UsageError("Usage: goto <line>")
    line = number(words[0])
    if line is None:
        raise UsageError("Usage: goto <line>\nError: <line> must be a number")
    return {"line_number": line}


def _ignore_words(context: Context | None, words: Sequence[str], body: str | None) -> dict[str, Any]:
    return {}


def _require_file(context: Context) -> None:
    if not context.session.open_file:
        raise UsageError(NO_FILE)


def _opened(context: Context) -> TextFile:
    """The open file as it is now: commands may have changed it."""
    return TextFile.of(context.env.read(context.session.open_file))


def _centre_for(line: int, window: int) -> float:
    return floor(max(line + window / 2 - window // 6, 1))


def _plain(value: float) -> float:
    return int(value) if value == int(value) else value


def _scroll_warning(search_file: bool) -> str:
    lines = ["", "WARNING: Scrolling many times in a row is very inefficient."]
    if search_file:
        lines.append("If you know what you are looking for, use `search_file <pattern>` instead.")
    return "\n".join([*lines, ""]) + "\n"
