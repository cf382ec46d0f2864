"""The table of an ablation: one row per cell, each compared with its baseline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from analysis.attribution import AXES, Change, confounded, differences, name
from analysis.cells import Summary, baselines, choose_baseline, read_cells
from analysis.load import experiment_folder
from analysis.reference import references
from analysis.render import render as render
from analysis.stats import compare, holm, minimal_detectable_effect, rate_interval

GROUPS = {
    "aci/editor": "editor",
    "aci/search": "search",
    "aci/viewer": "file viewer",
    "aci/history": "context",
    "prompt/demonstration": "context",
    "aci/format": "answer format",
    "aci": "interface (ACI)",
}
"""Headings of the paper's Table 3, and ours; any other part is its own heading."""

NOT_A_LANGUAGE_MODEL = {
    "embedded": "model 'embedded' is a rule-based baseline, not a language model",
    "gold": "model 'gold' submits the reference patch: it checks the grader and is no result",
    "noop": "model 'noop' submits nothing: it checks the grader and is no result",
    "replay": "model 'replay' repeats recorded actions: it is no independent result",
    "human": "model 'human' is a person at a terminal",
}


def ablation_table(
    outputs: Path, experiment: str, baseline: str | None = None, sweep: str | None = None
) -> list[dict[str, Any]]:
    """The rows of ``acilab table``: baseline first, then by group in the order of the sweep.

    Args:
        outputs: folder of all experiments.
        baseline: beginning of a fingerprint, a label or an override; see ``analysis.cells.choose_baseline``.
        sweep: an id, ``last``, ``all``, or None for all cells but superseded ones.

    Fields of a row (rates and differences are fractions 0..1, None is unknown or not applicable):
        fingerprint, label, group, tuple, differs (what differs from the row's baseline, [] for a baseline),
        confounded (more than one thing differs), baseline (fingerprint of the cell compared with; None when
        there is none of the same benchmark), settings (of everything that varies in the table), repeats;
        n (graded episodes), resolved (of these), errors (infrastructure failures, not in n), unfinished,
        instances (graded ones), rate, ci_low, ci_high;
        delta, delta_low, delta_high, p_value (exact, paired by instance), p_holm, pairs, dropped (instances that
        only one side has a result for);
        cost (mean US dollars per graded episode; None when any is unknown), total_cost (errors included),
        steps, tokens, failed_edits (means per graded episode), exit_statuses (counts);
        reference (the paper's number for the same options, or None), notes; the first row also has table_notes,
        which hold for the whole table.

    Raises:
        UserError: unknown experiment, sweep or baseline.
    """
    folder = experiment_folder(outputs, experiment)
    shown, records, hidden = read_cells(folder, sweep)
    main, why = choose_baseline(shown, records, baseline)
    homes = baselines(shown, main, explicit=baseline is not None)
    published = references([c.meta for c in shown])
    rows = []
    changes: dict[str, list[Change]] = {}
    for cell, reference in zip(shown, published, strict=True):
        home = homes[cell.fingerprint]
        changes[cell.fingerprint] = differences((home or main).meta, cell.meta)
        rows.append(_row(cell, home, changes[cell.fingerprint], reference))
    _adjust(rows)
    _settings(rows, shown, main)
    rows = _ordered(rows, main)
    rows[0]["table_notes"] = _table_notes(rows, shown, main, why, sweep, hidden)
    return rows


def _row(
    cell: Summary, home: Summary | None, changes: list[Change], reference: dict[str, Any] | None
) -> dict[str, Any]:
    graded, outcomes = cell.graded, cell.outcomes
    is_baseline = home is not None and home.fingerprint == cell.fingerprint
    n, resolved = len(graded), int(graded["resolved"].sum())
    low, high = rate_interval(outcomes) if n else (None, None)
    against = None if home is None or is_baseline else compare(outcomes, home.outcomes)
    row: dict[str, Any] = {
        "fingerprint": cell.fingerprint,
        "label": "baseline" if is_baseline else " ".join(c.override for c in changes) or cell.label,
        "group": "baseline" if is_baseline else _group(changes),
        "tuple": {axis: str((cell.meta.get("tuple") or {}).get(axis, "")) for axis in AXES},
        "benchmark": name(cell.meta, "benchmark"),
        "differs": [str(change) for change in changes],
        "confounded": confounded(changes),
        "baseline": home.fingerprint if home else None,
        "repeats": int(cell.meta.get("repeats") or 1),
        "n": n,
        "resolved": resolved,
        "errors": cell.errors,
        "unfinished": cell.unfinished,
        "instances": len(outcomes),
        "rate": resolved / n if n else None,
        "ci_low": low,
        "ci_high": high,
        "delta": 0.0 if is_baseline and n else against.delta if against else None,
        "delta_low": against.low if against else None,
        "delta_high": against.high if against else None,
        "p_value": against.p_value if against else None,
        "p_holm": None,
        "pairs": against.pairs if against else None,
        "better": against.better if against else None,
        "worse": against.worse if against else None,
        "dropped": against.dropped if against else None,
        "cost": _known(graded["cost"].mean(skipna=False)),
        "total_cost": _known(cell.frame["cost"].sum(skipna=False)),
        "steps": _known(graded["steps"].mean()),
        "tokens": _known((graded["input_tokens"] + graded["output_tokens"]).mean(skipna=False)),
        "failed_edits": _known(graded["failed_edits"].mean()),
        "exit_statuses": dict(Counter(graded["exit_status"].fillna("unknown")).most_common()),
        "served_models": sorted(
            {m for names in cell.frame["served_models"].dropna() for m in names.split(", ")}
        ),
        "reference": reference,
    }
    row["notes"] = _notes(cell, home, row)
    return row


