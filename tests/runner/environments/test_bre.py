"""The translation of basic regular expressions, against the real grep."""

from __future__ import annotations

import re
import subprocess

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from runner.environments.bre import compile_bre

LINES = [
    "a",
    "b",
    "ab",
    "aab",
    "abc",
    "a.c",
    "a*b",
    "(a)",
    "[a]",
    "a b",
    "",
    "^a",
    "a$",
    "+",
    "a{2}",
    "A1_",
    "-",
    "]",
    "\\",
]
PIECES = [
    *"abAc1.*^$[]()+?{}|-_ ",
    *(
        "\\(",
        "\\)",
        "\\|",
        "\\+",
        "\\?",
        "\\.",
        "\\*",
        "\\[",
        "\\$",
        "\\^",
        "\\\\",
        "\\{1\\}",
        "\\{1,2\\}",
        "\\{,1\\}",
    ),
    *(
        "\\<",
        "\\>",
        "\\b",
        "\\w",
        "\\W",
        "\\s",
        "[ab]",
        "[^ab]",
        "[a-c]",
        "[[:digit:]_]",
        "[]a]",
        "[^]]",
        "[a\\]",
        "\\1",
    ),
]


def grep(pattern: str) -> set[str] | None:
    """The lines that grep finds; None if it refuses the pattern."""
    env = {"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}
    text = "\n".join(LINES) + "\n"
    done = subprocess.run(
        ["grep", "-e", pattern], input=text, capture_output=True, text=True, env=env, check=False
    )
    return None if done.returncode == 2 else set(done.stdout.split("\n")[:-1])


#: A repetition of an anchor means nothing in POSIX, and GNU's answers are not consistent.
UNDEFINED = re.compile(r"\\[<>bB](\*|\\[+?{])")


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join))
def test_like_grep(pattern: str) -> None:
    assume(not UNDEFINED.search(pattern))
    try:
        regex = compile_bre(pattern)
    except ValueError:
        assert grep(pattern) is None
        return
    assert {line for line in LINES if regex.search(line)} == grep(pattern)


@pytest.mark.parametrize("pattern", ["[", "[a", "\\(", "\\)", "a\\", "a\\{1", "[[:nope:]]", "a\\{x\\}"])
def test_errors(pattern: str) -> None:
    assert grep(pattern) is None
    with pytest.raises(ValueError, match=r"\w"):
        compile_bre(pattern)


def test_lines_are_alternatives() -> None:
    regex = compile_bre("ab\n^x")
    assert regex.search("cab") and regex.search("xy") and not regex.search("yx")
