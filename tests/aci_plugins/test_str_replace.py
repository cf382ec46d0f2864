"""Editors that replace text by its content, in a real shell's files."""

from __future__ import annotations

from typing import Any

import pytest

from aci_plugins.message import Observation
from tests.aci_plugins.panel import Panel, compose, node, panel

FILES = {
    "m.py": b"a = 1\nb = 2\n\n\ndef f(x):\n    return x + a\n\n\ndef g(x):\n    return x + a\n",
    "crlf.txt": b"one\r\ntwo\r\nthree\r\n",
    "mixed.txt": b"one\r\ntwo\nthree\r\n",
    "latin.py": "# coding: latin-1\ns = 'é'\nt = 1\n".encode("latin-1"),
    "raw.txt": b"ok\n\xff\xfe bad\nend",
    "bom.py": b"\xef\xbb\xbfa = 1\nb = 2\n",
    "empty.txt": b"",
    "d/e/f/g.txt": b"deep\n",
    "d/.hidden": b"h\n",
}
OPTIONS = ["str_replace", "str_replace_editor"]


class Editor:
    """The commands of either option, called natively."""

    def __init__(self, panel: Panel, option: str) -> None:
        self.panel, self.one = panel, option == "str_replace_editor"

    def _call(self, command: str, **arguments: Any) -> Observation:
        aci = self.panel.aci
        name = "str_replace_editor" if self.one else command
        if self.one:
            arguments["command"] = command
        return self.panel.do(aci.action(name, **arguments))

    def replace(self, path: str, old: str, new: str) -> Observation:
        return self._call("str_replace", path=path, old_str=old, new_str=new)

    def insert(self, path: str, line: int, text: str) -> Observation:
        return self._call("insert", path=path, insert_line=line, **{"new_str" if self.one else "text": text})

    def create(self, path: str, text: str) -> Observation:
        return self._call("create", path=path, **{"file_text" if self.one else "text": text})

    def undo(self, path: str) -> Observation:
        return self._call("undo_edit", path=path)


@pytest.fixture(params=[(o, f) for o in OPTIONS for f in ("thought_action", "function_calling")], ids=str)
def editor(request: pytest.FixtureRequest) -> Any:
    option, format = request.param
    chosen = {**node(f"editor/{option}"), "lint": node("editor/lint")["lint"]}
    with panel(FILES, compose(editor=chosen, viewer="none", format=format)) as p:
        yield Editor(p, option)


def test_a_replacement_shows_the_lines_around_it(editor: Editor) -> None:
    done = editor.replace("m.py", "def f(x):\n    return x + a\n", "def f(x, y):\n    return x + y\n")
    rows = done.text.splitlines()
    assert not done.failed_edit and rows[0] == "m.py was changed."
    assert rows[1].endswith("/m.py (10 lines total)]") and "5:def f(x, y):" in rows and "1:a = 1" in rows
    assert editor.panel.bytes("m.py").startswith(b"a = 1\nb = 2\n\n\ndef f(x, y):\n    return x + y\n\n")


def test_the_old_text_must_be_there_exactly_once(editor: Editor) -> None:
    twice = editor.replace("m.py", "return x + a", "return a")
    assert twice.failed_edit and "occurs 2 times in m.py, in lines 6, 10." in twice.text
    nowhere = editor.replace("m.py", "return q", "return a")
    assert nowhere.failed_edit and "does not occur in m.py" in nowhere.text
    spaced = editor.replace("m.py", "def f(x):\n  return x+a", "def f(x): pass")
    assert "with other white space it does, from line 5 on" in spaced.text
    assert "5:def f(x):\n6:    return x + a" in spaced.text
    for path, why in (("no.py", "There is no file no.py."), ("d", "d is a directory."), ("", "no file")):
        assert why in editor.replace(path, "a", "b").text
    assert "is empty" in editor.replace("m.py", "", "b").text
    assert "are the same" in editor.replace("m.py", "a = 1", "a = 1").text
    assert editor.panel.bytes("m.py") == FILES["m.py"]


