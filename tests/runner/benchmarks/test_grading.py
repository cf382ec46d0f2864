"""Verdicts: right and wrong submissions, and submissions that would rather not be tested."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from aci_plugins.environment import Environment, EnvironmentFailure
from runner.benchmarks.base import Instance
from runner.benchmarks.grading import file_of_test, grade_by_tests

Start = Callable[[Mapping[str, bytes]], Environment]
Diff = Callable[[Mapping[str, bytes], Mapping[str, bytes | None]], str]

BUGGY = b"def add(a, b):\n    return a - b\n"
FIXED = b"def add(a, b):\n    return a + b\n"
TESTS = b"""import unittest
from calc import add

class AddTest(unittest.TestCase):
    def test_sum(self):
        self.assertEqual(add(2, 3), 5)

    def test_zero(self):
        self.assertEqual(add(2, 0), 2)
"""
SUM, ZERO = "tests.test_calc.AddTest.test_sum", "tests.test_calc.AddTest.test_zero"
INSTANCE = Instance(
    instance_id="calc-1",
    problem_statement="",
    files={"calc.py": BUGGY, "tests/__init__.py": b"", "tests/test_calc.py": b"import unittest\n"},
    gold_patch="",
    fail_to_pass=(SUM,),
    pass_to_pass=(ZERO,),
    hidden={"tests/test_calc.py": TESTS},
)


def test_right_fix(start: Start, diff: Diff) -> None:
    environment = start(INSTANCE.files)
    grade = grade_by_tests(INSTANCE, diff(INSTANCE.files, {"calc.py": FIXED}), environment, test_timeout=60)
    assert (grade.resolved, grade.patch_applied) == (True, True)
    assert grade.tests == {SUM: "passed", ZERO: "passed"}
    left = environment.run("git status --porcelain --untracked-files=all", timeout=30).output
    assert ".acilab" not in left


def test_no_submission(start: Start) -> None:
    grade = grade_by_tests(INSTANCE, "", start(INSTANCE.files), test_timeout=60)
    assert (grade.resolved, grade.patch_applied) == (False, True)
    assert grade.tests == {SUM: "failed", ZERO: "passed"}
    assert "-1 != 5" in grade.log


@pytest.mark.parametrize(
    "patch",
    [
        "no patch at all",
        "diff --git a/calc.py b/calc.py\n--- a/calc.py\n+++ b/calc.py\n@@ -1 +1 @@\n-other\n+text\n",
        "diff --git a/../x.py b/../x.py\nnew file mode 100644\n--- /dev/null\n+++ b/../x.py\n@@ -0,0 +1 @@\n+1\n",
        "diff --git a/.git/x b/.git/x\nnew file mode 100644\n--- /dev/null\n+++ b/.git/x\n@@ -0,0 +1 @@\n+1\n",
        "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/tmp\n"
        "\\ No newline at end of file\n"
        "diff --git a/l/x b/l/x\nnew file mode 100644\n--- /dev/null\n+++ b/l/x\n@@ -0,0 +1 @@\n+1\n",
    ],
    ids=["text", "other content", "parent folder", "git folder", "beyond a link"],
)
def test_patch_that_does_not_apply(start: Start, patch: str) -> None:
    grade = grade_by_tests(INSTANCE, patch, start(INSTANCE.files), test_timeout=60)
    assert (grade.resolved, grade.patch_applied) == (False, False)
    assert grade.tests == {SUM: "missing", ZERO: "missing"}
    assert grade.log


def test_changed_tests_are_put_back(start: Start, diff: Diff) -> None:
    easy = (
        b"import unittest\nclass AddTest(unittest.TestCase):\n    test_sum = test_zero = lambda self: None\n"
    )
    patch = diff(INSTANCE.files, {"tests/test_calc.py": easy})
    assert grade_by_tests(INSTANCE, patch, start(INSTANCE.files), test_timeout=60).tests[SUM] == "failed"


def test_a_folder_or_link_in_place_of_the_tests(start: Start, diff: Diff) -> None:
    patch = diff(INSTANCE.files, {"tests/test_calc.py": None, "tests/test_calc.py/x": b"", "calc.py": FIXED})
    assert grade_by_tests(INSTANCE, patch, start(INSTANCE.files), test_timeout=60).resolved
    link = (
        "diff --git a/tests/test_calc.py b/tests/test_calc.py\ndeleted file mode 100644\n"
        "--- a/tests/test_calc.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-import unittest\n"
        "diff --git a/tests/test_calc.py b/tests/test_calc.py\nnew file mode 120000\n"
        "--- /dev/null\n+++ b/tests/test_calc.py\n@@ -0,0 +1 @@\n+../calc.py\n\\ No newline at end of file\n"
    )
    grade = grade_by_tests(INSTANCE, link, start(INSTANCE.files), test_timeout=60)
    assert (grade.patch_applied, grade.tests) == (True, {SUM: "failed", ZERO: "passed"})


HOSTILE = {
    "sys.exit": "import sys\nsys.exit(0)\n",
    "os._exit": "import os\nos._exit(0)\n",
    "os._exit in the function": "def add(a, b):\n    import os\n    os._exit(0)\n",
    "atexit": "import atexit, os\natexit.register(os._exit, 0)\ndef add(a, b):\n    return 0\n",
    "printed results": (
        "def add(a, b):\n    print('test_sum ... ok\\nRan 2 tests\\nOK')\n"
        '    print(\'["", "passed", "tests.test_calc.AddTest.test_sum", ""]\', flush=True)\n    return 0\n'
    ),
    "assertEqual": "import unittest\nunittest.TestCase.assertEqual = lambda *a: None\nadd = max\n",
    "code of assertEqual": (
        "import unittest\ndef nothing(self, first, second, msg=None): pass\n"
        "unittest.TestCase.assertEqual.__code__ = nothing.__code__\nadd = max\n"
    ),
    "run": "import unittest\nunittest.TestCase.run = lambda self, result: result.addSuccess(self)\nadd = max\n",
    "addFailure": (
        "import unittest\n"
        "for kind in [unittest.TestResult, *unittest.TestResult.__subclasses__()]:\n"
        "    kind.addFailure = lambda self, test, err: self.addSuccess(test)\n"
        "    kind.addError = kind.addFailure\nadd = max\n"
    ),
    "new attribute": (
        "import unittest\n"
        "unittest.TestCase.__getattribute__ = lambda self, name: (\n"
        "    (lambda *a: None) if name == 'assertEqual' else object.__getattribute__(self, name))\nadd = max\n"
    ),
    "skip": "import unittest\ndef add(a, b):\n    raise unittest.SkipTest('no')\n",
    "trace": (
        "import sys\ndef trace(frame, event, arg):\n    return trace\nsys.settrace(trace)\n"
        "def add(a, b):\n    return a + b\n"
    ),
    "built-in": "import builtins\nbuiltins.isinstance = lambda *a: True\ndef add(a, b):\n    return a + b\n",
    "kill the runner": "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\nadd = max\n",
    "kill the group": "import os, signal\nos.kill(0, signal.SIGKILL)\nadd = max\n",
    "close everything": "import os\nos.closerange(0, 1000)\ndef add(a, b):\n    return 0\n",
    "write to everything": (
        "import os\n"
        "for fd in range(3, 50):\n"
        '    try:\n        os.write(fd, b\'["x", "end", "", [[], []]]\\n\')\n'
        "    except OSError:\n        pass\n"
        "def add(a, b):\n    return 0\n"
    ),
    "rewrite the tests": (
        "import pathlib\npathlib.Path(__file__).with_name('tests').joinpath('test_calc.py').write_text('')\n"
        "def add(a, b):\n    return a + b\n"
    ),
    "crash": "import ctypes\ndef add(a, b):\n    ctypes.string_at(0)\n",
    "recursion": "def add(a, b):\n    return add(a, b)\n",
    "no Python": "def add(a, b:\n",
}


@pytest.mark.parametrize("code", HOSTILE.values(), ids=HOSTILE.keys())
def test_other_ways_to_pass(start: Start, diff: Diff, code: str) -> None:
    patch = diff(INSTANCE.files, {"calc.py": code.encode()})
    grade = grade_by_tests(INSTANCE, patch, start(INSTANCE.files), test_timeout=20)
    assert grade.patch_applied
    assert grade.tests[SUM] in ("failed", "missing")
    assert not grade.resolved


@pytest.mark.parametrize(
    "name", ["unittest.py", "json.py", "sitecustomize.py", "usercustomize.py", "traceback.py"]
)
def test_shadowing_the_standard_library(start: Start, diff: Diff, name: str) -> None:
    patch = diff(INSTANCE.files, {name: b"import os\nos._exit(0)\n", "calc.py": FIXED})
    # The runner itself is not misled: the fix is right, and is found to be.
    assert grade_by_tests(INSTANCE, patch, start(INSTANCE.files), test_timeout=60).resolved


def test_endless_loop_fails_in_time(start: Start, diff: Diff) -> None:
    patch = diff(
        INSTANCE.files, {"calc.py": b"def add(a, b):\n    while a == 2 and b == 3: pass\n    return a\n"}
    )
    began = time.monotonic()
    grade = grade_by_tests(INSTANCE, patch, start(INSTANCE.files), test_timeout=2)
    assert grade.tests == {SUM: "failed", ZERO: "missing"}
    assert "out of time after 2 seconds" in grade.log
    assert time.monotonic() - began < 30


def test_a_process_left_behind_does_not_hold_up_the_verdict(start: Start, diff: Diff) -> None:
    code = b"import os\nif os.fork() == 0:\n    os.setsid()\n    while True: pass\ndef add(a, b):\n    return a + b\n"
    began = time.monotonic()
    environment = start(INSTANCE.files)
    grade = grade_by_tests(INSTANCE, diff(INSTANCE.files, {"calc.py": code}), environment, test_timeout=60)
    assert grade.resolved
    assert time.monotonic() - began < 45
    environment.close()


def test_endless_output_is_bounded(start: Start, diff: Diff) -> None:
    code = b"def add(a, b):\n    while True: print('x' * 100000)\n"
    patch = diff(INSTANCE.files, {"calc.py": code})
    grade = grade_by_tests(INSTANCE, patch, start(INSTANCE.files), test_timeout=2)
    assert not grade.resolved
    assert len(grade.log) <= 8000


KINDS = b"""import unittest

