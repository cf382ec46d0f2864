"""How the rows of a table stand on the page: sheets of headed columns, whatever they are printed as."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

Row = dict[str, Any]
LAYOUTS = ("auto", "ablation", "systems", "grid")
AXIS_KEYS = ("model", "prompt", "aci", "environment")
MEASURES = (
    "resolved %",
    "95 % CI",
    "Δ",
    "95 % CI of Δ",
    "p",
    "p Holm",
    "paper %",
    "cost $",
    "steps",
    "n",
    "errors",
)
OPTIONAL = ("95 % CI of Δ", "p Holm", "paper %", "steps", "95 % CI")
"""Columns that a terminal too narrow for all does without, in this order."""


@dataclass(frozen=True)
class Line:
    """One line of a sheet. ``tone``: "" or ``baseline``, ``better``, ``worse``, ``confounded``."""

    cells: list[str]
    tone: str = ""


@dataclass(frozen=True)
class Sheet:
    """A table ready to print.

    Attributes:
        columns: headings; the first ``words`` of them hold text and stand left, the others right.
        sections: (heading, lines); a heading may be "".
    """

    columns: list[str]
    words: int
    sections: list[tuple[str, list[Line]]] = field(default_factory=list)


def sheets(rows: Sequence[Row], layout: str) -> tuple[list[Sheet], list[str]]:
    """The sheets of a layout, and the numbered footnotes that their lines refer to.

    Layouts: ``ablation`` groups variants by the part that changed (Table 3 of the SWE-agent paper), ``systems``
    names what varies in columns (its Table 1), ``grid`` lays a full grid out over rows and columns (its Table 5) with
    the systems below; ``auto`` takes ``grid`` for a full grid, ``systems`` when whole axes vary, else
    ``ablation``.
    """
    marks = _Marks()
    chosen = automatic(rows) if layout == "auto" else layout
    if chosen == "ablation":
        made = [_ablation(rows, marks)]
    elif chosen == "systems":
        made = [_systems(rows, marks)]
    else:
        made = [_grid(rows), _systems(rows, marks)]
    return made, marks.texts


def automatic(rows: Sequence[Row]) -> str:
    """The layout that fits what varies."""
    if len({row["baseline"] for row in rows}) > 1:
        return "ablation"  # the only one that says which baseline a row is compared with
    keys = list(rows[0]["settings"])
    if len(keys) >= 2 and _is_grid(rows, keys):
        return "grid"
    return "systems" if any(key in AXIS_KEYS for key in keys) else "ablation"


class _Marks:
    """Numbers of footnotes, equal texts sharing one."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def of(self, row: Row) -> str:
        numbers = []
        for text in row["notes"]:
            if text not in self.texts:
                self.texts.append(text)
            numbers.append(self.texts.index(text) + 1)
        return " ".join(f"[{n}]" for n in sorted(numbers))


def _ablation(rows: Sequence[Row], marks: _Marks) -> Sheet:
    sheet = Sheet(["variant", *MEASURES], words=1)
    by_print = {row["fingerprint"]: row for row in rows}
    for row in rows:
        heading = "" if row["group"] == "baseline" else row["group"]
        home = by_print.get(row["baseline"])
        if heading and home is not None:
            heading += _usual(row, home, rows)
        if home is not None and home is not rows[0]:
            heading = f"{_short(home)}: {heading or 'baseline'}"
        line = Line([_label(row, marks), *_measures(row)], _tone(row))
        if sheet.sections and sheet.sections[-1][0] == heading:
            sheet.sections[-1][1].append(line)
        else:
            sheet.sections.append((heading, [line]))
    return sheet


def _systems(rows: Sequence[Row], marks: _Marks) -> Sheet:
    keys = list(rows[0]["settings"])
    sheet = Sheet([*(keys or ["cell"]), "", *MEASURES], words=max(len(keys), 1) + 1)
    lines = []
    for row in rows:
        names = [str(row["settings"][key]) for key in keys] or [row["label"]]
        told = " ".join(
            filter(None, ["baseline" if row["label"] == "baseline" else "", _state(row), marks.of(row)])
        )
        lines.append(Line([*names, told, *_measures(row)], _tone(row)))
    sheet.sections.append(("", lines))
    return sheet


