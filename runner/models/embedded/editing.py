"""A change of some lines, said as a call of whichever editor the composed ACI has: by what its parameters are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aci_plugins.tool import Tool

_CONTEXT = 3


@dataclass(frozen=True, slots=True)
class Change:
    """Lines ``first`` to ``last`` of ``path`` become ``new``.

    Attributes:
        seen: the lines of the file that are known, by number.
        total: how many it has; None if that is not known.
        window: the lines that the viewer shows now.
    """

    path: str
    first: int
    last: int
    new: Sequence[str]
    seen: Mapping[int, str]
    total: int | None
    window: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Editor:
    """The tool that changes text.

    Attributes:
        kind: ``lines`` (a range of lines), ``text`` (a text by another), ``window``, ``file`` or ``diff``.
    """

    tool: Tool
    kind: str

    @classmethod
    def among(cls, tools: Sequence[Tool]) -> Editor | None:
        """The editor of an ACI; None if it has none."""
        for tool in tools:
            if tool.edits and (kind := _kind({p.name for p in tool.parameters})):
                return cls(tool, kind)
        return None

    @property
    def on_open_file(self) -> bool:
        """Whether it changes the open file, and names none."""
        return self.kind != "diff" and not {"path", "filename"} & {p.name for p in self.tool.parameters}

    @property
    def checks_syntax(self) -> bool:
        """Whether it says that it refuses edits with syntax errors."""
        return "syntax" in self.tool.description.lower()

    def call(self, change: Change) -> dict[str, Any] | None:
        """The arguments that make the change; None if too little of the file is known for this editor."""
        if self.kind != "lines" and not all(n in change.seen for n in range(change.first, change.last + 1)):
            return None
        made = _WAYS[self.kind](change)
        if made is None:
            return None
        names = [p.name for p in self.tool.parameters]
        if "path" in names:
            made["path"] = change.path
        if "command" in names:
            made["command"] = "str_replace"
        return {name: made[name] for name in names if name in made}


def _kind(names: set[str]) -> str:
    """What an editor with these parameters changes ("" if it is none)."""
    if {"start_line", "end_line", "text"} <= names:
        return "lines"
    if {"old_str", "new_str"} <= names or {"search", "replace"} <= names:
        return "text"
    if names == {"diff"}:
        return "diff"
    if names == {"text"}:
        return "window"
    return "file" if names == {"path", "text"} else ""


def _replaced(rows: Sequence[str], number: int, change: Change) -> list[str]:
    """``rows``, of which the first is line ``number``, after the change."""
    return [*rows[: change.first - number], *change.new, *rows[change.last + 1 - number :]]


def _lines(change: Change) -> dict[str, Any]:
    text = "\n".join(change.new)
    return {"start_line": change.first, "end_line": change.last, "text": text}


def _text(change: Change) -> dict[str, Any] | None:
    """With as many lines around it as make it unique among what is known."""
    known = "\n" + "\n".join(change.seen[n] for n in sorted(change.seen)) + "\n"
    low, high = change.first, change.last
    while True:
        old = [change.seen[n] for n in range(low, high + 1)]
        new = _replaced(old, low, change)
        if new and old and any(old) and known.count("\n".join(old)) == 1:
            break
        above, below = low - 1 in change.seen, high + 1 in change.seen
        if not above and not below:
            return None
        low, high = low - above, high + below
    before, after = "\n".join(old), "\n".join(new)
    return {"old_str": before, "new_str": after, "search": before, "replace": after}


def _window(change: Change) -> dict[str, Any] | None:
    if not all(n in change.window for n in range(change.first, change.last + 1)):
        return None
    numbers = sorted(change.window)
    return {"text": "\n".join(_replaced([change.window[n] for n in numbers], numbers[0], change))}


def _file(change: Change) -> dict[str, Any] | None:
    if change.total is None or not all(n in change.seen for n in range(1, change.total + 1)):
        return None
    rows = [change.seen[n] for n in range(1, change.total + 1)]
    return {"text": "\n".join(_replaced(rows, 1, change)) + "\n"}


def _diff(change: Change) -> dict[str, Any]:
    above: list[str] = []
    below: list[str] = []
    for n in range(change.first - 1, change.first - 1 - _CONTEXT, -1):
        if n not in change.seen:
            break
        above.insert(0, f" {change.seen[n]}")
    for n in range(change.last + 1, change.last + 1 + _CONTEXT):
        if n not in change.seen:
            break
        below.append(f" {change.seen[n]}")
    old = [f"-{change.seen[n]}" for n in range(change.first, change.last + 1)]
    new = [f"+{row}" for row in change.new]
    start, size = change.first - len(above), len(above) + len(below)
    header = f"@@ -{start},{size + len(old)} +{start},{size + len(new)} @@"
    name = [f"--- a/{change.path}", f"+++ b/{change.path}"]
    return {"diff": "\n".join([*name, header, *above, *old, *new, *below]) + "\n"}


_WAYS: Mapping[str, Callable[[Change], dict[str, Any] | None]] = {
    "lines": _lines,
    "text": _text,
    "window": _window,
    "file": _file,
    "diff": _diff,
}
