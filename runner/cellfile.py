"""Writes ``cell.yaml`` and the sweep's record."""

from __future__ import annotations

import fcntl
import platform
import shlex
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import yaml

from runner.benchmarks.base import Instance
from runner.compose.cell import Cell, labels
from runner.records import SCHEMA, cells, dump_yaml, write_atomic
from runner.say import note
from runner.secrets import redact

RECORDED_PACKAGES = ("acilab", "hydra-core", "omegaconf", "litellm", "mlflow", "pandas", "jinja2", "flake8")


def write_cell(cell: Cell, instances: Sequence[Instance]) -> None:
    """Write ``cell.yaml``. Instances of earlier runs of the same cell stay listed."""
    path = cell.folder / "cell.yaml"
    ids = [i.instance_id for i in instances]
    created, repeats = _now(), cell.repeats
    if path.is_file():
        before = yaml.safe_load(path.read_text("utf-8"))
        created, repeats = before["created_at"], max(repeats, before["repeats"])
        ids = [*before["instances"], *(i for i in ids if i not in set(before["instances"]))]
    meta = {
        "schema": SCHEMA,
        "fingerprint": cell.fingerprint,
        "experiment": cell.experiment,
        "label": cell.label,
        "tuple": cell.tuple,
        "choices": cell.choices,
        "overrides": list(cell.overrides),
        "digests": cell.digests,
        "prices": _prices(cell.model),
        "environment": cell.environment.facts(),
        "versions": versions(),
        "git": git_state(),
        "created_at": created,
        "repeats": repeats,
        "instances": ids,
        "config": cell.config,
    }
    write_atomic(path, redact(dump_yaml(meta)))


def write_sweep(started: Sequence[Cell]) -> None:
    """Write ``sweeps/<id>.yaml``. Jobs of Hydra's other launchers share an id and add their cell to it."""
    first = started[0]
    path = first.outputs / first.experiment / "sweeps" / f"{first.sweep}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        known = yaml.safe_load(path.read_text("utf-8"))["cells"] if path.is_file() else []
        seen = {c["fingerprint"] for c in known}
        rows = known + [
            {"fingerprint": c.fingerprint, "label": "", "overrides": list(c.overrides)}
            for c in started
            if c.fingerprint not in seen
        ]
        for row, label in zip(rows, labels([row["overrides"] for row in rows]), strict=True):
            row["label"] = label
        record: dict[str, Any] = {
            "schema": SCHEMA,
            "id": first.sweep,
            "started_at": _now(),
            "command": redact(shlex.join(["acilab", "run", *sys.argv[1:]])),
            "baseline": rows[0]["fingerprint"] if len(rows) > 1 else None,
            "cells": rows,
        }
        write_atomic(path, dump_yaml(record))
        Path(lock.name).unlink()


def note_relatives(cell: Cell) -> None:
    """Say why an earlier cell with the same config is not continued: which digest differs."""
    if (cell.folder / "cell.yaml").exists() or not cell.folder.parent.is_dir():
        return
    for other in cells(cell.folder.parent):
        meta = other.meta
        if meta["config"] == cell.config and meta["choices"] == cell.choices:
            mine = {**cell.digests, **cell.digests["parts"]}
            theirs = {**meta["digests"], **meta["digests"]["parts"]}
            changed = sorted(k for k in mine if k != "parts" and mine[k] != theirs.get(k))
            note(
                f"note: {other.folder.name} has the same config, but the source or files of "
                f"{', '.join(changed)} changed since; its results stay, this cell runs anew"
            )


@cache
def versions() -> dict[str, str]:
    """Versions of Python and of the packages that matter for a result."""
    found = {"python": platform.python_version()}
    for name in RECORDED_PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


@cache
def git_state() -> dict[str, Any]:
    """Commit of acilab's own source and whether it has uncommitted changes; empty outside a clone."""
    top = Path(__file__).parent.parent
    if not (top / ".git").exists():
        return {}
    ask = ["git", "-C", str(top)]
    commit = subprocess.run([*ask, "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    status = subprocess.run([*ask, "status", "--porcelain"], capture_output=True, text=True, check=False)
    if commit.returncode:
        return {}
    return {"commit": commit.stdout.strip(), "dirty": bool(status.stdout.strip())}


def _prices(model: Any) -> str | None:
    """Digest of the price table that the model's costs are computed with, if it has one."""
    table = getattr(model, "price_table_digest", None)
    return table() if callable(table) else None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
