"""Finding one episode by what a person types."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path

from analysis.load import experiment_folder, experiments
from runner.errors import UserError
from runner.records import Cell, Episode, cells


def find_episode(outputs: Path, name: str, experiment: str | None = None) -> Episode:
    """The episode that ``name`` means.

    ``name`` is an episode's folder (or its trajectory file), or ``experiment/fingerprint/instance_id[/repeat]`` with
    a fingerprint cut anywhere, or leaves out what is not needed to tell: ``instance_id[/repeat]``,
    ``fingerprint/instance_id[/repeat]``. The repeat is 0 unless given.

    Raises:
        UserError: none, or several; lists them.
    """
    path = Path(name)
    folder = path.parent if path.name == "trajectory.jsonl" else path
    if (folder / "trajectory.jsonl").is_file() or (folder / "error.json").is_file():
        folder = folder.resolve()
        if not folder.name.isdigit():
            raise UserError(f"{name}: not where a record lies (…/episodes/<instance_id>/<repeat>)")
        return Episode(folder, folder.parent.name, int(folder.name))
    parts = [part for part in name.split("/") if part]
    repeat = int(parts.pop()) if len(parts) > 1 and parts[-1].isdigit() else 0
    if not 1 <= len(parts) <= 3:
        raise UserError(
            f"{name}: give experiment/fingerprint/instance_id[/repeat], an instance id, or a folder"
        )
    instance_id = parts[-1]
    prefix = parts[-2] if len(parts) > 1 else ""
    where = parts[0] if len(parts) == 3 else experiment
    found = _matching(_searched(outputs, where), prefix)
    episodes = [e for cell in found if (e := cell.episode(instance_id, repeat)).folder.is_dir()]
    if len(episodes) == 1:
        return episodes[0]
    if episodes:
        places = ", ".join(
            str(e.folder.relative_to(outputs)).replace("/episodes/", "/") for e in episodes[:8]
        )
        raise UserError(
            f"{name}: {len(episodes)} episodes fit; give one of: {places}{_more(len(episodes), 8)}"
        )
    raise UserError(f"{outputs}: no episode {name!r}{_hint(found, prefix, instance_id, repeat)}")


def _searched(outputs: Path, experiment: str | None) -> list[Cell]:
    if experiment is not None:
        return list(cells(experiment_folder(outputs, experiment)))
    return [cell for known in experiments(outputs) for cell in cells(outputs / known)]


def _matching(found: Sequence[Cell], prefix: str) -> list[Cell]:
    """Cells whose folder begins as ``prefix`` does: either may be the longer one."""
    return [c for c in found if c.folder.name.startswith(prefix[:12]) or prefix == c.folder.parent.name]


def _hint(found: Sequence[Cell], prefix: str, instance_id: str, repeat: int) -> str:
    if not found:
        return f"; no cell's fingerprint begins with {prefix!r}" if prefix else "; nothing is recorded here"
    known = sorted({e.instance_id for cell in found for e in cell.episodes()})
    if instance_id in known:
        return f"; {instance_id} has no repeat {repeat}"
    near = difflib.get_close_matches(instance_id, known, n=3)
    return (
        f"; did you mean {' or '.join(near)}?"
        if near
        else f"; known: {', '.join(known[:8])}{_more(len(known), 8)}"
    )


def _more(count: int, shown: int) -> str:
    return f" and {count - shown} more" if count > shown else ""
