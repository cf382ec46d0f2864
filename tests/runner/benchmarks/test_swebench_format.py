"""Instances in SWE-bench's format from a folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from aci_plugins.environment import Environment
from runner.benchmarks.patches import applied, paths
from runner.benchmarks.swebench_format import Bugs
from runner.errors import UserError

Start = Callable[[Mapping[str, bytes]], Environment]
Diff = Callable[[Mapping[str, bytes], Mapping[str, bytes | None]], str]

FIXED = {
    "calc/__init__.py": b"",
    "calc/core.py": b"def add(a, b):\n    return a + b\n",
    "tests/__init__.py": b"",
    "tests/test_core.py": b"import unittest\n",
}
BUGGY = {**FIXED, "calc/core.py": b"def add(a, b):\n    return a - b\n"}
TEST = b"""import unittest
from calc.core import add

class T(unittest.TestCase):
    def test_add(self):
        self.assertEqual(add(1, 1), 2)
"""


def folder(place: Path, rows: list[Any], tree: Mapping[str, bytes] = FIXED) -> Path:
    for name, data in tree.items():
        path = place / "repos" / "calc" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    (place / "instances.jsonl").write_text("\n".join(lines) + "\n")
    return place


def row(diff: Diff, **changed: Any) -> dict[str, Any]:
    return {
        "instance_id": "calc__calc-1",
        "repo": "calc",
        "problem_statement": "add() subtracts",
        "patch": diff(BUGGY, {"calc/core.py": FIXED["calc/core.py"]}),
        "test_patch": diff(BUGGY, {"tests/test_new.py": TEST}),
        "FAIL_TO_PASS": '["tests.test_new.T.test_add"]',
        "PASS_TO_PASS": [],
        "version": "1.0",
        **changed,
    }


@pytest.mark.parametrize("tree", [FIXED, BUGGY], ids=["fixed tree", "buggy tree"])
def test_base_is_the_buggy_tree(tmp_path: Path, diff: Diff, tree: Mapping[str, bytes]) -> None:
    litter = {"calc/__pycache__/core.cpython-311.pyc": b"x", ".git/config": b"x"}
    (instance,) = Bugs(path=str(folder(tmp_path / "set", [row(diff)], {**tree, **litter}))).instances()
    assert instance.files == BUGGY
    assert instance.hidden == {"tests/test_new.py": TEST}
    assert instance.fail_to_pass == ("tests.test_new.T.test_add",)
    assert (instance.problem_statement, instance.repo) == ("add() subtracts", "calc")
    assert instance.extra == {"version": "1.0"}
    assert applied(instance.files, instance.gold_patch) == FIXED


def test_visible_test_files_that_grade_are_hidden_ones_too(tmp_path: Path, diff: Diff) -> None:
    tree = {**FIXED, "tests/test_core.py": TEST}
    given = row(diff, PASS_TO_PASS=["tests.test_core.T.test_add"])
    (instance,) = Bugs(path=str(folder(tmp_path / "set", [given], tree))).instances()
    assert instance.hidden["tests/test_core.py"] == instance.files["tests/test_core.py"] == TEST


def test_files_that_a_patch_adds_removes_and_renames(tmp_path: Path, diff: Diff) -> None:
    files = {"a.py": b"one\n" * 20, "b.py": b"two\n", "data.bin": bytes(range(256))}
    changes = {
        "c.py": files["a.py"],
        "a.py": None,
        "new dir/ü.txt": b"x\n",
        "data.bin": b"\0\1\2",
        "empty": b"",
    }
    patch = diff(files, changes)
    after = {**files, **changes}
    assert applied(files, patch) == {name: data for name, data in after.items() if data is not None}
    assert set(paths(patch)) == {"a.py", "c.py", "new dir/ü.txt", "data.bin", "empty"}


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"repo": "clac"}, ":1: there is no repository 'clac' in .*repos; did you mean 'calc'"),
        ({"repo": "../calc"}, ":1: there is no repository"),
        (
            {"patch": "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n"},
            ":1: patch applies neither reversed nor as it is",
        ),
        ({"test_patch": "rubbish"}, ":1: test_patch does not apply"),
        ({"instance_id": "a/b"}, ":1: bad instance id 'a/b'"),
        ({"instance_id": 7}, ":1: column 'instance_id' must be text, found int"),
        ({"FAIL_TO_PASS": "tests.test_new"}, ":1: column 'FAIL_TO_PASS' is no list"),
        ({"FAIL_TO_PASS": [1]}, ":1: column 'FAIL_TO_PASS' must be a list of test ids"),
        ({"FAIL_TO_PASS": []}, ":1: FAIL_TO_PASS names no test"),
        ({"FAIL_TO_PASS": ["tests.gone.T.test_x"]}, ":1: test 'tests.gone.T.test_x' is in no file"),
    ],
)
def test_bad_rows(tmp_path: Path, diff: Diff, changed: dict[str, Any], says: str) -> None:
    with pytest.raises(UserError, match=says) as raised:
        Bugs(path=str(folder(tmp_path / "set", [row(diff, **changed)]))).instances()
    assert "\n" not in str(raised.value)
    assert "instances.jsonl" in str(raised.value)


def test_bad_files(tmp_path: Path, diff: Diff) -> None:
    good, other = row(diff), row(diff, instance_id="calc__calc-2")
    cases: list[tuple[list[Any], str]] = [
        ([good, '{"instance_id": "x"'], r"instances.jsonl:2: is not JSON"),
        ([good, "", "[]"], r"instances.jsonl:3: must be a JSON object, found list"),
        ([good, other, good], r"instances.jsonl:3: duplicate instance id 'calc__calc-1' \(first on line 1\)"),
        ([{k: v for k, v in good.items() if k != "test_patch"}], r":1: column 'test_patch' is missing"),
        ([], "holds no instance"),
    ]
    for number, (rows, says) in enumerate(cases):
        with pytest.raises(UserError, match=says):
            Bugs(path=str(folder(tmp_path / f"set{number}", rows))).instances()
    with pytest.raises(UserError, match=r"nowhere: there is no such folder"):
        Bugs(path=str(tmp_path / "nowhere")).instances()
    (tmp_path / "bare").mkdir()
    with pytest.raises(UserError, match=r"bare/instances.jsonl: there is no such file"):
        Bugs(path=str(tmp_path / "bare")).instances()


def test_choice_of_instances(tmp_path: Path, diff: Diff) -> None:
    place = str(folder(tmp_path / "set", [row(diff, instance_id=f"calc__calc-{n}") for n in range(4)]))

    def ids(**given: Any) -> list[str]:
        return [instance.instance_id[-1] for instance in Bugs(path=place, **given).instances()]

    assert ids() == ["0", "1", "2", "3"]
    assert ids(slice="1:3") == ["1", "2"]
    assert ids(ids=["calc__calc-3", "calc__calc-0"], slice=":1") == ["0"]
    with pytest.raises(UserError, match="did you mean 'calc__calc-3'"):
        ids(ids=["calc_calc-3"])


def test_shipped_bugs_load() -> None:
    instances = Bugs().instances()
    assert len(instances) >= 24
    assert len({instance.repo for instance in instances}) >= 6
    for instance in instances:
        assert not set(instance.hidden) & set(instance.files), instance.instance_id
    assert (Bugs().name, Bugs(path="/some/where").name) == ("bugs", "where")


def test_shipped_bugs_are_graded(start: Start) -> None:
    bench = Bugs(slice="::9")
    for instance in bench.instances():
        fixed = bench.grade(instance, instance.gold_patch, partial(start, instance.files))
        assert fixed.resolved, (instance.instance_id, fixed.log)
        buggy = bench.grade(instance, "", partial(start, instance.files))
        assert {buggy.tests[name] for name in instance.fail_to_pass} == {"failed"}
        assert {buggy.tests[name] for name in instance.pass_to_pass} == {"passed"}
