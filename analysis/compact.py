"""Parquet copies of a cell's records: quick to read, never the truth, rebuilt at any time."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.rows import EPISODE_TYPES, STEP_TYPES, TEXT_TYPES, episode_row, read, step_rows
from runner.errors import UserError
from runner.records import Cell

if TYPE_CHECKING:
    import pandas as pd

EPISODES, STEPS, TEXTS = "episodes.parquet", "steps.parquet", "steps_text.parquet"
_SOURCE = b"acilab.source"
_VERSION = "1"  # counts up when a column changes, so that older copies are rebuilt


def compact(cell_folder: Path) -> None:
    """Write ``episodes.parquet``, ``steps.parquet`` and ``steps_text.parquet`` into ``cell_folder``.

    Each file holds its old or its new content, never half. Copies that are up to date are left alone.

    Raises:
        UserError: a record cannot be read.
    """
    stamp = source_stamp(cell_folder)
    if all(_stamp_of(cell_folder / name) == stamp for name in (EPISODES, STEPS, TEXTS)):
        return
    rows, steps = records(cell_folder)
    key = ["fingerprint", "instance_id", "repeat", "step"]
    _write(rows, EPISODE_TYPES, cell_folder / EPISODES, stamp)
    _write(steps, STEP_TYPES, cell_folder / STEPS, stamp)
    _write(steps, {name: STEP_TYPES[name] for name in key} | TEXT_TYPES, cell_folder / TEXTS, stamp)


def records(
    cell_folder: Path, *, with_steps: bool = True
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Episode rows and step rows of a cell, read from its records."""
    cell = Cell(cell_folder)
    fingerprint = str(cell.meta["fingerprint"])
    rows: list[dict[str, Any]] = []
    steps: list[dict[str, Any]] = []
    for episode in cell.episodes():
        trajectory = read(episode)
        rows.append(episode_row(fingerprint, episode, trajectory))
        if with_steps:
            steps.extend(step_rows(fingerprint, episode, trajectory))
    return rows, steps


def compacted(cell_folder: Path, name: str) -> pd.DataFrame | None:
    """The copy ``name`` if it is present and says what the records say now, else None.

    A cell folder that came without its episodes (they are large) is read from its copies alone.
    """
    import pandas as pd
    import pyarrow as pa

    path = cell_folder / name
    stamp = _stamp_of(path)
    if stamp is None or (has_episodes(cell_folder) and stamp != source_stamp(cell_folder)):
        return None
    try:
        return pd.read_parquet(path)
    except pa.ArrowInvalid as error:
        if has_episodes(cell_folder):
            return None  # a damaged copy: the records are still there
        raise UserError(f"{path}: damaged ({error}), and the records it was made from are gone") from error


def has_episodes(cell_folder: Path) -> bool:
    """True when the records themselves are here."""
    return (cell_folder / "episodes").is_dir()


def source_stamp(cell_folder: Path) -> str:
    """A digest of the names, sizes and times of all record files of a cell: it changes when a record does."""
    digest = hashlib.sha256(_VERSION.encode())
    for episode in Cell(cell_folder).episodes():
        for name in ("trajectory.jsonl", "submission.patch", "grade.json", "error.json"):
            try:
                stat = (episode.folder / name).stat()
            except FileNotFoundError:
                continue
            digest.update(
                f"{episode.instance_id}/{episode.repeat}/{name} {stat.st_size} {stat.st_mtime_ns}\n".encode()
            )
    return digest.hexdigest()


def typed(frame: pd.DataFrame, types: dict[str, str]) -> pd.DataFrame:
    """``frame`` with the pandas types of ``types``; None becomes NA or NaN."""
    return frame.astype(types)


def concat(frames: Iterable[pd.DataFrame], types: dict[str, str]) -> pd.DataFrame:
    """All ``frames`` below each other, typed; an empty table with the right columns for none."""
    import pandas as pd

    parts = [typed(frame, types) for frame in frames]
    if not parts:
        return typed(pd.DataFrame(columns=list(types)), types)
    return pd.concat(parts, ignore_index=True)


def _stamp_of(path: Path) -> str | None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        metadata = pq.read_schema(path).metadata or {}
    except (FileNotFoundError, pa.ArrowInvalid):
        return None
    found = metadata.get(_SOURCE)
    return found.decode() if found else None


def _write(rows: list[dict[str, Any]], types: dict[str, str], path: Path, stamp: str) -> None:
    # Arrow alone: every run compacts, and importing pandas costs more than the rest of it.
    import pyarrow as pa
    import pyarrow.parquet as pq

    arrow = {"string": pa.string(), "float64": pa.float64(), "bool": pa.bool_(), "boolean": pa.bool_()}
    columns = [(name, arrow.get(kind, pa.int64())) for name, kind in types.items()]
    schema = pa.schema(columns, metadata={_SOURCE: stamp.encode()})
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), part, compression="zstd")
    part.replace(path)
