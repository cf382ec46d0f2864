"""The rule-based baseline mends a bug that it has never seen, with whatever tools the ACI has."""

from __future__ import annotations

import difflib
import json
from pathlib import Path

import pytest

from runner.records import cells
from tests.acilab import acilab

FIXED = '''"""Parking fees."""

FREE_MINUTES = 30
RATE = 2


def started_hours(minutes):
    """Hours that have begun."""
    return -(-minutes // 60)


def is_free(minutes):
    """Parking is free up to and including the free minutes."""
    return minutes <= FREE_MINUTES


def fee(minutes):
    """What a stay costs."""
    if is_free(minutes):
        return 0
    return started_hours(minutes) * RATE
'''
BUGGY = FIXED.replace("minutes <= FREE", "minutes < FREE")
ISSUE = """fee() charges for exactly 30 minutes

    >>> from parking.fees import fee
    >>> fee(30)
    2

I expected 0: parking is free up to and including 30 minutes.
"""
TEST = """import unittest

from parking.fees import fee, is_free


class TestFree(unittest.TestCase):
    def test_limit(self):
        self.assertEqual(fee(30), 0)
        self.assertTrue(is_free(30))

    def test_above(self):
        self.assertEqual(fee(31), 2)
"""


def _diff(name: str, old: str, new: str) -> str:
    lines = difflib.unified_diff(
        old.splitlines(keepends=True),
        new.splitlines(keepends=True),
        f"a/{name}" if old else "/dev/null",
        f"b/{name}",
    )
    return "".join(lines)


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    tree = tmp_path / "bench" / "repos" / "parking"
    for name, text in {"parking/fees.py": FIXED, "parking/__init__.py": "", "tests/__init__.py": ""}.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text)
    row = {
        "instance_id": "parking-1",
        "repo": "parking",
        "base_commit": "0" * 40,
        "problem_statement": ISSUE,
        "patch": _diff("parking/fees.py", BUGGY, FIXED),
        "test_patch": _diff("tests/test_issue_1.py", "", TEST),
        "FAIL_TO_PASS": ["tests.test_issue_1.TestFree.test_limit"],
        "PASS_TO_PASS": ["tests.test_issue_1.TestFree.test_above"],
    }
    (tmp_path / "bench" / "instances.jsonl").write_text(json.dumps(row) + "\n")
    return tmp_path / "bench"


@pytest.mark.parametrize(
    "change",
    [
        "aci/editor=lint",
        "aci/editor=none",
        "aci/search=none",
        "aci/viewer=none",
        "aci/format=function_calling",
        "aci/editor=str_replace",
        "aci/editor=str_replace_editor aci/viewer=none",
        "aci/editor=window_replace aci/format=function_calling",
        "aci/editor=window_rewrite",
        "aci/editor=whole_file",
        "aci/editor=udiff",
    ],
)
def test_it_mends_it(bench: Path, tmp_path: Path, change: str) -> None:
    done = acilab(
        "run",
        "model=embedded",
        f"benchmark.path={bench}",
        *change.split(),
        "tracking=none",
        f"paths.outputs={tmp_path / 'out'}",
    )
    assert done.returncode == 0, done.stderr
    (cell,) = cells(tmp_path / "out" / "default")
    (episode,) = cell.episodes()
    assert episode.grade is not None
    assert episode.grade["resolved"], [s["action"][:80] for s in episode.trajectory().steps]
    used = [step["action"].split()[0] for step in episode.trajectory().steps if step["kind"] == "action"]
    editor = change.split()[0].removeprefix("aci/editor=")
    command = {"none": "python", "whole_file": "write_file", "udiff": "apply_diff"}.get(editor, "edit")
    assert (editor if editor.startswith("str_replace") else command) in used
