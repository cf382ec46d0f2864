"""What the run of a cell, and of a sweep, says: params, tags, metrics and artifacts, all from the records."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runner.records import Cell
from runner.tracking.names import PARAM_LIMIT, TAG_LIMIT, flat, keys, split_long

if TYPE_CHECKING:
    from analysis.cells import Summary

PLUMBING = ("paths", "executor", "tracking", "experiment", "experiment_name")
"""Config nodes that say where and how fast, not what: they may differ when a cell is continued, and MLflow's params
can never change. ``cell.yaml`` has them."""

_VERSION = "1"  # counts up when a run says something else, so that `acilab sync` rewrites it


@dataclass(frozen=True)
class Content:
    """Everything one run holds. ``stamp`` changes when any of it may have; times are milliseconds since 1970."""

    name: str
    stamp: str
    started: int
    ended: int
    status: str
    params: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    metrics: dict[str, float] = field(default_factory=dict)
    artifacts: dict[str, bytes] = field(default_factory=dict)


def cell_content(cell: Cell, traces: str) -> Content:
    """The run of one cell. Compacts its records first, since the copy is one of the artifacts."""
    from analysis.cells import summary
    from analysis.compact import EPISODES, compact

    compact(cell.folder)
    summed = summary(cell)
    meta = summed.meta
    config = {k: v for k, v in meta["config"].items() if k not in PLUMBING}
    params, long = split_long(keys(dict(flat(config))), PARAM_LIMIT)
    artifacts = {path: text.encode() for path, text in long.items()}
    artifacts["cell.yaml"] = (cell.folder / "cell.yaml").read_bytes()
    artifacts[EPISODES] = (cell.folder / EPISODES).read_bytes()
    artifacts |= _predictions(cell, str(meta["tuple"]["model"]))
    started, ended = _span(summed)
    metrics = _metrics(summed)
    tags = _tags(meta)
    told = [_VERSION, traces, metrics, tags, params, artifacts["cell.yaml"].decode()]
    return Content(
        name=str(meta.get("label") or meta["fingerprint"][:12]),
        stamp=hashlib.sha256(json.dumps([*told, _source(cell)], sort_keys=True).encode()).hexdigest(),
        started=started,
        ended=ended,
        status=_status(summed),
        params=params,
        tags=tags,
        metrics=metrics,
        artifacts=artifacts,
    )


def sweep_content(
    outputs: Path, experiment: str, record: Mapping[str, Any], present: Sequence[Cell]
) -> Content:
    """The parent run of a sweep: its table, its command, and sums over its cells."""
    from analysis.cells import summary
    from analysis.table import ablation_table, render

    summed = [summary(cell) for cell in present]
    artifacts = {"sweep.json": json.dumps(record, ensure_ascii=False, indent=1, default=str).encode()}
    if summed:
        rows = ablation_table(outputs, experiment, sweep=str(record["id"]))
        artifacts |= {
            "table.md": render(rows, "markdown").encode(),
            "table.json": render(rows, "json").encode(),
        }
    spans = [_span(s) for s in summed] or [(milliseconds(record.get("started_at")),) * 2]
    metrics = {
        "cells": float(len(record["cells"])),
        "n": float(sum(len(s.graded) for s in summed)),
        "resolved": float(sum(s.graded["resolved"].sum() for s in summed)),
        "errors": float(sum(s.errors for s in summed)),
        "unfinished": float(sum(s.unfinished for s in summed)),
    }
    statuses = {_status(s) for s in summed}
    return Content(
        name=f"sweep {record['id']}",
        stamp="",
        started=min(start for start, _ in spans),
        ended=max(end for _, end in spans),
        status="KILLED" if "KILLED" in statuses or len(summed) < len(record["cells"]) else "FINISHED",
        tags=_shared_tags([s.meta for s in summed])
        | {
            "acilab.command": str(record.get("command", ""))[:TAG_LIMIT],
            "acilab.baseline": str(record.get("baseline") or ""),
        },
        metrics=metrics,
        artifacts=artifacts,
    )


def _tags(meta: Mapping[str, Any]) -> dict[str, str]:
    """The tuple, every option, every digest, versions and commit, as one may want to filter by them."""
    tags = {
        "acilab.kind": "cell",
        "acilab.fingerprint": meta["fingerprint"],
        "acilab.label": meta.get("label") or "",
        "acilab.repeats": meta.get("repeats", 1),
    }
    choices = {group: option for group, option in meta["choices"].items() if group not in PLUMBING}
    tags |= {f"acilab.{group.replace('/', '.')}": option for group, option in choices.items()}
    tags |= {f"acilab.{axis}": named for axis, named in meta["tuple"].items()}
    digests = {k: v for k, v in meta["digests"].items() if k != "parts"} | (
        meta["digests"].get("parts") or {}
    )
    tags |= {f"acilab.digest.{name}": value for name, value in digests.items()}
    tags |= {f"acilab.version.{name}": value for name, value in (meta.get("versions") or {}).items()}
    tags |= {f"acilab.git.{name}": value for name, value in (meta.get("git") or {}).items()}
    if commit := (meta.get("git") or {}).get("commit"):
        tags["mlflow.source.git.commit"] = commit
    return {name: str(value)[:TAG_LIMIT] for name, value in keys(tags).items()}


def _shared_tags(metas: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The tags of a sweep's cells where they agree, else what they vary over."""
    own = ("acilab.kind", "acilab.fingerprint", "acilab.label")
    found = [_tags(meta) for meta in metas]
    names = dict.fromkeys(name for tags in found for name in tags if name not in own)
    values = {name: list(dict.fromkeys(tags.get(name, "") for tags in found)) for name in names}
    return {
        name: several[0] if len(several) == 1 else f"varies: {', '.join(several)}"[:TAG_LIMIT]
        for name, several in values.items()
    }


