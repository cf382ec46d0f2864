"""The paper's file viewer: open, goto, scroll_down, scroll_up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from aci_plugins.plugin import plugin
from aci_plugins.tool import Context, Tool, UsageError, tool
from aci_plugins.viewer.window import OVERLAP, constrain, lines_of, show, show_open

NO_FILE = "No file open. Use the open command first.\n"
WHOLE_FILE = 1_000_000


@plugin
class Windowed:
    """open, goto, scroll_down and scroll_up on a window.

    Attributes:
        window: lines shown at a time; None shows the whole file.
        warn_after_scrolls: from this many scroll commands in a row on, a hint is added; None adds none.
    """

    window: int | None = 100
    warn_after_scrolls: int | None = None

    @property
    def size(self) -> int:
        """Lines shown at a time, also for the whole file."""
        return self.window or WHOLE_FILE

    def tools(self) -> tuple[Tool, ...]:
        """open, goto, scroll_down, scroll_up (the last three only where there is something to move)."""
        shown = f"{self.window} lines" if self.window else "the whole file"
        patience = self.warn_after_scrolls

        def scroll_down(context: Context) -> str:
            """Move the window down by {shown}."""
            return _scroll(context, +1, patience)

        def scroll_up(context: Context) -> str:
            """Move the window up by {shown}."""
            return _scroll(context, -1, patience)

        moves = (
            tool(goto, "goto <line_number>", words=_one_line),
            tool(scroll_down, "scroll_down", words=_no_words, shown=shown),
            tool(scroll_up, "scroll_up", words=_no_words, shown=shown),
        )
        return (tool(open_, 'open "<path>" [<line_number>]', words=_open_words, shown=shown), *moves)


@plugin
class NoViewer:
    """No viewer: files are read with cat, head, sed -n …"""

    @property
    def window(self) -> None:
        return None

    @property
    def size(self) -> int:
        return 0

    def tools(self) -> tuple[Tool, ...]:
        """None."""
        return ()


def open_(context: Context, path: str, line_number: str | None = None) -> str:
    """Open a file in the viewer, which shows {shown}; with a line number, the window is moved so that the line is near its top.

    Args:
        path: the file to open
        line_number: the line to move the window to
    """
    env, session = context.env, context.session
    kind = env.exists(path)
    if kind == "directory":
        return (
            f"Error: {path} is a directory. You can only open files. Use cd or ls to navigate directories.\n"
        )
    if kind is None:
        return f"File {path} not found\n"
    total = len(lines_of(env.read(path)))
    warning, centre = "", session.window / 2
    if line_number is not None:
        if not re.fullmatch(r"-?\d+", str(line_number)):
            return 'Usage: open "<file>" [<line_number>]\nError: <line_number> must be a number\n'
        line = int(line_number)
        if line > total:
            warning = (
                f"Warning: <line_number> ({line}) is greater than the number of lines in the file ({total})\n"
                f"Warning: Setting <line_number> to {total}\n"
            )
            line = total
        elif line < 1:
            warning = f"Warning: <line_number> ({line}) is less than 1\nWarning: Setting <line_number> to 1\n"
            line = 1
        centre = max(1, line + session.window / 2 - session.window // 6)
    session.open_file = env.resolve(path)
    session.line = centre
    return warning + show_open(env, session)


def goto(context: Context, line_number: int) -> str:
    """Move the window of the open file so that the line is near its top.

    Args:
        line_number: the line to move to
    """
    session, given = context.session, str(line_number)
    if not session.open_file:
        return NO_FILE
    if not given:
        return "Usage: goto <line>\n"
    if not re.fullmatch(r"\d+", given):
        return "Usage: goto <line>\nError: <line> must be a number\n"
    total = len(lines_of(context.env.read(session.open_file)))
    if int(given) > total:
        return f"Error: <line> must be less than or equal to {total}\n"
    session.line = max(1, int(given) + session.window / 2 - session.window // 6)
    return show_open(context.env, session)


def _scroll(context: Context, direction: int, patience: int | None) -> str:
    session = context.session
    if not session.open_file:
        return NO_FILE
    lines = lines_of(context.env.read(session.open_file))
    moved = session.line + direction * (session.window - OVERLAP)
    session.line = constrain(moved, len(lines), session.window)
    session.scrolls += 1
    shown = show(session.open_file, lines, session.line, session.window)
    if patience is None or session.scrolls < patience:
        return shown
    return shown + (
        f"WARNING: You have scrolled {session.scrolls} times in a row. "
        "Searching for a name, or goto with a line number, gets you there with fewer commands.\n"
    )


def _open_words(words: Sequence[str], body: str) -> dict[str, Any]:
    if not words:
        raise UsageError('Usage: open "<file>"\n')
    return {"path": words[0], "line_number": words[1] if len(words) > 1 else None}


def _no_words(words: Sequence[str], body: str) -> dict[str, Any]:
    return {}


def _one_line(words: Sequence[str], body: str) -> dict[str, Any]:
    if len(words) > 1:
        raise UsageError("goto allows only one line number at a time.\n")
    return {"line_number": words[0] if words else ""}