class KindsTest(unittest.TestCase):
    @unittest.skip("not now")
    def test_skipped(self): pass

    @unittest.expectedFailure
    def test_expected(self): self.fail()

    @unittest.expectedFailure
    def test_unexpected(self): pass

    def test_subtests(self):
        for number in range(3):
            with self.subTest(number=number):
                self.assertNotEqual(number, 1)

class BrokenTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise RuntimeError("broken set-up")

    def test_any(self): pass

def test_function():
    assert True

def test_wrong_function():
    assert False
"""


def test_kinds_of_tests(start: Start) -> None:
    expected = {
        "kinds.KindsTest.test_skipped": "failed",
        "kinds.KindsTest.test_expected": "passed",
        "kinds.KindsTest.test_unexpected": "failed",
        "kinds.KindsTest.test_subtests": "failed",
        "kinds.BrokenTest.test_any": "failed",
        "kinds.KindsTest.test_not_there": "missing",
        "kinds.py::test_function": "passed",
        "kinds.test_wrong_function": "failed",
        "nowhere.NoTest.test_none": "missing",
    }
    instance = replace(INSTANCE, fail_to_pass=tuple(expected), pass_to_pass=(), hidden={"kinds.py": KINDS})
    grade = grade_by_tests(instance, "", start(INSTANCE.files), test_timeout=60)
    assert grade.tests == expected
    assert "broken set-up" in grade.log


def test_without_tests_nothing_is_resolved(start: Start) -> None:
    instance = replace(INSTANCE, fail_to_pass=(), pass_to_pass=())
    assert not grade_by_tests(instance, "", start(INSTANCE.files), test_timeout=60).resolved


def test_an_environment_without_python_is_no_verdict(start: Start) -> None:
    environment = start(INSTANCE.files)
    environment.run(
        "mkdir -p bin; for c in bash sh rm mkdir git; do ln -s $(command -v $c) bin/; done", timeout=30
    )
    environment.run("export PATH=$PWD/bin", timeout=30)
    with pytest.raises(EnvironmentFailure, match="could not be started"):
        grade_by_tests(INSTANCE, "", environment, test_timeout=60)


def test_names_of_tests() -> None:
    files = {"tests/test_a.py": b"", "test_b.py": b""}
    assert file_of_test("tests.test_a.C.test_x", files) == ("tests/test_a.py", "tests.test_a.C.test_x")
    assert file_of_test("test_b.test_x", files) == ("test_b.py", "test_b.test_x")
    assert file_of_test("tests/test_a.py::C::test_x", files) == ("tests/test_a.py", "tests.test_a.C.test_x")
    assert file_of_test("tests.test_c.C.test_x", files) is None
    assert file_of_test("tests/test_c.py::test_x", files) is None
