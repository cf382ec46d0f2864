"""Whole runs: resume after a kill, replay, budgets, secrets."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from runner.records import cells, read_trajectory, sweeps
from tests.acilab import ROOT, acilab, command, environment, table

SWEEP = [
    "run",
    "-m",
    "aci/editor=lint,none",
    "benchmark.slice=0:3",
    "budget.steps=12",
    "experiment_name=kill",
]


def _grades(outputs: Path) -> dict[str, float]:
    return {str(p.relative_to(outputs)): p.stat().st_mtime_ns for p in outputs.rglob("grade.json")}


def _comparable(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    # notes name the sweep, whose id is its time of start
    return [{k: v for k, v in row.items() if "notes" not in k} for row in rows]


def test_kill_and_continue(tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    done = acilab(*SWEEP, f"paths.outputs={whole}", "executor.workers=2")
    assert done.returncode == 0, done.stderr
    process = subprocess.Popen(
        command(*SWEEP, f"paths.outputs={cut}", "executor.workers=1", "tracking=none"),
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    while len(_grades(cut)) < 2 and process.poll() is None:
        try:
            process.wait(0.05)
        except subprocess.TimeoutExpired:
            continue
    process.send_signal(signal.SIGKILL)
    process.communicate()
    before = _grades(cut)
    assert 2 <= len(before) < 6
    again = acilab(*SWEEP, f"paths.outputs={cut}", "executor.workers=2")
    assert again.returncode == 0, again.stderr
    after = _grades(cut)
    assert len(after) == 6
    assert {k: after[k] for k in before} == before, "a finished episode was run again"
    assert _comparable(table(cut, "kill")) == _comparable(table(whole, "kill"))
    assert f"{len(before)} were finished before" in again.stdout


def test_cell_of_another_sweep_is_not_run_again(tmp_path: Path) -> None:
    one = ["run", "model=noop", "benchmark.slice=0:2", f"paths.outputs={tmp_path}", "tracking=none"]
    assert acilab(*one).returncode == 0
    before = _grades(tmp_path)
    done = acilab(*one[:1], "-m", *one[1:], "aci/editor=lint,none")
    assert done.returncode == 0, done.stderr
    after = _grades(tmp_path)
    assert len(after) == 4
    assert {k: after[k] for k in before} == before
    assert len(sweeps(tmp_path / "default")) == 2


def test_replay_gives_the_same_observations_and_submissions(tmp_path: Path) -> None:
    first = acilab(
        "run", "benchmark.slice=0:2", f"paths.outputs={tmp_path}", "experiment_name=first", "tracking=none"
    )
    assert first.returncode == 0, first.stderr
    (recorded,) = cells(tmp_path / "first")
    again = acilab(
        "run",
        "model=replay",
        f"model.path={recorded.folder}",
        "benchmark.slice=0:2",
        f"paths.outputs={tmp_path}",
        "experiment_name=again",
        "tracking=none",
    )
    assert again.returncode == 0, again.stderr
    (replayed,) = cells(tmp_path / "again")
    pairs = list(zip(recorded.episodes(), replayed.episodes(), strict=True))
    assert len(pairs) == 2
    for a, b in pairs:
        assert [s["observation"] for s in a.trajectory().steps] == [
            s["observation"] for s in b.trajectory().steps
        ]
        assert (a.folder / "submission.patch").read_text() == (b.folder / "submission.patch").read_text()


@pytest.mark.parametrize(
    ("limit", "status"),
    [
        ("budget.steps=2", "exit_steps"),
        ("budget.tokens=100", "exit_tokens"),
        ("budget.seconds=0.001", "exit_time"),
    ],
)
def test_limits_end_an_episode(tmp_path: Path, limit: str, status: str) -> None:
    done = acilab("run", "benchmark.slice=0:1", limit, f"paths.outputs={tmp_path}", "tracking=none")
    assert done.returncode == 0, done.stderr
    (cell,) = cells(tmp_path / "default")
    (episode,) = cell.episodes()
    end = episode.trajectory().end
    assert end is not None
    assert status in end["exit_status"]
    assert end["submitted"] == end["exit_status"].startswith("submitted")


def test_gold_is_resolved_and_noop_is_not(tmp_path: Path) -> None:
    for model, expected in (("gold", True), ("noop", False)):
        done = acilab(
            "run",
            f"model={model}",
            "benchmark.slice=0:3",
            f"paths.outputs={tmp_path}",
            f"experiment_name={model}",
            "tracking=none",
        )
        assert done.returncode == 0, done.stderr
        (cell,) = cells(tmp_path / model)
        verdicts = [e.grade["resolved"] for e in cell.episodes() if e.grade]
        assert verdicts == [expected] * 3


def test_no_key_is_written_anywhere(tmp_path: Path) -> None:
    key = "sk-dummy-0123456789-do-not-write"
    done = acilab(
        "run",
        "model=litellm",
        "model.name=openai/gpt-4o",
        "model.api_base=http://127.0.0.1:9/v1",
        "model.retries=0",
        "benchmark.slice=0:1",
        f"paths.outputs={tmp_path}",
        env={"OPENAI_API_KEY": key, "SOME_TOKEN": key},
    )
    assert done.returncode == 1, done.stderr
    assert key not in done.stdout + done.stderr
    written = [p for p in tmp_path.rglob("*") if p.is_file()]
    assert any(p.name == "error.json" for p in written)
    assert [p for p in written if key.encode() in p.read_bytes()] == []


def test_hydras_own_launcher_works(tmp_path: Path) -> None:
    done = acilab(
        "run",
        "-m",
        "hydra/launcher=basic",
        "model=noop",
        "aci/editor=lint,none",
        "benchmark.slice=0:1",
        f"paths.outputs={tmp_path}",
        "tracking=none",
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert len(list(cells(tmp_path / "default"))) == 2
    (sweep,) = sweeps(tmp_path / "default")
    assert [c["label"] for c in sweep["cells"]] == ["aci/editor=lint", "aci/editor=none"]


def test_trajectory_survives_a_kill(tmp_path: Path) -> None:
    folder = tmp_path / "episode"
    folder.mkdir()
    lines = [
        json.dumps({"type": "header", "schema": 1}),
        json.dumps({"type": "step", "step": 1}),
        '{"type": "st',
    ]
    (folder / "trajectory.jsonl").write_text("\n".join(lines))
    read = read_trajectory(folder)
    assert [s["step"] for s in read.steps] == [1]
    assert read.end is None


def test_root_has_no_stray_outputs() -> None:
    assert not (ROOT / "multirun").exists()
