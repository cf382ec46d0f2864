"""The commands as a user gives them, in a process of their own."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from tests.analysis.factory import PATCH, ids, paper_like, write_sweep
from tests.analysis.test_ablation_table import simple


def acilab(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    root = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONUTF8": "1"}
    command = [sys.executable, "-m", "runner.cli", *arguments]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A working directory with an ``outputs`` folder and another one of another name."""
    home = tmp_path_factory.mktemp("home")
    paper_like(home / "outputs", "lab")
    write_sweep(home / "elsewhere", "lab", simple(("", [0]), ("aci/editor=none", [1])))
    write_sweep(home / "elsewhere", "second", simple(("", [0, 1])))
    return home


def test_table_prints_the_default_outputs_as_text(folder: Path) -> None:
    result = acilab("table", "lab", cwd=folder)
    assert result.returncode == 0, result.stderr
    assert "editor (baseline: lint)" in result.stdout
    assert "\x1b" not in result.stdout


@pytest.mark.parametrize(
    "place", [["paths.outputs=elsewhere"], ["--format", "json", "paths.outputs=elsewhere"]]
)
def test_table_looks_where_it_is_told(folder: Path, place: list[str]) -> None:
    result = acilab("table", *place, "lab", "--format", "json", cwd=folder)
    assert result.returncode == 0, result.stderr
    rows = json.loads(result.stdout)
    assert [row["label"] for row in rows] == ["baseline", "aci/editor=none"]


def test_table_takes_an_override_as_baseline(folder: Path) -> None:
    result = acilab("table", "lab", "--baseline", "aci/editor=none", "--format", "json", cwd=folder)
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)[0]["tuple"]["aci"].startswith("swe_agent@")
    assert "aci/editor: none → lint" in json.loads(result.stdout)[1]["differs"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["table", "labb"], "did you mean 'lab'"),
        (["table"], "the following arguments are required: experiment"),
        (["table", "lab", "--format", "xml"], "invalid choice: 'xml'"),
        (["table", "lab", "--layout", "round"], "invalid choice: 'round'"),
        (["table", "lab", "path.outputs=x"], "did you mean paths.outputs=…?"),
        (["table", "lab", "paths.outputs=nowhere"], "none is recorded here"),
        (["table", "lab", "--baseline", "abc"], "fits no cell"),
        (["table", "lab", "--sweep", "1999"], "no sweep '1999'"),
        (["table", "lab", "other"], "one experiment at a time"),
        (["show", "nothing"], "no episode 'nothing'"),
        (["show", "lab/zzzz/repo__bug-00"], "no cell's fingerprint begins with 'zzzz'"),
        (["show", "repo__bug-00"], "9 episodes fit; give one of: lab/"),
        (["show"], "the following arguments are required: episode"),
    ],
)
def test_mistakes_end_in_one_clear_line_and_exit_code_2(
    folder: Path, arguments: list[str], message: str
) -> None:
    result = acilab(*arguments, cwd=folder)
    assert result.returncode == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_show_prints_every_step_the_grade_and_the_patch(folder: Path) -> None:
    cell = next(p for p in (folder / "elsewhere/lab").iterdir() if p.name != "sweeps")
    result = acilab("show", f"lab/{cell.name[:5]}/{ids(3)[2]}", "paths.outputs=elsewhere", cwd=folder)
    assert result.returncode == 0, result.stderr
    for number in range(1, 7):
        assert f"── step {number} " in result.stdout
    for text in (
        "[bold]total()[/bold] is off by one",
        "$ open src/app.py 1",
        "malformed answer, nothing ran",
        "blocked, nothing ran",
        "edit refused or failed",
        "22 more lines (--full shows them)",
        "$0.0417",
        "submitted: the model submitted",
        "not resolved",
        "failed  tests/test_app.py::test_total",
        "1 of 2 tests passed",
        "+new",
    ):
        assert text in result.stdout
    assert "\x1b" not in result.stdout


def test_show_full_elides_nothing(folder: Path) -> None:
    result = acilab("show", "second/" + ids(1)[0], "paths.outputs=elsewhere", "--full", cwd=folder)
    cell = next(p for p in (folder / "elsewhere/second").iterdir() if p.name != "sweeps")
    result = acilab("show", str(cell / "episodes" / ids(1)[0] / "0"), "--full", cwd=folder)
    assert result.returncode == 0, result.stderr
    assert "│ 20:line" in result.stdout
    assert "You are …" in result.stdout
    assert "more lines" not in result.stdout


def test_show_finds_an_instance_that_only_one_episode_has(folder: Path) -> None:
    where = ["--experiment", "second", "paths.outputs=elsewhere"]
    result = acilab("show", ids(1)[0], *where, "--json", cwd=folder)
    assert result.returncode == 0, result.stderr
    record = json.loads(result.stdout)
    assert record["header"]["instance_id"] == ids(1)[0]
    assert record["submission"] == PATCH
    assert record["grade"]["resolved"] is True
    near = acilab("show", "repo__bug-99", *where, cwd=folder)
    assert "did you mean repo__bug-0" in near.stderr
    assert "has no repeat 3" in acilab("show", ids(1)[0] + "/3", *where, cwd=folder).stderr


def test_show_an_episode_that_failed_before_its_first_step(folder: Path) -> None:
    cell = next(p for p in (folder / "elsewhere/second").iterdir() if p.name != "sweeps")
    episode = cell / "episodes/unlucky/0"
    episode.mkdir(parents=True)
    failure = {"exit_status": "exit_environment", "message": "no sandbox", "at": "now"}
    (episode / "error.json").write_text(json.dumps(failure), "utf-8")
    result = acilab("show", str(episode), cwd=folder)
    assert result.returncode == 0, result.stderr
    assert "infrastructure failure, no grade: exit_environment: no sandbox" in result.stdout


def on_a_terminal(folder: Path, *arguments: str) -> bytes:
    """What a command shows when its stdout is a terminal (of 80 columns)."""
    root = Path(__file__).resolve().parents[2]
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (24, 80))
    environment = {**os.environ, "PYTHONPATH": str(root), "TERM": "xterm-256color", "PAGER": "cat"}
    environment.pop("NO_COLOR", None)
    command = [sys.executable, "-m", "runner.cli", *arguments]
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=slave, stderr=slave) as process:
        os.close(slave)
        shown = b""
        while True:
            try:
                chunk = os.read(master, 4096)
            except OSError:  # how Linux says that the other side has closed
                break
            if not chunk:
                break
            shown += chunk
    os.close(master)
    assert process.returncode == 0, shown
    return shown


def test_on_a_terminal_the_table_has_colour_and_fits(folder: Path) -> None:
    shown = on_a_terminal(folder, "table", "lab", "paths.outputs=elsewhere")
    assert b"\x1b[1m" in shown
    assert b"left out on this narrow terminal" in shown
    table = shown.decode().split("\r\n\r\n")[0]
    assert all(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) <= 80 for line in table.split("\r\n"))


def test_on_a_terminal_a_trajectory_is_paged_with_colour(folder: Path) -> None:
    shown = on_a_terminal(folder, "show", f"second/{ids(1)[0]}", "paths.outputs=elsewhere").decode()
    assert "\x1b[1;36m$ open src/app.py 1" in shown
    assert "\x1b[32m+new" in shown
