"""Edits kept to some files, or away from some."""

from __future__ import annotations

import shlex

import pytest

from tests.aci_plugins.panel import compose, edit, node, panel

FILES = {"src/a.py": b"x = 1\n", "tests/test_a.py": b"y = 2\n", "b.py": b"z = 3\n", "conftest.py": b"c = 1\n"}
ACI = compose(guardrails="path_guard")
ONLY = compose(guardrails={**node("guardrails/path_guard"), "only": ["src"], "never": ["src/gen/*"]})


@pytest.mark.parametrize(
    "command",
    [
        "echo x > tests/test_a.py", "cd tests && echo x >> test_a.py", "sed -i s/2/3/ tests/test_a.py", "rm -r tests",
        "rm tests/test_a.py", "mv tests/test_a.py b.py", "cp b.py tests/test_a.py", "tee conftest.py < b.py",
        "ls; cat b.py > $PWD/conftest.py", "f=tests/test_a.py; echo > $f", "bash -c 'rm conftest.py'",
        "find tests -name '*.py' -delete", "cp b.py tests/", "truncate -s 0 conftest.py", "mkdir -p tests/new",
        "cat > tests/test_b.py <<'E'\nx\nE",
    ],
)  # fmt: skip
def test_shell_commands_that_change_them_are_refused(command: str) -> None:
    with panel(FILES, ACI) as p:
        verdict = p.refused(command)
        assert verdict and verdict.rule == "path" and "must not be changed" in verdict.reason


@pytest.mark.parametrize(
    "command",
    ["python -m pytest tests", "cat tests/test_a.py", "echo x > b.py", "sed -i s/1/2/ src/a.py",
     "cp tests/test_a.py c.py", "rm b.py",
     "sed -n 1p conftest.py",
     "diff b.py conftest.py > /tmp/d", "grep -rn y tests > out.txt", "git diff"],
)  # fmt: skip
def test_others_are_not(command: str) -> None:
    with panel(FILES, ACI) as p:
        assert p.refused(command) is None


def test_edits() -> None:
    with panel(FILES, ACI) as p:
        p.do("open tests/test_a.py")
        seen = p.do(edit("1:1", "y = 3"))
        assert (seen.failed_edit, seen.rule) == (True, "path") and "tests/test_a.py must not" in seen.text
        assert p.bytes("tests/test_a.py") == b"y = 2\n"
        assert p.do("create tests/new.py").rule == "path" and p.env.exists("tests/new.py") is None
        p.do("open src/a.py")
        assert not p.do(edit("1:1", "x = 2")).failed_edit
        p.do("ln -s tests link")
        assert p.do("create link/new.py").rule == "path"


def test_only_some_files() -> None:
    with panel(FILES, ONLY) as p:
        assert p.refused("echo x > b.py")
        assert p.refused("echo x > src/gen/a.py")
        assert p.refused("echo x > src/deep/b.py; echo x > /tmp/x") is None
        p.do("open b.py")
        assert "only src" in p.do(edit("1:1", "z = 4")).text


def test_paths_in_arguments_and_diffs() -> None:
    with panel(FILES, compose(guardrails="path_guard", editor="str_replace", viewer="none")) as p:
        assert p.do(shlex.join(["str_replace", "conftest.py", "c = 1", "c = 2"])).rule == "path"
        assert not p.do(shlex.join(["str_replace", "b.py", "z = 3", "z = 4"])).failed_edit
    with panel(FILES, compose(guardrails="path_guard", editor="udiff", viewer="none")) as p:
        diff = "--- a/conftest.py\n+++ b/conftest.py\n@@ -1 +1 @@\n-c = 1\n+c = 2\n"
        action = p.aci.action("apply_diff", diff=diff)
        assert p.do(action).rule == "path" and p.bytes("conftest.py") == b"c = 1\n"
