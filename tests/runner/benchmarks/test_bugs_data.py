"""Every shipped bug is one: its tests fail before the gold patch, pass after it, and are hidden."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from importlib.resources import files as resources
from pathlib import Path
from typing import Any

import pytest

BUGS = Path(str(resources("runner.benchmarks") / "bugs"))
ROWS: list[dict[str, Any]] = [
    json.loads(line) for line in (BUGS / "instances.jsonl").read_text("utf-8").splitlines()
]
REPOS = sorted({row["repo"] for row in ROWS})

# Prints {test id: passed?} for all tests of the repository in the working directory.
SUITE = """
import io, json, sys, unittest
sys.path.insert(0, ".")

def flat(suite):
    for test in suite:
        yield from flat(test) if isinstance(test, unittest.TestSuite) else [test]

tests = list(flat(unittest.defaultTestLoader.discover("tests", top_level_dir=".")))
status = {test.id(): True for test in tests}
result = unittest.TextTestRunner(stream=io.StringIO()).run(unittest.TestSuite(tests))
for test, _ in result.failures + result.errors:
    status[getattr(test, "test_case", test).id()] = False
print(json.dumps(status))
"""


def run_suite(tree: Path) -> dict[str, bool]:
    done = subprocess.run(
        [sys.executable, "-S", "-B", "-c", SUITE],
        cwd=tree,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    status: dict[str, bool] = json.loads(done.stdout.splitlines()[-1])
    return status


def apply(tree: Path, patch: str, *options: str) -> None:
    """``git apply`` outside of any repository, whatever the user's settings are."""
    done = subprocess.run(
        ["git", "-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", *options, "-"],
        cwd=tree,
        input=patch,
        text=True,
        capture_output=True,
        env={**os.environ, "GIT_CEILING_DIRECTORIES": str(tree.parent)},
    )
    assert done.returncode == 0, done.stderr


def name_of(tree: Path) -> str:
    """What ``base_commit`` must be for this state of the files."""
    digest = hashlib.sha1()
    for path in sorted(p for p in tree.rglob("*") if p.is_file()):
        digest.update(path.relative_to(tree).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def sources(repo: str) -> dict[str, bytes]:
    root = BUGS / "repos" / repo
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def added_lines(patch: str) -> list[str]:
    return [line[1:] for line in patch.splitlines() if line.startswith("+") and not line.startswith("+++")]


def imported(source: str) -> set[str]:
    """Top-level names of all absolute imports."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.split(".")[0])
    return found


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["instance_id"])
def test_fails_before_and_passes_after(row: dict[str, Any], tmp_path: Path) -> None:
    tree = tmp_path / row["repo"]
    litter = shutil.ignore_patterns("__pycache__")
    shutil.copytree(BUGS / "repos" / row["repo"], tree, ignore=litter)
    apply(tree, row["patch"], "--reverse")
    assert name_of(tree) == row["base_commit"]
    apply(tree, row["test_patch"])
    fail, keep = json.loads(row["FAIL_TO_PASS"]), json.loads(row["PASS_TO_PASS"])
    hidden = {*fail, *keep}

    before = run_suite(tree)
    assert hidden <= before.keys()
    assert [test for test in fail if before[test]] == []
    assert [test for test in keep if not before[test]] == []
    failing = {test for test, passed in before.items() if not passed and test not in hidden}
    assert failing == set(json.loads(row["visible_failures"]))

    apply(tree, row["patch"])
    after = run_suite(tree)
    assert after.keys() == before.keys()
    assert [test for test, passed in after.items() if not passed] == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["instance_id"])
def test_tests_are_hidden_and_the_fix_is_not_told(row: dict[str, Any]) -> None:
    fail, keep = json.loads(row["FAIL_TO_PASS"]), json.loads(row["PASS_TO_PASS"])
    assert len(fail) >= 2 and len(keep) >= 2
    assert not {*fail} & {*keep}
    seen = sources(row["repo"])
    for module in {test.rsplit(".", 2)[0] for test in (*fail, *keep)}:
        path = module.replace(".", "/") + ".py"
        assert path not in seen
        assert f"b/{path}" in row["test_patch"]
        assert not any(module.rsplit(".", 1)[1].encode() in content for content in seen.values())
    assert imported("\n".join(added_lines(row["test_patch"]))) <= sys.stdlib_module_names | {row["repo"]}
    told = [line.strip() for line in added_lines(row["patch"]) if len(line.strip()) > 12]
    assert [line for line in told if line in row["problem_statement"]] == []


def test_fields() -> None:
    ids = [row["instance_id"] for row in ROWS]
    assert len(ids) == len(set(ids)) >= 24
    assert len(REPOS) >= 6
    assert sorted(path.name for path in (BUGS / "repos").iterdir() if path.is_dir()) == REPOS
    for row in ROWS:
        assert re.fullmatch(r"[a-z]+__[a-z]+-\d+", row["instance_id"])
        assert len(row["problem_statement"]) > 100
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", row["created_at"])
        assert row["environment_setup_commit"] == row["base_commit"]


@pytest.mark.parametrize("repo", REPOS)
def test_repositories_have_a_realistic_shape(repo: str) -> None:
    seen = sources(repo)
    modules = [name for name in seen if name.startswith(f"{repo}/") and name.endswith(".py")]
    assert len(modules) >= 4
    assert sum(seen[name].count(b"\n") > 150 for name in modules) >= 2
    assert any(name.startswith("README") for name in seen) and any(n.startswith("CHANGELOG") for n in seen)
    assert "tests/__init__.py" in seen
    for name, content in seen.items():
        if name.endswith(".py"):
            assert imported(content.decode()) <= sys.stdlib_module_names | {repo}, name


@pytest.mark.parametrize("repo", REPOS)
def test_repositories_have_a_suite_that_passes(repo: str, tmp_path: Path) -> None:
    tree = tmp_path / repo
    shutil.copytree(BUGS / "repos" / repo, tree, ignore=shutil.ignore_patterns("__pycache__"))
    status = run_suite(tree)
    assert len(status) >= 20
    assert [test for test, passed in status.items() if not passed] == []