def _grid(rows: Sequence[Row]) -> Sheet:
    """Resolved % with its interval and the paper's number, one cell of the grid per cell of the table."""
    keys = list(rows[0]["settings"])
    across = "model.temperature" if "model.temperature" in keys else keys[-1]
    down = [key for key in keys if key != across]
    columns = list(dict.fromkeys(row["settings"][across] for row in rows))
    places = {(tuple(r["settings"][k] for k in down), r["settings"][across]): r for r in rows}
    sheet = Sheet([*down, *(f"{across}={value}" for value in columns)], words=len(down))
    lines = [
        Line([*names, *(_in_grid(places.get((names, value))) for value in columns)])
        for names in dict.fromkeys(tuple(r["settings"][k] for k in down) for r in rows)
    ]
    sheet.sections.append(("resolved % [95 % CI]", lines))
    return sheet


def _is_grid(rows: Sequence[Row], keys: Sequence[str]) -> bool:
    values = [{row["settings"][key] for row in rows} for key in keys]
    places = {tuple(row["settings"][key] for key in keys) for row in rows}
    return len(rows) == len(places) == prod(len(v) for v in values) and all(len(v) > 1 for v in values)


def _in_grid(row: Row | None) -> str:
    if row is None or row["rate"] is None:
        return "–"
    paper = f" (paper {_percent(row['reference']['rate'])})" if row["reference"] else ""
    return f"{_percent(row['rate'])} {_interval(row['ci_low'], row['ci_high'])}{paper}"


def _usual(row: Row, home: Row, rows: Sequence[Row]) -> str:
    """What the baseline has where the variants of this group differ from it: " (baseline: lint)"."""
    group = [r for r in rows if r["group"] == row["group"] and r["baseline"] == row["baseline"]]
    if row["confounded"]:
        return ""
    told = dict.fromkeys(entry.split(" → ")[0] for r in group for entry in r["differs"] if " → " in entry)
    values = [
        entry.split(": ", 1)[-1] if len(told) == 1 else _part(entry).replace(": ", " ") for entry in told
    ]
    return f" (baseline: {', '.join(values)})" if values else ""


def _part(key: str) -> str:
    """``aci/editor=none`` as ``editor=none``: the heading says the rest."""
    return key.removeprefix("aci/").removeprefix("prompt/")


def _label(row: Row, marks: _Marks) -> str:
    label = row["label"] if row["confounded"] else _part(row["label"])
    return " ".join(filter(None, [label, _state(row), marks.of(row)]))


def _state(row: Row) -> str:
    states = [name for name in ("confounded", "unfinished") if row[name]]
    return f"({', '.join(states)})" if states else ""


def _short(row: Row) -> str:
    """How a further baseline is called in headings."""
    return f"{row['tuple']['model'].rpartition('@')[0] or row['tuple']['model']} on {row['benchmark']}"


def _tone(row: Row) -> str:
    if row["group"] == "baseline":
        return "baseline"
    if row["confounded"]:
        return "confounded"
    if row["p_holm"] is not None and row["p_holm"] < 0.05:
        return "better" if row["delta"] > 0 else "worse"
    return ""


def _measures(row: Row) -> list[str]:
    paper = row["reference"]
    is_baseline = row["group"] == "baseline"
    return [
        _percent(row["rate"]),
        _interval(row["ci_low"], row["ci_high"]),
        "" if is_baseline else _signed(row["delta"]),
        "" if is_baseline else _interval(row["delta_low"], row["delta_high"], signed=True),
        _p(row["p_value"]),
        _p(row["p_holm"]),
        (_percent(paper["rate"]) + (f" ({_signed(paper['delta'])})" if paper["delta"] else ""))
        if paper
        else "",
        _money(row["cost"], row["n"]),
        "–" if row["steps"] is None else f"{row['steps']:.1f}",
        str(row["n"]),
        str(row["errors"]),
    ]


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"


def _signed(value: float | None) -> str:
    if value is None:
        return "–"
    points = round(100 * value, 1) or 0.0
    return f"{'+' if points > 0 else '−' if points < 0 else ''}{abs(points):.1f}"


def _interval(low: float | None, high: float | None, *, signed: bool = False) -> str:
    if low is None or high is None:
        return ""
    show = _signed if signed else _percent
    return f"[{show(low)}, {show(high)}]"


def _p(value: float | None) -> str:
    if value is None:
        return ""
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def _money(value: float | None, n: int) -> str:
    if value is None:
        return "unknown" if n else "–"
    return f"{value:.2f}" if value >= 0.1 or value == 0 else f"{value:.4f}"
