"""The cells of an experiment, summed up, and which of them the others are compared with."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.attribution import AXES, comparable, differences, name
from analysis.load import episodes
from analysis.stats import Outcomes
from runner.errors import UserError
from runner.records import Cell, cells, sweeps

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Summary:
    """A cell and its episodes.

    Attributes:
        meta: its ``cell.yaml``.
        frame: its episodes (``analysis.load.episodes``).
        label: as its sweep recorded it, e.g. ``aci/editor=none``.
    """

    folder: Path
    meta: dict[str, Any]
    frame: pd.DataFrame
    label: str

    @property
    def fingerprint(self) -> str:
        return str(self.meta["fingerprint"])

    @property
    def graded(self) -> pd.DataFrame:
        return self.frame[self.frame["status"] == "graded"]

    @property
    def errors(self) -> int:
        """Episodes that ended in an infrastructure failure: no result."""
        return int((self.frame["status"] == "error").sum())

    @property
    def unfinished(self) -> int:
        """Episodes still to be run or under way."""
        repeats = range(int(self.meta.get("repeats") or 1))
        wanted = {(i, k) for i in self.meta.get("instances") or () for k in repeats}
        keys = zip(self.frame["instance_id"], self.frame["repeat"], strict=True)
        status = dict(zip(keys, self.frame["status"], strict=True))
        return sum(status.get(key, "unfinished") == "unfinished" for key in wanted | status.keys())

    @property
    def outcomes(self) -> Outcomes:
        """Per instance, whether each graded repeat was resolved. An instance is its id *and* its digest: two
        cells that saw different versions of one task are not paired."""
        found: dict[str, list[bool]] = defaultdict(list)
        graded = self.graded
        columns = (graded["instance_id"], graded["instance_digest"], graded["resolved"])
        for instance_id, digest, resolved in zip(*columns, strict=True):
            found[f"{instance_id}@{digest}"].append(bool(resolved))
        return found


def summary(cell: Cell, label: str = "") -> Summary:
    """Read one cell.

    Raises:
        UserError: a record cannot be read.
    """
    return Summary(cell.folder, cell.meta, episodes(cell.folder), label)


def read_cells(folder: Path, sweep: str | None) -> tuple[list[Summary], list[dict[str, Any]], int]:
    """The cells to show, in the order of their sweeps; their sweep records, oldest first; and how many are hidden.

    Args:
        sweep: an id (or its unique beginning), ``last``, ``all``, or None: all but superseded cells, those
            that were run again with the same configuration after a change of source or versions.

    Raises:
        UserError: no such sweep.
    """
    records = sweeps(folder)
    chosen = records if sweep in (None, "all") else [_sweep(folder, records, str(sweep))]
    order: dict[str, int] = {}
    labels: dict[str, str] = {}
    for record in chosen:
        for entry in record.get("cells") or ():
            order.setdefault(entry["fingerprint"], len(order))
            labels.setdefault(entry["fingerprint"], str(entry.get("label") or ""))
    found = []
    for cell in cells(folder):
        meta = cell.meta
        if sweep in (None, "all") or meta["fingerprint"] in order:
            found.append(
                Summary(cell.folder, meta, episodes(cell.folder), labels.get(meta["fingerprint"], ""))
            )
    found.sort(key=lambda c: (order.get(c.fingerprint, len(order)), str(c.meta.get("created_at") or "")))
    shown = found if sweep is not None else _current(found, records)
    return shown, chosen, len(found) - len(shown)


def choose_baseline(
    shown: Sequence[Summary], records: Sequence[dict[str, Any]], given: str | None
) -> tuple[Summary, str]:
    """The cell that the others are compared with, and why it is the one.

    ``given`` is the beginning of a fingerprint, a label, or an override such as ``aci/editor=none``. Without
    it: the baseline of the newest sweep that names one; else the cell whose options are those of most
    cells; among equals the first of its sweep.

    Raises:
        UserError: ``given`` fits no cell or several, or nothing decides; lists the candidates.
    """
    if given:
        return _given(shown, given), "as asked for"
    by_fingerprint = {c.fingerprint: c for c in shown}
    for record in reversed(records):
        if (named := by_fingerprint.get(str(record.get("baseline")))) is not None:
            return named, f"of sweep {record['id']}"
    best = most_typical(shown)
    if len(best) == 1:
        return best[0], "its options are those of most cells" if len(shown) > 1 else "the only cell"
    recorded = {entry["fingerprint"] for record in records for entry in record.get("cells") or ()}
    first = [c for c in best if c.fingerprint in recorded]
    if not first:
        raise UserError(f"which cell is the baseline? give --baseline: {_candidates(best)}")
    return first[0], "the first of its sweep; --baseline chooses another"


def most_typical(shown: Sequence[Summary]) -> list[Summary]:
    """The cells that agree with the most common option in as many config groups as any does."""
    groups = sorted({group for c in shown for group in _choices(c.meta)})
    counts = {group: Counter(str(c.meta["choices"].get(group)) for c in shown) for group in groups}

    def agreement(cell: Summary) -> int:
        return sum(counts[g][str(cell.meta["choices"].get(g))] == max(counts[g].values()) for g in groups)

    top = max(agreement(c) for c in shown)
    return [c for c in shown if agreement(c) == top]


def baselines(shown: Sequence[Summary], main: Summary, *, explicit: bool) -> dict[str, Summary | None]:
    """For each cell (by fingerprint) the one it is compared with; None when there is none.

    That is ``main``, except that a cell of another benchmark is compared within its own benchmark only, and, unless
    the baseline was given explicitly, a cell with another model (not just another temperature) *and* another change
    is compared with the cell that has the same model and is otherwise the baseline, if there is one: a table over
    several models is then one controlled ablation per model.
    """
    result: dict[str, Summary | None] = {}
    homes: dict[str, Summary] = {}
    for cell in shown:
        benchmark = str(cell.meta["digests"].get("benchmark"))
        if benchmark not in homes:
            rivals = [c for c in shown if comparable(c.meta, cell.meta)]
            homes[benchmark] = main if main in rivals else _nearest(rivals, main)
        home = homes[benchmark]
        if explicit:
            result[cell.fingerprint] = main if comparable(main.meta, cell.meta) else None
            continue
        axes = {change.axis for change in differences(home.meta, cell.meta)}
        mates = [
            c
            for c in shown
            if len(axes) > 1
            and name(cell.meta, "model") != name(home.meta, "model")
            and c.meta["digests"]["model"] == cell.meta["digests"]["model"]
            and {d.axis for d in differences(home.meta, c.meta)} == {"model"}
        ]
        result[cell.fingerprint] = mates[0] if mates else home
    return result


def _nearest(rivals: Sequence[Summary], main: Summary) -> Summary:
    """The cell that differs from ``main`` in the fewest things beside the benchmark."""
    return min(rivals, key=lambda c: len(differences(main.meta, c.meta)))


def _sweep(folder: Path, records: Sequence[dict[str, Any]], wanted: str) -> dict[str, Any]:
    if wanted == "last" and records:
        return records[-1]
    fitting = [r for r in records if str(r["id"]).startswith(wanted)]
    exact = [r for r in fitting if str(r["id"]) == wanted]
    if len(exact or fitting) == 1:
        return (exact or fitting)[0]
    ids = ", ".join(str(r["id"]) for r in (fitting or records)) or "none"
    raise UserError(
        f"{folder}: {'several sweeps begin with' if fitting else 'no sweep'} {wanted!r}; known: {ids}"
    )


def _current(found: list[Summary], records: Sequence[dict[str, Any]]) -> list[Summary]:
    """Without the cells whose configuration was run again later with other source or versions."""
    last_run = {e["fingerprint"]: n for n, r in enumerate(records) for e in r.get("cells") or ()}
    newest: dict[str, tuple[int, str]] = {}
    rank = {
        c.fingerprint: (last_run.get(c.fingerprint, -1), str(c.meta.get("created_at") or "")) for c in found
    }
    for cell in found:
        key = _configuration(cell.meta)
        newest[key] = max(newest.get(key, (-1, "")), rank[cell.fingerprint])
    return [c for c in found if rank[c.fingerprint] == newest[_configuration(c.meta)]]


def _configuration(meta: dict[str, Any]) -> str:
    """What a cell was asked to be, as text; which instances and where the data lies are left out."""
    whole = meta.get("config") or {}
    config = {name: whole.get(name) for name in (*AXES, "agent", "budget")}
    benchmark = dict(whole.get("benchmark") or {})
    for key in ("path", "slice", "ids", "filter"):
        benchmark.pop(key, None)
    return json.dumps([_choices(meta), config, benchmark], sort_keys=True, default=str)


def _choices(meta: dict[str, Any]) -> dict[str, str]:
    """The options that make a cell what it is: not where it runs or which file started it."""
    return {
        group: str(o)
        for group, o in meta["choices"].items()
        if group not in ("experiment", "executor", "tracking")
    }


def _given(shown: Sequence[Summary], given: str) -> Summary:
    wanted = given.strip()
    fitting = [c for c in shown if c.label == wanted or wanted in (c.meta.get("overrides") or ())]
    exact = [c for c in fitting if c.label == wanted]
    if not fitting and len(wanted) >= 4:
        fitting = [c for c in shown if c.fingerprint.startswith(wanted)]
    if len(exact or fitting) == 1:
        return (exact or fitting)[0]
    problem = "fits several cells" if fitting else "fits no cell"
    raise UserError(f"--baseline {given!r} {problem}; give one of: {_candidates(fitting or shown)}")


def _candidates(shown: Sequence[Summary]) -> str:
    labels = {c.fingerprint: c.label or " ".join(c.meta.get("overrides") or ()) or "baseline" for c in shown}
    return ", ".join(f"{fingerprint[:12]} ({label})" for fingerprint, label in labels.items())
