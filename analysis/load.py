"""Experiments as pandas tables."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.compact import EPISODES, STEPS, TEXTS, compacted, concat, records
from analysis.rows import EPISODE_TYPES, STEP_TYPES, TEXT_TYPES
from runner.errors import UserError
from runner.records import Cell, cells

if TYPE_CHECKING:
    import pandas as pd


def episodes(folder: Path) -> pd.DataFrame:
    """One row per episode of an experiment folder or a cell folder (columns: ``analysis.rows.EPISODE_TYPES``).

    Compacted copies are used where they are up to date, else the records.

    Raises:
        UserError: no such folder, or a record that cannot be read.
    """
    return concat((_cell_episodes(cell) for cell in _cells(folder)), EPISODE_TYPES)


def steps(folder: Path, *, text: bool = False) -> pd.DataFrame:
    """One row per step (columns: ``analysis.rows.STEP_TYPES``; with ``text`` also ``TEXT_TYPES``).

    Raises:
        UserError: no such folder, or a record that cannot be read.
    """
    types = STEP_TYPES | (TEXT_TYPES if text else {})
    return concat((_cell_steps(cell, text=text) for cell in _cells(folder)), types)


def experiment_folder(outputs: Path, experiment: str) -> Path:
    """``outputs/experiment``.

    Raises:
        UserError: there is none; names the nearest, or all there are.
    """
    folder = outputs / experiment
    if folder.is_dir() and next(cells(folder), None) is not None:
        return folder
    names = experiments(outputs)
    if not names:
        raise UserError(
            f"{outputs}: no experiment {experiment!r}; none is recorded here (paths.outputs=DIR looks elsewhere)"
        )
    near = difflib.get_close_matches(experiment, names, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(names)}"
    raise UserError(f"{outputs}: no experiment {experiment!r}; {hint}")


def experiments(outputs: Path) -> list[str]:
    """Names of the experiments recorded below ``outputs``."""
    if not outputs.is_dir():
        return []
    return sorted(p.name for p in outputs.iterdir() if p.is_dir() and next(cells(p), None) is not None)


def _cells(folder: Path) -> list[Cell]:
    if (folder / "cell.yaml").is_file():
        return [Cell(folder)]
    if not folder.is_dir():
        raise UserError(f"{folder}: no such folder; give an experiment or a cell of one")
    return list(cells(folder))


def _cell_episodes(cell: Cell) -> pd.DataFrame:
    import pandas as pd

    copy = compacted(cell.folder, EPISODES)
    if copy is not None:
        return copy
    rows, _ = records(cell.folder, with_steps=False)
    return pd.DataFrame(rows, columns=list(EPISODE_TYPES))


def _cell_steps(cell: Cell, *, text: bool) -> pd.DataFrame:
    import pandas as pd

    copy = compacted(cell.folder, STEPS)
    if copy is not None and text:
        texts = compacted(cell.folder, TEXTS)
        key = ["fingerprint", "instance_id", "repeat", "step"]
        copy = None if texts is None else copy.merge(texts, on=key, how="left", validate="one_to_one")
    if copy is not None:
        return copy
    _, rows = records(cell.folder)
    return pd.DataFrame(rows, columns=[*STEP_TYPES, *(TEXT_TYPES if text else {})])