def _notes(cell: Summary, home: Summary | None, row: dict[str, Any]) -> list[str]:
    """What a reader must know of this row before believing it."""
    notes = []
    if home is None:
        notes.append("another benchmark than the baseline's: not compared")
    if row["confounded"]:
        notes.append(f"confounded, {len(row['differs'])} things differ: {'; '.join(row['differs'])}")
    if row["unfinished"]:
        total = row["n"] + row["errors"] + row["unfinished"]
        notes.append(f"unfinished: {row['unfinished']} of {total} episodes to go")
    if row["errors"]:
        notes.append(f"{_count(row['errors'], 'episode')} ended in an infrastructure failure, not counted")
    if row["dropped"]:
        notes.append(
            f"{_count(row['dropped'], 'instance')} without a result on both sides left out of the comparison"
        )
    if row["pairs"] is None and home is not None and row["baseline"] != cell.fingerprint:
        notes.append("no instance in common with the baseline: not compared")
    if unknown := int(cell.graded["cost"].isna().sum()):
        notes.append(f"cost unknown for {unknown} of {_count(row['n'], 'episode')}")
    if home is not None and home.meta["digests"].get("model") == cell.meta["digests"].get("model"):
        theirs = sorted({m for names in home.frame["served_models"].dropna() for m in names.split(", ")})
        if row["served_models"] and theirs and row["served_models"] != theirs:
            notes.append(
                f"answered by {', '.join(row['served_models'])}, the baseline by {', '.join(theirs)}"
            )
    return notes


def _table_notes(
    rows: list[dict[str, Any]],
    shown: Sequence[Summary],
    main: Summary,
    why: str,
    sweep: str | None,
    hidden: int,
) -> list[str]:
    """What holds for the whole table; kept with its first row."""
    chosen = "" if sweep is None else f"; sweep: {sweep}"
    notes = [f"baseline {main.fingerprint[:12]}: {why}{chosen}"]
    kinds = {str(c.meta["choices"].get("model")) for c in shown}
    notes += [text for kind, text in NOT_A_LANGUAGE_MODEL.items() if kind in kinds]
    if hidden:
        notes.append(
            f"{_count(hidden, 'cell')} left out: run again later with the same configuration and other source or "
            "versions (--sweep all shows them)"
        )
    pairs = [r for r in rows if r["pairs"]]
    if pairs:
        size = round(sum(r["pairs"] for r in pairs) / len(pairs))
        share = sum(r["better"] + r["worse"] for r in pairs) / sum(r["pairs"] for r in pairs)
        smallest = minimal_detectable_effect(size, share)
        if smallest is None:
            notes.append(
                f"with {size} pairs, of which {share:.0%} differ, hardly any difference could be significant"
            )
        else:
            notes.append(
                f"with {size} pairs, of which {share:.0%} differ, a true difference below about "
                f"{100 * smallest:.0f} points is missed more often than one time in five"
            )
    return notes


def _adjust(rows: list[dict[str, Any]]) -> None:
    """Holm's correction over all comparisons of the table."""
    tested = [r for r in rows if r["p_value"] is not None]
    for row, adjusted in zip(tested, holm([r["p_value"] for r in tested]), strict=True):
        row["p_holm"] = adjusted


def _settings(rows: list[dict[str, Any]], shown: Sequence[Summary], main: Summary) -> None:
    """Per row, the option or value of everything that varies in the table."""
    changes = {c.fingerprint: differences(main.meta, c.meta) for c in shown}
    told = [change for found in changes.values() for change in found]
    usual = {change.key: change.before for change in told if change.after}
    for row in rows:
        own = {change.key: change.after for change in changes[row["fingerprint"]] if change.after}
        row["settings"] = usual | own


def _ordered(rows: list[dict[str, Any]], main: Summary) -> list[dict[str, Any]]:
    """Blocks of one baseline together, the main one first; within a block by group, as groups first appear."""
    blocks = list(dict.fromkeys([main.fingerprint, *(r["baseline"] for r in rows)]))
    groups = list(dict.fromkeys(["baseline", *(r["group"] for r in rows)]))
    # A cell that is the baseline of a block of its own stands at its head.
    return sorted(rows, key=lambda r: (blocks.index(r["baseline"]), groups.index(r["group"])))


def _group(changes: Sequence[Change]) -> str:
    if not changes:
        return "baseline"
    if len(changes) > 1:
        return "several changes"
    key = changes[0].key
    return GROUPS.get(key, key.replace("aci/", "").replace("/", " "))


def _known(value: Any) -> float | None:
    """NaN and NA are "unknown"."""
    import pandas as pd

    return None if pd.isna(value) else float(value)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
