"""The editor that applies unified diffs as models write them."""

from __future__ import annotations

import difflib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aci_plugins.editor.diff_placing import patched
from aci_plugins.editor.diff_reading import read_diff
from aci_plugins.files import TextFile
from tests.aci_plugins.panel import Panel, compose, panel

FILES = {
    "m.py": b"import os\n\n\ndef f(x):\n    return x\n\n\ndef g(x):\n    return x\n",
    "crlf.txt": b"one\r\ntwo\r\nthree",
    "d/raw.txt": b"ok\n\xff\xfe bad\nend\n",
    "gone.txt": b"a\nb\n",
}


def apply(p: Panel, *lines: str) -> str:
    return p.says("\n".join(["apply_diff", *lines, "end_of_diff"]))


def head(path: str, new: str | None = None) -> tuple[str, str]:
    return f"--- a/{path}", f"+++ b/{new or path}"


def test_a_diff_with_wrong_numbers_and_counts() -> None:
    with panel(FILES, compose(editor="udiff", viewer="none")) as p:
        said = apply(
            p, *head("m.py"), "@@ -99,2 +1,77 @@ def g", " def g(x):", "-    return x", "+    return x + 1"
        )
        assert "m.py was changed." in said and "9:    return x + 1" in said
        assert p.bytes("m.py") == FILES["m.py"][:-9] + b"return x + 1\n"[:13]
        assert "was taken back" in p.says("undo_edit m.py")
        apply(p, *head("m.py"), "@@", "-import os", "+import re", "", "@@ @@", " def f(x):", "+    x = 1")
        assert p.bytes("m.py").startswith(b"import re\n\n\ndef f(x):\n    x = 1\n    return x\n")


def test_the_header_decides_between_places() -> None:
    hunk = ["-    return x", "+    return 1"]
    with panel(FILES, compose(editor="udiff", viewer="none")) as p:
        assert "fits in 2 places, from lines 5, 9 on" in apply(p, *head("m.py"), "@@ -6 +6 @@", *hunk)
        apply(p, *head("m.py"), "@@ -9 +9 @@", *hunk)
        assert p.bytes("m.py").endswith(b"def g(x):\n    return 1\n")
        assert p.bytes("m.py").startswith(FILES["m.py"][:40])


def test_several_files_all_or_nothing() -> None:
    new = ["--- /dev/null", "+++ b/n/new.txt", "@@ -0,0 +1,2 @@", "+x", "+y"]
    gone = ["--- a/gone.txt", "+++ /dev/null", "@@ -1,2 +0,0 @@", "-a", "-b"]
    with panel(FILES, compose(editor="udiff", viewer="none")) as p:
        bad = apply(p, *new, *gone, *head("crlf.txt"), "@@ -1 +1 @@", "-four", "+five")
        assert "the file has no line 'four'" in bad and "Nothing was changed" in bad
        assert p.env.exists("n/new.txt") is None and p.env.exists("gone.txt") == "file"
        said = apply(
            p, "diff --git a/x b/x", "index 1..2", *new, *gone, *head("crlf.txt"), "@@", "-two", "+2"
        )
        assert "created" in said and "deleted" in said
        assert p.bytes("n/new.txt") == b"x\ny\n" and p.env.exists("gone.txt") is None
        assert p.bytes("crlf.txt") == b"one\r\n2\r\nthree"
        assert "exists already" in apply(p, *new)
        assert "was taken back" in p.says("undo_edit gone.txt") and p.bytes("gone.txt") == b"a\nb\n"
        assert "is removed" in p.says("undo_edit n/new.txt")


def test_what_cannot_be_applied_says_why() -> None:
    with panel(FILES, compose(editor="udiff", viewer="none")) as p:
        for lines, why in (
            (["nonsense"], "neither the name of a file"),
            ([""], "no unified diff"),
            (["@@ -1 +1 @@"], "before the two lines that name its file"),
            ([*head("no.py"), "@@", "-a"], "There is no file no.py."),
            ([*head("m.py"), "@@", "*x"], "begins with none of"),
            ([*head("m.py")], "has no hunk"),
            ([*head("m.py"), "@@", "+x = 1"], "no lines of context"),
            ([*head("m.py", "q.py"), "@@", "-import os"], "use the shell for that (mv)"),
            (["rename from m.py", "rename to q.py"], "Renames"),
            ([*head("m.py"), "@@", " def g(x):", " def f(x):", "+x"], "not one after the other"),
            ([*head("m.py"), "@@", "-def g( x ):", "+x"], "The lines of the file are:\n8:def g(x):"),
            ([*head("m.py"), "@@", " import os"], "changes nothing"),
            ([*head("gone.txt")[:1], "+++ /dev/null", "@@", "-a"], "not all of its lines"),
            ([*head("m.py"), "@@", "-import os", *head("m.py"), "@@", "-def g(x):"], "the same file twice"),
            ([*head("m.py"), "@@", "-import os", "+import ("], "NOT been applied"),
        ):
            done = p.do("\n".join(["apply_diff", *lines, "end_of_diff"]))
            assert why in done.text and done.failed_edit, lines
        assert {name: p.bytes(name) for name in FILES} == FILES


def test_paths_from_the_root_work_below_it() -> None:
    with panel(FILES, compose(editor="udiff", viewer="none")) as p:
        p.do("cd d")
        apply(p, *head("d/raw.txt"), "@@", " ok", "+more")
        assert p.bytes("d/raw.txt") == b"ok\nmore\n\xff\xfe bad\nend\n"


LINES = st.lists(st.sampled_from(["a", "b", "", "  c", "-- x", "++ y", "@@ z", "\\ w"]), max_size=12)


@settings(max_examples=150, deadline=None)
@given(LINES, LINES, st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_what_difflib_writes_is_applied(old: list[str], new: list[str], end: str, ended: bool) -> None:
    rows = list(difflib.unified_diff(old, new, "a/f", "b/f", lineterm=""))
    before = TextFile.of((end.join(old) + (end if old and ended else "")).encode())
    if old != new and len(before.lines) == len(old):
        (file,) = read_diff("\n".join(rows))
        after = TextFile.of(patched(before, file.hunks, "f"))
        assert after.rows(1, len(after.lines)) == new
        assert all(line.endswith(before.lines[0][-len(end) :]) for line in after.lines[:-1] if len(old) > 1)


@pytest.mark.parametrize("text", ["--- \n+++ ", "--- a\n+++ b\n@@", "+++\n---", "--- a/\n+++ b/\n@@\n+x\n"])
def test_odd_diffs_do_not_raise(text: str) -> None:
    with panel(FILES, compose(editor="udiff", viewer="none", format="function_calling")) as p:
        assert p.do(p.aci.action("apply_diff", diff=text)).failed_edit
