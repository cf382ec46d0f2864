"""A window on a file, as SWE-agent 0.7 prints and moves it (arXiv 2405.15793v3, section 3 and Table 4).

The session keeps the centre of the window, 1-based, possibly fractional for odd windows.
"""

from __future__ import annotations

from math import floor

from aci_plugins.environment import Environment
from aci_plugins.session import Session

OVERLAP = 2


def lines_of(data: bytes) -> list[str]:
    """The file's lines as shown: split at newlines only, undecodable bytes escaped, no carriage returns removed."""
    text = data.decode("utf-8", "backslashreplace")
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return lines


def constrain(centre: float, total: int, window: int) -> float:
    """Keep the window inside the file."""
    half = window // 2
    return max(min(centre, total - half), half)


def show(path: str, lines: list[str], centre: float, window: int) -> str:
    """The window around ``centre`` with the counts of lines above and below."""
    total = len(lines)
    above = floor(max(0, centre - window / 2))
    below = floor(max(0, total - centre - window / 2) + 0.5)
    head = floor(max(centre + window / 2, window / 2))
    rows = [f"{n}:{text}" for n, text in enumerate(lines[:head], 1)][-window:]
    parts = [f"[File: {path} ({total} lines total)]"]
    if above > 0:
        parts.append(f"({above} more lines above)")
    parts += rows
    if below > 0:
        parts.append(f"({below} more lines below)")
    return "\n".join(parts) + "\n"


def show_open(env: Environment, session: Session) -> str:
    """The window of the open file; moves it inside the file first."""
    lines = lines_of(env.read(session.open_file))
    session.line = constrain(session.line, len(lines), session.window)
    return show(session.open_file, lines, session.line, session.window)
