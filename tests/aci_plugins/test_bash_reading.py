"""Reading command lines: which words are commands, and where the pieces are."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aci_plugins.bash import read

ENDS = {"edit": "end_of_edit"}
BITS = [
    *"ab \n;&|<>(){}$`'\"\\#=[]*~!12",
    "edit ",
    "if ",
    "do ",
    "case ",
    " in ",
    "esac",
    "<<E\n",
    "\nE\n",
    "$(",
    "&&",
]


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("cd a && b | c; d & e", ["cd", "b", "c", "d", "e"]),
        ("for i in vim; do a; done", ["a"]),
        ("for ((i=0;i<3;i++)); do a; done", ["a"]),
        ("while a; do b; done < f", ["a", "b"]),
        ("if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]),
        ("case $x in (vim|emacs) a;; *) b;; esac; c", ["a", "b", "c"]),
        ("f() { a; }; function g { b\n}\ng", ["a", "b", "g"]),
        ("[[ vim && -f x ]] && a", ["a"]),
        ("x=(vim nano) a", ["a"]),
        ('a $(b `c`) "$(d)" ${x:-$(e)} <(f)', ["a", "b", "c", "d", "e", "f"]),
        ("cat <<EOF\nvim\nEOF\na", ["cat", "a"]),
        ("cat <<-'E F' | b\n\tvim\n\tE F\na", ["cat", "b", "a"]),
        ("edit 1:2\nvim '\nend_of_edit\na", ["edit", "a"]),
        ("! a; time -p b", ["a", "b"]),
        ("2>/dev/null a >x 2>&1 &>y <z", ["a"]),
        ("((a<<2)); echo $((1<<2))", ["echo"]),
        ("a \\\n b # c; vim\n", ["a"]),
        ("{ a; b; } | c", ["a", "b", "c"]),
        ("'vi'm x; \\ls", ["vim", "ls"]),
    ],
)
def test_commands(text: str, commands: list[str]) -> None:
    line = read(text, ENDS)
    assert not line.error
    assert sorted(c.words[0].value for c in line.commands if c.words) == sorted(commands)


INCOMPLETE = [
    *("echo 'a", 'a "b', "a |", "a &&", "foo(", "if a; then b", "a )", "$(a", "a ${b", "`a", "for"),
    *("a >", ";; a"),
]


@pytest.mark.parametrize("text", INCOMPLETE)
def test_incomplete_lines_are_errors(text: str) -> None:
    assert read(text).error


@pytest.mark.parametrize(
    ("word", "value", "expands"),
    [
        ("'$x*'", "$x*", False),
        ('"a b"', "a b", False),
        ('"a\\$b"', "a$b", False),
        ("a\\*b", "a*b", False),
        ("$x", "$x", True),
        ('"${x}"', "${x}", True),
        ("~/a", "~/a", True),
        ("a~", "a~", False),
        ("*.py", "*.py", True),
        ("{a,b}", "{a,b}", True),
        ("{a}", "{a}", False),
        ("a$", "a$", False),
        ("$'a'", "$'a'", True),
        ('""', "", False),
    ],
)
def test_words(word: str, value: str, expands: bool) -> None:
    found = read(f"echo {word}").commands[0].words[1]
    assert (found.value, found.expands) == (value, expands)


def test_here_documents_stay_with_their_piece() -> None:
    line = read("cat <<A && b <<B; c\n1\nA\n2\nB\nd")
    assert [(p.operator, p.source, p.documents) for p in line.pieces] == [
        ("", "cat <<A", "1\nA\n"), ("&&", "b <<B", "2\nB\n"), (";", "c", ""), (";", "d", ""),
    ]  # fmt: skip


@settings(max_examples=300)
@given(st.lists(st.sampled_from(BITS), max_size=30).map("".join))
def test_reading_never_fails_and_loses_nothing(text: str) -> None:
    line = read(text, ENDS)
    if not line.error:
        for piece in line.pieces:
            assert piece.source.removesuffix(" &") in text