@pytest.mark.parametrize(
    ("path", "old", "new", "after"),
    [
        ("crlf.txt", "one\ntwo\n", "1\n2\n3\n", b"1\r\n2\r\n3\r\nthree\r\n"),
        ("crlf.txt", "two", "2\n2", b"one\r\n2\r\n2\r\nthree\r\n"),
        ("mixed.txt", "two\nthree", "2\n3", b"one\r\n2\n3\r\n"),
        ("latin.py", "'é'", "'ü'", "# coding: latin-1\ns = 'ü'\nt = 1\n".encode("latin-1")),
        ("raw.txt", "end", "END", b"ok\n\xff\xfe bad\nEND"),
        ("bom.py", "a = 1\n", "a = 3\n", b"\xef\xbb\xbfa = 3\nb = 2\n"),
        ("m.py", "a = 1\nb = 2\n", "", FILES["m.py"][12:].replace(b"+ a", b"+ a")),
    ],
)
def test_no_other_byte_changes(editor: Editor, path: str, old: str, new: str, after: bytes) -> None:
    if path == "m.py":  # without a, f and g would not lint
        editor.replace(path, "def f(x):\n    return x + a", "def f(a):\n    return a")
        editor.replace(path, "def g(x):\n    return x + a", "def g(a):\n    return a")
        after = b"\n\ndef f(a):\n    return a\n\n\ndef g(a):\n    return a\n"
    done = editor.replace(path, old, new)
    assert not done.failed_edit, done.text
    assert editor.panel.bytes(path) == after
    assert not editor.undo(path).failed_edit
    if path != "m.py":
        assert editor.panel.bytes(path) == FILES[path]


def test_a_character_that_the_file_cannot_hold(editor: Editor) -> None:
    assert "'€' cannot be written" in editor.replace("latin.py", "t = 1", "t = '€'").text
    assert "'€' cannot be written" in editor.insert("latin.py", 3, "# €").text


def test_inserting(editor: Editor) -> None:
    editor.insert("crlf.txt", 0, "zero")
    editor.insert("crlf.txt", 4, "four\nfive\n")
    assert editor.panel.bytes("crlf.txt") == b"zero\r\none\r\ntwo\r\nthree\r\nfour\r\nfive\r\n"
    editor.insert("empty.txt", 0, "x")
    assert editor.panel.bytes("empty.txt") == b"x\n"
    editor.insert("raw.txt", 3, "more")
    assert editor.panel.bytes("raw.txt") == b"ok\n\xff\xfe bad\nend\nmore\n"
    assert "there is no line 9; the lines are 1 to 6" in editor.insert("crlf.txt", 9, "x").text


def test_creating_and_undoing(editor: Editor) -> None:
    assert not editor.create("new/deep/n.txt", "no end").failed_edit
    assert editor.panel.bytes("new/deep/n.txt") == b"no end"
    assert "exists already (file)" in editor.create("m.py", "").text
    assert "exists already (directory)" in editor.create("d", "").text
    assert "is a file, no directory" in editor.create("m.py/x", "").text
    editor.replace("new/deep/n.txt", "no", "an")
    assert "was taken back" in editor.undo("new/deep/n.txt").text
    assert "it is removed" in editor.undo("./new/deep/n.txt").text
    assert "no edit of new/deep/n.txt" in editor.undo("new/deep/n.txt").text
    assert editor.panel.env.exists("new/deep/n.txt") is None


def test_what_something_else_changed_is_not_undone(editor: Editor) -> None:
    editor.replace("m.py", "b = 2", "b = 3")
    editor.panel.do(editor.panel.aci.shell_action("echo 'c = 4' >> m.py"))
    assert "changed by something else" in editor.undo("m.py").text
    assert editor.panel.bytes("m.py").endswith(b"c = 4\n")


