"""The check of languages other than Python: only errors that an edit brought in are refused."""

from __future__ import annotations

import pytest

from aci_plugins.editor import syntax
from aci_plugins.plugin import PluginError, build
from tests.aci_plugins.panel import compose, edit, node, panel

WRONG = {
    "a.c": ("int main(void) {\n    return 0;\n}\n", "    return (0;"),
    "a.h": ("class A {\n    int x;\n};\n", "    int x = = 1;"),
    "a.cpp": ("template <class T>\nT f(T x) { return x; }\n", "T f(T x) { return x;"),
    "a.go": ("package a\nfunc f() int { return 1 }\n", "func f() int { return 1"),
    "A.java": ("class A {\n    int f() { return 1; }\n}\n", "    int f() { return 1 }"),
    "a.js": ("const f = (x) => {\n  return x?.y ?? 1;\n};\n", "  return x?.y ?? ;"),
    "a.ts": ("function f<T>(x: T): T {\n  return x as T;\n}\n", "  return x as ;"),
    "a.tsx": ("const a = (\n  <A b={1} />\n);\n", "  <A b={1 />"),
    "a.php": ("<?php\nfunction f(int $x): int { return $x; }\n", "function f(int $x): int { return $x;"),
    "a.rb": ("def f(x)\n  x.map { |y| y + 1 }\nend\n", "  x.map { |y| y + 1"),
    "a.rs": ("fn f(x: i32) -> i32 {\n    x + 1\n}\n", "    x + (1"),
}
FILES = {name: text.encode() for name, (text, _) in WRONG.items()}


@pytest.mark.parametrize("name", sorted(WRONG))
def test_an_edit_that_breaks_the_syntax_is_refused(name: str) -> None:
    right, wrong = WRONG[name]
    with panel(FILES, compose(editor="lint_languages")) as p:
        assert syntax.mistakes(name, FILES[name]) == ()
        p.do(f"open {name}")
        refused = p.do(edit("2:2", wrong))
        assert refused.failed_edit and "- SYNTAX line " in refused.text and p.bytes(name) == FILES[name]
        assert not p.do(edit("2:2", right.split("\n")[1] + " ")).failed_edit


def test_errors_that_were_there_before_do_not_count() -> None:
    old = b"int x = = 1;\n\n\nint g(void) {\n    return 1;\n}\n"
    with panel({"a.c": old}, compose(editor="lint_languages")) as p:
        p.do("open a.c")
        assert not p.do(edit("5:5", "    return 2;", "    /* more */")).failed_edit
        assert p.do(edit("5:5", "    return (2;")).failed_edit
        assert not p.do(edit("1:1", "int x = 1;")).failed_edit
        assert p.do(edit("1:1", "int x = = 1;")).failed_edit


def test_other_files_and_other_options_are_not_checked() -> None:
    with panel({"a.txt": b"x\n", **FILES}, compose(editor="lint_languages")) as p:
        p.do("open a.txt")
        assert not p.do(edit("1:1", "int f( {")).failed_edit
        p.do("open a.c")
        assert p.do(edit("1:1", "int main(void) {{")).failed_edit
    with panel(FILES) as p:
        p.do("open a.c")
        assert not p.do(edit("1:1", "int main(void) {{")).failed_edit


def test_deep_nesting_and_bytes_that_are_no_text() -> None:
    pytest.importorskip("tree_sitter")
    for data in (b"int x = " + b"(" * 50_000, b"\0\xff\xfe{" * 100, b""):
        assert isinstance(syntax.mistakes("a.c", data), tuple)


def test_without_the_grammars_the_option_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(syntax, "find_spec", lambda name: None)
    with pytest.raises(
        PluginError, match=r"needs tree_sitter\w*, which is not installed: pip install"
    ) as caught:
        build(node("editor/lint_languages"))
    assert caught.value.key == "lint"


def test_a_check_that_does_not_exist_is_refused() -> None:
    with pytest.raises(PluginError, match="there is no check 'E998'"):
        build({**node("editor/lint"), "lint": ["E998"]})
