"""What the original commands printed, replayed: SWE-agent 0.7's recorded outputs, and a few written by hand."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from runner.script import play
from tests.aci_plugins.panel import SHARED, compose, edit, node, panel

GOLDEN = SHARED / "data/aci_golden/golden_v0.7.0.json"
WINDOWS = {"window30": 30, "window1e6": 1_000_000}
# docs/deviations.md: the original's shell error, and the file system's order of find_file.
CLEANER = {"edit_ok/07": "Usage: edit <start_line>:<end_line>\nError: start_line must be at least 1\n"}
SORTED = {"find_file/06": "/repo/many/f099.txt\n/repo/many/f100.txt\n"}


def recorded() -> dict[str, list[dict[str, Any]]]:
    if not GOLDEN.is_file():
        return {}
    scenarios: dict[str, list[dict[str, Any]]] = {}
    for row in json.loads(GOLDEN.read_text("utf-8")):
        scenarios.setdefault(row["scenario"], []).append(row)
    return scenarios


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    spec = importlib.util.spec_from_file_location("golden_fixture", GOLDEN.parent / "fixture.py")
    assert spec and spec.loader
    fixture = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fixture)
    base: Path = tmp_path_factory.mktemp("golden") / "repo"
    fixture.build_repo(base)
    return {str(p.relative_to(base)): p.read_bytes() for p in base.rglob("*") if p.is_file()}


@pytest.mark.skipif(not GOLDEN.is_file(), reason="recorded outputs (../shared/data/aci_golden) are not here")
@pytest.mark.parametrize("scenario", sorted(recorded()) or ["absent"])
def test_recorded_outputs(scenario: str, files: dict[str, bytes]) -> None:
    # The recording harness did not export LAST_ACTION, without which the original never warns about scrolling.
    viewer = {**node("viewer/window100"), "window": WINDOWS.get(scenario, 100), "warn_after_scrolls": None}
    rows = recorded()[scenario]
    with panel(files, compose(viewer=viewer, guardrails="none")) as p:
        replies = play(p.aci, p.env, p.session, [row["command"] for row in rows], 20.0, "/repo")
        for row, reply in zip(rows, replies, strict=True):
            wanted = {**CLEANER, **SORTED}.get(row["id"], row["output"])
            assert reply.output == wanted, row["id"]
            assert reply.exit_code == row["exit_code"], row["id"]
            assert reply.open_file == row["open_file"], row["id"]
            if row["open_file"]:
                assert str(p.session.line) == row["line_state"], row["id"]


def test_all_recorded_outputs_are_replayed() -> None:
    if not GOLDEN.is_file():
        pytest.skip("recorded outputs (../shared/data/aci_golden) are not here")
    assert sum(len(rows) for rows in recorded().values()) == 107


# ---- by hand: they stand where the recordings are absent --------------------------------------------------

LONG = {"long.txt": "".join(f"line {i}\n" for i in range(1, 251)).encode(), "small.py": b"x = 1\ny = 2\n"}


@pytest.mark.parametrize(
    ("command", "first", "last", "centre"),
    [
        ("open long.txt", 1, 100, 50),
        ("open long.txt 17", 2, 101, 51),
        ("open long.txt 100", 85, 184, 134),
        ("open long.txt 250", 151, 250, 200),
        ("open long.txt; goto 120", 105, 204, 154),
        ("open long.txt; goto 0", 1, 100, 50),
        ("open long.txt; scroll_down", 99, 198, 148),
        ("open long.txt; scroll_down; scroll_down", 151, 250, 200),
        ("open long.txt 250; scroll_up", 53, 152, 102),
    ],
)
def test_window(command: str, first: int, last: int, centre: int) -> None:
    with panel(LONG) as p:
        shown = p.says(command)
        window = shown[shown.rindex("[File: ") :].splitlines()
        rows = [row for row in window if row[0].isdigit()]
        assert (rows[0], rows[-1]) == (f"{first}:line {first}", f"{last}:line {last}")
        assert window[0] == "[File: /repo/long.txt (250 lines total)]"
        assert (f"({first - 1} more lines above)" in window) == (first > 1)
        assert (f"({250 - last} more lines below)" in window) == (last < 250)
        assert p.session.line == centre


@pytest.mark.parametrize(
    ("window", "line", "first", "last"), [(30, 100, 96, 125), (31, 100, 95, 125), (100, 100, 85, 184)]
)
def test_window_sizes(window: int, line: int, first: int, last: int) -> None:
    with panel(LONG, compose(viewer={**node("viewer/window100"), "window": window})) as p:
        rows = [row for row in p.says(f"open long.txt {line}").splitlines() if row[0].isdigit()]
        assert (rows[0], rows[-1]) == (f"{first}:line {first}", f"{last}:line {last}")


def test_an_edit_shows_the_window_around_it() -> None:
    with panel(LONG) as p:
        p.do("open long.txt")
        rows = p.says(edit("120:120", "new")).splitlines()
        assert rows[:2] == ["[File: /repo/long.txt (250 lines total)]", "(69 more lines above)"]
        assert (rows[2], rows[52], rows[101]) == ("70:line 70", "120:new", "169:line 169")
        assert rows[-1].startswith("File updated. Please review the changes and make sure they are correct")


def test_a_refused_edit() -> None:
    with panel(LONG) as p:
        p.do("open small.py")
        observation = p.do(edit("2:2", "y = undefined"))
        assert observation.failed_edit
        assert observation.text.replace(str(p.env.root), "/repo") == (
            "Your proposed edit has introduced new syntax error(s). Please read this error message carefully and then "
            "retry editing the file.\n\nERRORS:\n- F821 undefined name 'undefined'\n\n"
            "This is how your edit would have looked if applied\n"
            "-------------------------------------------------\n"
            "[File: /repo/small.py (2 lines total)]\n1:x = 1\n2:y = undefined\n"
            "-------------------------------------------------\n\n"
            "This is the original code before your edit\n"
            "-------------------------------------------------\n"
            "[File: /repo/small.py (2 lines total)]\n1:x = 1\n2:y = 2\n"
            "-------------------------------------------------\n"
            "Your changes have NOT been applied. Please fix your edit command and try again.\n"
            "You either need to 1) Specify the correct start/end line arguments or 2) Correct your edit code.\n"
            "DO NOT re-run the same failed edit command. Running it again will lead to the same error.\n"
        )
        assert p.bytes("small.py") == LONG["small.py"]


def test_scrolling_is_warned_about_from_the_third_time_in_a_row() -> None:
    plain = compose()
    patient = replace(plain, viewer=replace(plain.viewer, warn_after_scrolls=3))
    with panel(LONG, patient) as p:
        p.do("open long.txt")
        warned = [
            "WARNING: Scrolling many times in a row" in p.says(c) for c in ["scroll_down"] * 4 + ["scroll_up"]
        ]
        assert warned == [False, False, True, True, True]
        p.do("pwd")
        assert "WARNING" not in p.says("scroll_up")
    plain = compose(search="none")
    with panel(LONG, replace(plain, viewer=replace(plain.viewer, warn_after_scrolls=3))) as p:
        p.do("open long.txt; scroll_down; scroll_down")
        said = p.says("scroll_down")
        assert "WARNING" in said
        assert "search_file" not in said


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("open", 'Usage: open "<file>"\n'),
        ("open missing", "File missing not found\n"),
        ("open small.py x", 'Usage: open "<file>" [<line_number>]\nError: <line_number> must be a number\n'),
        ("goto 1", "No file open. Use the open command first.\n"),
        ("goto 1 2", "goto allows only one line number at a time.\n"),
        ("search_dir", "Usage: search_dir <search_term> [<dir>]\n"),
        ("search_dir x nodir", "Directory nodir not found\n"),
        ("search_file x", "No file open. Use the open command first.\n"),
        (
            "search_file x nofile",
            "Usage: search_file <search_term> [<file>]\n"
            "Error: File name nofile not found. Please provide a valid file name.\n",
        ),
        (
            "search_file y small.py",
            'Found 1 matches for "y" in /repo/small.py:\nLine 2:y = 2\n'
            'End of matches for "y" in /repo/small.py\n',
        ),
        ("find_file small.py", 'Found 1 matches for "small.py" in /repo:\n/repo/small.py\n'),
        ("create", "Usage: create <filename>\n"),
        ("create new.py", "[File: /repo/new.py (1 lines total)]\n1:\n"),
        (
            "create small.py",
            "Error: File 'small.py' already exists.\n[File: /repo/small.py (2 lines total)]\n1:x = 1\n2:y = 2\n",
        ),
    ],
)
def test_answers(command: str, answer: str) -> None:
    with panel(LONG) as p:
        assert p.says(command) == answer