def test_a_large_edit_is_not_kept_for_ever(editor: Editor) -> None:
    import random

    noise = "".join(random.Random(1).choices("abcdefghijklmnopqrstuvwxyz0123456789", k=200_000))
    editor.create("big.txt", f"x{noise}x\n")
    editor.replace("big.txt", noise, "y")
    assert "too large" in editor.undo("big.txt").text
    editor.replace("m.py", "b = 2", "b = 3")
    assert "was taken back" in editor.undo("m.py").text


def test_new_errors_are_refused(editor: Editor) -> None:
    done = editor.replace("m.py", "b = 2", "b = (2")
    assert done.failed_edit and "- E999 " in done.text and "NOT been applied" in done.text
    assert "2:b = (2" in done.text and "2:b = 2" in done.text
    assert editor.panel.bytes("m.py") == FILES["m.py"]
    assert "- F821 undefined name 'zz'" in editor.insert("m.py", 1, "c = zz").text
    assert "- E999" in editor.create("n.py", "def f(:\n").text
    assert editor.panel.env.exists("n.py") is None


def test_views() -> None:
    with panel(FILES, compose(editor="str_replace_editor", viewer="none")) as p:
        assert p.says("str_replace_editor view bom.py") == "     1\ta = 1\n     2\tb = 2\n"
        assert p.says("str_replace_editor view m.py --view_range 9 -1").splitlines()[0] == "     9\tdef g(x):"
        assert p.says("str_replace_editor view crlf.txt --view_range 2 9") == "     2\ttwo\n     3\tthree\n"
        assert "view_range must be [first, last]" in p.says("str_replace_editor view m.py --view_range 0 2")
        assert not p.do("str_replace_editor view m.py --view_range 0 2").failed_edit
        assert p.says("str_replace_editor view empty.txt") == "empty.txt is empty.\n"
        assert p.says("str_replace_editor view d").splitlines()[1:] == ["/repo/d/e/", "/repo/d/e/f/"]
        assert "needs old_str" in p.says("str_replace_editor str_replace m.py")
        assert p.says("str_replace_editor look m.py").startswith("Usage: str_replace_editor <command> <path>")


def test_long_views() -> None:
    body = "".join(f"    x{i} = {i}\n" for i in range(30))
    long = "".join(f"def f{n}():\n{body}\n" for n in range(50)).encode()
    clipped = {**node("editor/str_replace_editor"), "filemap": False}
    with panel({"long.py": long}, compose(editor=clipped, viewer="none")) as p:
        assert "<response clipped>" in p.says("str_replace_editor view long.py")
    with panel({"long.py": long}, compose(editor="str_replace_editor", viewer="none")) as p:
        text = p.says("str_replace_editor view long.py")
        assert "left out" in text and "def f49():" in text and "x7 = 7" not in text
    with panel({}, compose(editor={**node("editor/str_replace_editor"), "undo": False})) as p:
        assert "undo" not in p.aci.variables()["command_docs"]
        assert "take" not in p.aci.variables()["command_docs"].split("str_replace_editor")[-1]


def test_filemap() -> None:
    source = (
        b"import os\n\n\nclass A:\n    @property\n    def f(self):\n        '''Doc.\n\n        x\n        y\n"
        b"        z\n        '''\n\n    def short(self):\n        return 1\n"
    )
    with panel({"a.py": source, "bad.py": b"def f(:\n", "t.txt": b"x y\n"}, compose(extras=["filemap"])) as p:
        rows = p.says("filemap a.py").splitlines()
        assert "     7 … lines 7-12 left out …" in rows and rows[-1] == "    15         return 1"
        assert not any("Doc" in row for row in rows)
        assert p.says("filemap bad.py").startswith("bad.py is no Python that can be parsed: line 1")
        assert p.says("filemap no.py") == "There is no file no.py.\n"
