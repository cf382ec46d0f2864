"""Files that break naive tools: everything can be looked at, and bytes outside an edit never change."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aci_plugins.files import TextFile
from tests.aci_plugins.panel import compose, edit, panel

FILES: dict[str, bytes] = {
    "crlf.py": b"a = 1\r\nb = 2\r\nc = 3\r\n",
    "mixed.txt": b"a\r\nb\nc\n",
    "latin1.py": "# -*- coding: latin-1 -*-\ns = 'caf\xe9'\nt = 1\n".encode("latin-1"),
    "raw.txt": b"ok\n\xff\xfe bad\nend\n",
    "bom.py": b"\xef\xbb\xbfa = 1\nb = 2\n",
    "nonl.txt": b"one\ntwo\nthree",
    "bin.dat": b"T\x00\x01\nx\n",
    "empty.py": b"",
    "formfeed.py": b"a = 1\n\x0c\ndef f():\n    return 2\n",
    "separators.py": "s = 'h\u2028w\x85'\nt = 1\n".encode(),
    "long.txt": b"x" * 200_000 + b"\nshort\n",
    "oldmac.txt": b"a\rb\rc",
    "with space.py": b"x = 1\n",
    "it's.py": b"x = 1\n",
    '"q".py': b"x = 1\n",
    "-dash.py": b"x = 1\n",
    "h\u00e9.py": b"x = 1\n",
    "$HOME.py": b"x = 1\n",
    "idna.py": b"# coding: idna\nx = '\xff'\n",
    "codec.py": b"# coding: no-such-codec\nx = 1\n",
}


@pytest.mark.parametrize("name", sorted(FILES))
def test_every_file_can_be_looked_at(name: str) -> None:
    data = FILES[name]
    lines = data.count(b"\n") + (not data.endswith(b"\n") and data != b"")
    with panel(FILES) as p:
        assert f"{name} ({lines} lines total)]" in p.do(p.aci.action("open", path=name)).text
        for command in (
            "goto 1",
            "scroll_down",
            "scroll_up",
            "search_file x",
            "search_dir x",
            edit("1:1", "x = 1"),
        ):
            p.do(command)
        assert p.says("echo alive") == "alive\n"


@pytest.mark.parametrize(
    ("name", "lines", "new", "after"),
    [
        ("crlf.py", "2:2", "b = 9", b"a = 1\r\nb = 9\r\nc = 3\r\n"),
        ("crlf.py", "2:2", "b = 9\r", b"a = 1\r\nb = 9\r\nc = 3\r\n"),
        ("mixed.txt", "3:3", "C", b"a\r\nb\nC\n"),
        ("latin1.py", "3:3", "t = '\xe9'", b"# -*- coding: latin-1 -*-\ns = 'caf\xe9'\nt = '\xe9'\n"),
        ("raw.txt", "3:3", "END", b"ok\n\xff\xfe bad\nEND\n"),
        ("bom.py", "1:1", "a = 3", b"\xef\xbb\xbfa = 3\nb = 2\n"),
        ("nonl.txt", "1:1", "ONE", b"ONE\ntwo\nthree"),
        ("nonl.txt", "3:3", "THREE", b"one\ntwo\nTHREE\n"),
        ("nonl.txt", "9:9", "four", b"one\ntwo\nthree\nfour\n"),
        ("bin.dat", "2:2", "y", b"T\x00\x01\ny\n"),
        ("empty.py", "1:1", "z = 1", b"z = 1\n"),
        ("formfeed.py", "1:1", "a = 2", b"a = 2\n\x0c\ndef f():\n    return 2\n"),
        ("separators.py", "2:2", "t = 2", "s = 'h\u2028w\x85'\nt = 2\n".encode()),
        ("long.txt", "2:2", "s", b"x" * 200_000 + b"\ns\n"),
    ],
)
def test_bytes_outside_an_edit_stay(name: str, lines: str, new: str, after: bytes) -> None:
    with panel(FILES, compose(editor="no_lint")) as p:
        p.do(p.aci.action("open", path=name))
        p.do(edit(lines, new))
        assert p.bytes(name) == after


def test_text_that_the_encoding_of_a_file_lacks_is_refused() -> None:
    with panel(FILES) as p:
        p.do("open latin1.py")
        observation = p.do(edit("3:3", "t = '\u65e5'"))
        assert observation.failed_edit and "encoding is latin-1" in observation.text
        assert p.bytes("latin1.py") == FILES["latin1.py"]


def test_rows_are_those_of_newlines_only() -> None:
    with panel(FILES) as p:
        assert p.says("open formfeed.py").splitlines()[0] == "[File: /repo/formfeed.py (4 lines total)]"
        assert "1:caf" not in p.says("open latin1.py")
        assert "2:s = 'caf\xe9'" in p.says("open latin1.py")
        assert "2:\\xff\\xfe bad" in p.says("open raw.txt")
        assert "1:T\\x00\x01" in p.says("open bin.dat")
        assert p.says("open crlf.py").splitlines()[1] == "1:a = 1"


@given(
    st.binary(max_size=60),
    st.integers(1, 8),
    st.integers(0, 4),
    st.lists(st.text("ab", max_size=3), max_size=3),
)
def test_any_bytes(data: bytes, first: int, length: int, new: list[str]) -> None:
    file = TextFile.of(data)
    assert file.data == data
    last = first + length
    after = file.replaced(first, last, new)
    kept_before, kept_after = file.lines[: first - 1], file.lines[last:]
    assert after.lines[len(after.lines) - len(kept_after) :] == kept_after
    assert b"".join(after.lines).startswith(b"".join(kept_before))
    assert after.bom == file.bom
    assert len(after.lines) == len(kept_before) + len(new) + len(kept_after)
    assert len(file.rows(1, 100)) == len(file.lines)


@pytest.mark.parametrize("number", ["9" * 5000, "99999999999999999999"])
def test_numbers_beyond_any_file(number: str) -> None:
    with panel({"a.py": b"x = 1\n"}) as p:
        assert "less than or equal to 1" in p.says(f"open a.py; goto {number}")
        assert "Warning: Setting <line_number> to 1" in p.says(f"open a.py {number}")
        p.do(edit(f"{number}:{number}", "y = 2"))
        assert p.bytes("a.py") == b"x = 1\ny = 2\n"
