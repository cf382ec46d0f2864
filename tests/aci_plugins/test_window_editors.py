"""Editors that work within the window, and the one that writes whole files."""

from __future__ import annotations

import pytest

from aci_plugins.plugin import PluginError
from tests.aci_plugins.panel import Panel, compose, node, panel

FILES = {
    "m.py": b"".join(b"v%d = %d\n" % (i, i % 50) for i in range(1, 301)),
    "crlf.py": b"a = 1\r\nb = 2\r\nc = 3",
    "raw.txt": b"ok\n\xff\xfe bad\nend",
}


def call(p: Panel, tool: str, **arguments: object) -> str:
    return p.says(p.aci.action(tool, **arguments))


@pytest.mark.parametrize("format", ["thought_action", "function_calling"])
def test_replacing_in_the_window(format: str) -> None:
    with panel(FILES, compose(editor="window_replace", format=format)) as p:
        assert call(p, "edit", search="v1", replace="v2").startswith("No file open.")
        p.do("open m.py 100")  # shows 85 to 184
        shown = call(p, "edit", search="v100 = 0\nv101 = 1\n", replace="v100 = 7\n")
        assert (
            shown.startswith("The text was replaced.") and "85:v85 = 35" in shown and "101:v102 = 2" in shown
        )
        assert "occurs in line 2 of the file: go there" in call(p, "edit", search="v2 = 2", replace="v2 = 3")
        assert "occurs 2 times in the shown lines" in call(p, "edit", search=" = 40\n", replace="")
        assert "does not occur in" in call(p, "edit", search="nothing", replace="x")
        assert "with other white space it does, from line 3 on" in call(p, "edit", search="v3=3", replace="x")
        assert "the same" in call(p, "edit", search="v90", replace="v90")
        assert "Use insert" in call(p, "edit", search="", replace="v90")
        many = call(p, "edit", search=" = 40\n", replace=" = 41\n", replace_all=True)
        assert many.startswith("6 places were replaced.") and p.bytes("m.py").count(b" = 41\n") == 12
        assert "NOT been applied" in call(p, "edit", search="v120 = 20", replace="v120 = (20")


def test_inserting_in_the_open_file() -> None:
    with panel(FILES, compose(editor="window_replace", format="function_calling")) as p:
        assert call(p, "insert", text="x = 1").startswith("No file open.")
        p.do("open m.py")
        assert "1:x = 1\n2:v1 = 1" in call(p, "insert", text="x = 1", line=0)
        assert "302:y = 1" in call(p, "insert", text="y = 1")
        assert p.bytes("m.py").endswith(b"v300 = 0\ny = 1\n")
        assert "there is no line 400" in call(p, "insert", text="y = 1", line=400)
        assert "exists already (file)" in call(p, "create", filename="m.py")
        assert "[File: /repo/new.py (0 lines total)]" in call(p, "create", filename="new.py")
        call(p, "insert", text="z = 1\n")
        assert p.bytes("new.py") == b"z = 1\n"


def test_without_a_viewer_files_are_named() -> None:
    with panel(FILES, compose(editor="window_replace", viewer="none")) as p:
        assert "2:b = 3" in call(p, "edit", path="crlf.py", search="b = 2", replace="b = 3")
        call(p, "insert", path="crlf.py", text="d = 4")
        assert p.bytes("crlf.py") == b"a = 1\r\nb = 3\r\nc = 3\r\nd = 4\r\n"
        assert "6 places of m.py were changed" in call(
            p, "edit", path="m.py", search=" = 40\n", replace=" = 41\n", replace_all=True
        )


def test_rewriting_the_window() -> None:
    with panel(FILES, compose(editor="window_rewrite", viewer="window30")) as p:
        assert p.says("edit\nx\nend_of_edit").startswith("No file open.")
        p.do("open m.py 100")  # shows 96 to 125
        rows = [f"v{i} = {i % 50}" for i in range(96, 126) if i != 110]
        shown = p.says("\n".join(["edit", *rows[:3], "new = 1", *rows[3:], "end_of_edit"]))
        assert shown.startswith("The shown lines were replaced.") and "99:new = 1" in shown
        expected = FILES["m.py"].replace(b"v98 = 48\n", b"v98 = 48\nnew = 1\n").replace(b"v110 = 10\n", b"")
        assert p.bytes("m.py") == expected
        assert "NOT been applied" in p.says("edit\nx = (\nend_of_edit")
        p.do("open raw.txt")
        p.do("edit\nfine\n\\xff\\xfe bad\nend\nend_of_edit")
        assert p.bytes("raw.txt") == b"fine\n\xff\xfe bad\nend"
        assert "changes nothing" in p.says("edit\nfine\n\\xff\\xfe bad\nend\nend_of_edit")
        p.do("create new.txt && edit\nfirst\nend_of_edit")
        assert p.bytes("new.txt") == b"first\n"


def test_there_must_be_a_window_to_rewrite() -> None:
    with pytest.raises(PluginError, match="there is no viewer; choose one"):
        compose(editor="window_rewrite", viewer="none")
    with panel(FILES, compose(editor="window_rewrite", viewer="full_file")) as p:
        p.do("open crlf.py && edit\na = 1\nb = 2\nc = 4\nend_of_edit")
        assert p.bytes("crlf.py") == b"a = 1\r\nb = 2\r\nc = 4\r\n"


def test_writing_whole_files() -> None:
    with panel(FILES, compose(editor="whole_file", viewer="none")) as p:
        assert "crlf.py was written" in p.says("write_file crlf.py\na = 1\nb = 5\nc = 3\nend_of_file")
        assert p.bytes("crlf.py") == b"a = 1\r\nb = 5\r\nc = 3"
        assert p.says("write_file d/n.py\nx = 1\nend_of_file") == "d/n.py was created.\n"
        assert "NOT been applied" in p.says("write_file d/n.py\nx = (\nend_of_file")
        assert "d is a directory" in p.says("write_file d\nx\nend_of_file")
        assert p.says("undo_edit crlf.py").startswith("The last edit of crlf.py was taken back.")
        assert p.bytes("crlf.py") == FILES["crlf.py"]


def test_undo_is_an_option_of_every_editor() -> None:
    for option in ("window_replace", "window_rewrite"):
        with panel(FILES, compose(editor={**node(f"editor/{option}"), "undo": True})) as p:
            p.do("open crlf.py")
            line = "edit 'a = 1' 'a = 2'" if option == "window_replace" else "edit\na = 2\nend_of_edit"
            p.do(line)
            assert p.bytes("crlf.py") != FILES["crlf.py"]
            assert "was taken back" in p.says("undo_edit crlf.py") and p.bytes("crlf.py") == FILES["crlf.py"]