def _metrics(summed: Summary) -> dict[str, float]:
    """Sums and means over the graded episodes; what is unknown is left out, never 0."""
    from analysis.stats import rate_interval

    graded, n = summed.graded, len(summed.graded)
    found: dict[str, float | None] = {
        "n": n,
        "errors": summed.errors,
        "unfinished": summed.unfinished,
        "resolved": int(graded["resolved"].sum()),
        "cost_total": summed.frame["cost"].sum(skipna=False),
    }
    if n:
        low, high = rate_interval(summed.outcomes)
        tokens = graded["input_tokens"] + graded["output_tokens"]
        found |= {
            "resolved_rate": int(graded["resolved"].sum()) / n,
            "ci_low": low,
            "ci_high": high,
            "cost": graded["cost"].mean(skipna=False),
            "tokens": tokens.mean(skipna=False),
            "input_tokens": graded["input_tokens"].mean(skipna=False),
            "output_tokens": graded["output_tokens"].mean(skipna=False),
        }
        for name in ("steps", "seconds", "failed_edits", "format_errors", "blocked"):
            found[name] = graded[name].mean()
    for status, count in summed.frame["exit_status"].dropna().value_counts().items():
        found[f"exit.{status}"] = int(count)
    return {name: float(value) for name, value in keys(found).items() if _is_known(value)}


def _is_known(value: Any) -> bool:
    import pandas as pd

    return not pd.isna(value)


def _status(summed: Summary) -> str:
    """KILLED when episodes are missing, FAILED when there is not one result, else FINISHED."""
    if summed.unfinished:
        return "KILLED"
    return "FINISHED" if len(summed.graded) else "FAILED"


def _predictions(cell: Cell, model: str) -> dict[str, bytes]:
    """``preds.json`` as SWE-bench's harness takes it; repeats after the first in files of their own."""
    files: dict[str, dict[str, dict[str, str]]] = {}
    for episode in cell.episodes():
        patch = episode.submission
        if patch is None:
            continue
        name = "preds.json" if episode.repeat == 0 else f"preds.{episode.repeat}.json"
        files.setdefault(name, {})[episode.instance_id] = {
            "model_name_or_path": f"{model}+{cell.folder.name}",
            "instance_id": episode.instance_id,
            "model_patch": patch,
        }
    return {name: json.dumps(preds, ensure_ascii=False, indent=1).encode() for name, preds in files.items()}


def _span(summed: Summary) -> tuple[int, int]:
    """When the first episode began and the last one ended."""
    starts = list(_times(summed.frame["started_at"])) or [milliseconds(summed.meta.get("created_at"))]
    return min(starts), max(_times(summed.frame["ended_at"]), default=min(starts))


def _times(moments: Any) -> Iterator[int]:
    return (milliseconds(str(moment)) for moment in moments.dropna())


def milliseconds(moment: str | None) -> int:
    """Milliseconds since 1970 of an ISO time; now when there is none."""
    when = datetime.fromisoformat(moment) if moment else datetime.now(UTC)
    return int((when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp() * 1000)


def _source(cell: Cell) -> str:
    from analysis.compact import source_stamp

    return source_stamp(cell.folder)
