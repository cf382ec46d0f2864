from __future__ import annotations

import json
import shutil
from pathlib import Path

import pandas as pd
import pytest

from analysis import load
from analysis.compact import EPISODES, STEPS, TEXTS, compact, compacted
from analysis.rows import EPISODE_TYPES, STEP_TYPES, TEXT_TYPES
from runner.errors import UserError
from tests.analysis.factory import CellSpec, Outcome, ids, outcomes, paper_like, write_cell


@pytest.fixture
def cell(tmp_path: Path) -> Path:
    found = outcomes([0, 1], 4)
    found[ids(4)[2], 0] = Outcome(error=True, exit_status="exit_api", steps=2)
    found[ids(4)[3], 0] = Outcome(cut_off=True, steps=3, cost=None)
    fingerprint = write_cell(tmp_path, "lab", CellSpec("", found, ids(4), served_model="m-1"))
    return tmp_path / "lab" / fingerprint[:12]


def test_episodes_say_what_the_records_say(cell: Path) -> None:
    frame = load.episodes(cell).set_index("instance_id")
    first, second, third = (frame.loc[name] for name in (ids(4)[0], ids(4)[2], ids(4)[3]))
    assert (first["status"], first["resolved"], first["steps"], first["cost"]) == ("graded", True, 6, 0.25)
    assert (first["failed_edits"], first["format_errors"], first["blocked"]) == (1, 1, 1)
    assert (first["input_tokens"], first["output_tokens"], first["served_models"]) == (2100, 120, "m-1")
    assert (second["status"], second["error"], second["exit_status"]) == ("error", True, "exit_api")
    assert pd.isna(second["resolved"])
    assert (third["status"], third["steps"]) == ("unfinished", 3)
    assert pd.isna(third["cost"])
    assert dict(frame.reset_index()[list(EPISODE_TYPES)].dtypes.astype(str)) == EPISODE_TYPES


def test_steps_say_what_the_records_say(cell: Path) -> None:
    frame = load.steps(cell, text=True)
    assert len(frame) == 6 + 6 + 2 + 3
    assert list(frame.columns) == [*STEP_TYPES, *TEXT_TYPES]
    assert frame.loc[0, "observation"].startswith("0:line")
    assert frame.loc[0, "observation_chars"] == len(frame.loc[0, "observation"])
    assert list(load.steps(cell).columns) == list(STEP_TYPES)


def test_the_compacted_copies_hold_the_same(cell: Path) -> None:
    before = load.episodes(cell), load.steps(cell, text=True)
    compact(cell)
    shutil.move(cell / "episodes", cell / "gone")  # so that it is certain who answers
    pd.testing.assert_frame_equal(load.episodes(cell), before[0])
    pd.testing.assert_frame_equal(load.steps(cell, text=True), before[1])


def test_up_to_date_copies_are_used_and_left_alone(cell: Path) -> None:
    compact(cell)
    times = [(cell / name).stat().st_mtime_ns for name in (EPISODES, STEPS, TEXTS)]
    compact(cell)
    assert [(cell / name).stat().st_mtime_ns for name in (EPISODES, STEPS, TEXTS)] == times
    assert compacted(cell, EPISODES) is not None


def test_a_new_grade_makes_the_copies_stale(cell: Path) -> None:
    compact(cell)
    grade = cell / "episodes" / ids(4)[0] / "0" / "grade.json"
    content = json.loads(grade.read_text("utf-8")) | {"resolved": False}
    grade.write_text(json.dumps(content), "utf-8")
    assert compacted(cell, EPISODES) is None
    assert load.episodes(cell)["resolved"].sum() == 1
    compact(cell)
    assert compacted(cell, EPISODES) is not None


def test_a_damaged_copy_is_read_from_the_records(cell: Path) -> None:
    compact(cell)
    (cell / EPISODES).write_bytes((cell / EPISODES).read_bytes()[:-50])
    assert len(load.episodes(cell)) == 4
    compact(cell)
    assert len(pd.read_parquet(cell / EPISODES)) == 4


def test_nothing_but_the_copies_is_left_behind(cell: Path) -> None:
    compact(cell)
    assert {path.name for path in cell.iterdir()} == {"cell.yaml", EPISODES, "episodes", STEPS, TEXTS}


def test_an_experiment_is_all_its_cells(tmp_path: Path) -> None:
    prints = paper_like(tmp_path)
    frame = load.episodes(tmp_path / "lab")
    assert set(frame["fingerprint"]) == set(prints)
    assert len(frame) == 9 * 12 - 1
    assert load.episodes(tmp_path / "lab").dtypes.equals(
        load.episodes(tmp_path / "lab" / prints[0][:12]).dtypes
    )


def test_a_cell_without_episodes_gives_an_empty_table_with_columns(tmp_path: Path) -> None:
    fingerprint = write_cell(tmp_path, "lab", CellSpec())
    cell = tmp_path / "lab" / fingerprint[:12]
    compact(cell)
    assert list(load.episodes(cell).columns) == list(EPISODE_TYPES)
    assert load.steps(cell).empty


def test_a_broken_line_is_one_clear_line(cell: Path) -> None:
    path = cell / "episodes" / ids(4)[0] / "0" / "trajectory.jsonl"
    lines = path.read_text("utf-8").split("\n")
    path.write_text("\n".join([lines[0], '{"broken', *lines[1:]]), "utf-8")
    with pytest.raises(UserError, match=r"trajectory\.jsonl: line 2 is not JSON") as raised:
        load.episodes(cell)
    assert "\n" not in str(raised.value)


def test_an_unknown_experiment_names_the_nearest(tmp_path: Path) -> None:
    paper_like(tmp_path, "table3", count=4)
    with pytest.raises(UserError, match="did you mean 'table3'"):
        load.experiment_folder(tmp_path, "tabel3")
    with pytest.raises(UserError, match="known: table3"):
        load.experiment_folder(tmp_path, "something")
    with pytest.raises(UserError, match="none is recorded here"):
        load.experiment_folder(tmp_path / "nowhere", "lab")
