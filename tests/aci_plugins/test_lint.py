"""The check before an edit: errors as flake8 prints them, and only new ones count."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from aci_plugins.editor.hunks import Hunk
from aci_plugins.editor.lint import introduced, lint
from tests.aci_plugins.panel import compose, edit, node, panel

CODES: tuple[str, ...] = tuple(node("editor/lint")["lint"])

SOURCES = [
    b"",
    b"x = 1\n",
    b"def f(:\n    pass\n",
    b"def f(a, a):\n    return b\n",
    b"def f():\nreturn 1\n",
    b"def f():\n  return 1\n",
    b"if x:\n    y = z\n        # deep\n",
    b"__all__ = ['nothing']\n",
    b"x = (1,\n",
    b"x = '''open\n",
    b"\tx = 1\n",
    b"x = undefined  # noqa\n",
    b"x = undefined  # noqa: E501\n",
    b"# flake8: noqa\nx = undefined\n",
    b"from os import *\nprint(path, gone)\n",
    b"s = '\\d'\nt = u\n",
    b"\xef\xbb\xbfx = y\n",
    b"# coding: latin-1\ns = '\xe9'\nt = u\n",
    b"s = '\xe9'\nt = u\n",
    b"a = 1\r\nb = c\r\n",
    b"def f():\n    return 1\n  \n\ny = (\n  1)\nfor i in j:\n   pass\n",
    b"class A:\n    def f(self):\n        del self\n        return self, q\n",
]


@pytest.mark.parametrize("source", SOURCES)
def test_errors_are_those_of_flake8(source: bytes, tmp_path: Path) -> None:
    file = tmp_path / "t.py"
    file.write_bytes(source)
    command = [sys.executable, "-m", "flake8", "--isolated", f"--select={','.join(CODES)}", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    printed = [line.removeprefix(f"{file}:") for line in done.stdout.splitlines()]
    assert [f"{e.line}:{e.column}: {e.text}" for e in lint(source, CODES)] == printed


@pytest.mark.parametrize("source", [b"x = \0\n", b"(" * 5000 + b"\n", b"x" + b".y" * 20000 + b"\n"])
def test_what_the_parser_cannot_take_is_an_error_and_no_crash(source: bytes) -> None:
    assert [e.code for e in lint(source, CODES)] in (["E902"], ["E999"])


BROKEN = b"def f(:\n    pass\n\n\ny = missing\n"
UNDEFINED = b"def g():\n    return missing_name\n\n\nz = 3\n"
BLOCK = b"x = 1\ndef f():\npass\n"


@pytest.mark.parametrize(
    ("before", "lines", "new", "errors"),
    [
        (UNDEFINED, "5:5", ["z = 4", "q = 1"], []),
        (UNDEFINED, "1:1", ["# moved", "def g():"], []),
        (UNDEFINED, "2:2", ["    return still_missing"], ["F821 undefined name 'still_missing'"]),
        (BROKEN, "5:5", ["y = 2"], []),
        (BROKEN, "1:1", ["def f():"], []),
        (BROKEN, "1:1", ["def f(a=gone):"], ["F821 undefined name 'gone'"]),
        (BLOCK, "1:1", ["x = 1", "y = 2"], []),
        (BLOCK, "3:3", ["  pass"], ["E111 indentation is not a multiple of 4"]),
        (b"x = 1\n", "1:1", ["x = ("], ["E999 SyntaxError: '(' was never closed"]),
    ],
)
def test_only_new_errors_count(before: bytes, lines: str, new: list[str], errors: list[str]) -> None:
    with panel({"t.py": before}) as p:
        p.do("open t.py")
        printed = p.says(edit(lines, *new))
        assert [line[2:] for line in printed.splitlines() if line.startswith("- ")] == errors
        assert ("NOT been applied" in printed) == bool(errors)


def test_only_python_files_are_checked_and_only_with_lint() -> None:
    with panel({"t.txt": b"a\n", "t.py": b"a = 1\n"}) as p:
        assert "File updated" in p.says("open t.txt\n" + edit("1:1", "def ("))
    with panel({"t.py": b"a = 1\n"}, compose(editor="no_lint")) as p:
        assert "File updated" in p.says("open t.py\n" + edit("1:1", "def ("))


def test_nothing_of_the_source_runs() -> None:
    assert introduced(b"", b"import os\nos._exit(3)\n", [Hunk(1, 1, 1, 2)], CODES) == []
