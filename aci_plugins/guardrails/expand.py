"""What bash would make of a word, as far as the text alone tells."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import product

from aci_plugins.words import Word

HOME = "~"
"""Stands for the home folder, wherever that is."""

_ANSI = re.compile(r"\$'((?:[^'\\]|\\.)*)'", re.DOTALL)
_VARIABLE = re.compile(r"\$\{(\w+|[@*])(?::?[-=]([^}]*)|\[[@*0]\])?\}|\$(\w+|[@*])")
_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
_SEPARATOR = re.compile(r"\$\{?IFS(?:%\?\?)?\}?(?:\$9)?")
_MAX_WORDS = 64


def expanded(word: Word, variables: Mapping[str, str], output: Callable[[str], str | None]) -> list[str]:
    """The words that ``word`` becomes. What is not known stays as it is written (``$x``, ``$(date)``), globs too.

    ``output``: what commands in a substitution print; None if that is not known.
    """
    if not word.expands:
        quoted_tilde = word.value.startswith("~") and word.raw[:1] != "~" and " " not in word.value
        return [f"./{word.value}" if quoted_tilde else word.value]
    text = _ANSI.sub(lambda found: unescaped(found[1]), word.value)
    texts = _alternatives(text) if "{" in word.raw and word.raw[:1] not in "'\"" else [text]
    words: list[str] = []
    for each in texts:
        split = _SEPARATOR.sub("\0", each)
        known = _with_variables(_with_outputs(split, output), variables)
        quoted = word.raw[:1] in "'\""
        whole = quoted or known == each  # what is not known stays one word
        parts = known.split("\0") if whole else known.replace("\0", " ").split()
        words += [part for part in parts if part]
    return words or [""]


def unescaped(text: str) -> str:
    """``text`` with backslash escapes as ``$'…'``, ``echo -e`` and ``printf`` read them."""
    if "\\" not in text:
        return text

    def character(found: re.Match[str]) -> str:
        code = found[1]
        if code[0] in "xuU" and len(code) > 1:
            return chr(min(int(code[1:], 16), 0x10FFFF))
        if code[0] in "01234567":
            return chr(int(code, 8) % 256)
        return {"n": "\n", "t": "\t", "r": "\r", "e": "\x1b", "a": "\a", "b": "\b"}.get(code, code)

    pattern = r"\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[0-7]{1,4}|.)"
    return re.sub(pattern, character, text, flags=re.DOTALL)


def substitutions(text: str) -> list[tuple[int, int, str]]:
    """The ``$(…)``, ``<(…)`` and backticks in ``text``: where each begins and ends, and what is in it."""
    found, at = [], 0
    while at < len(text):
        if text.startswith(("$(", "<("), at) and not text.startswith("$((", at):
            depth, end = 1, at + 2
            while end < len(text) and depth:
                depth += (text[end] == "(") - (text[end] == ")")
                end += 1
            found.append((at, end, text[at + 2 : end - 1]))
            at = end
        elif text[at] == "`" and (end := text.find("`", at + 1)) > 0:
            found.append((at, end + 1, text[at + 1 : end]))
            at = end + 1
        else:
            at += 1
    return found


def _with_outputs(text: str, output: Callable[[str], str | None]) -> str:
    for begin, end, inner in reversed(substitutions(text)):
        if text[begin] != "<" and (printed := output(inner)) is not None:
            text = text[:begin] + printed.rstrip("\n") + text[end:]
    return text


def _with_variables(text: str, variables: Mapping[str, str]) -> str:
    def value(found: re.Match[str]) -> str:
        name = found[1] or found[3]
        default: str | None = found[2]
        return variables.get(name, found[0] if default is None else default)

    return _VARIABLE.sub(value, text)


def _alternatives(text: str) -> list[str]:
    parts = _BRACES.split(text)
    choices = [part.split(",") if number % 2 else [part] for number, part in enumerate(parts)]
    return ["".join(chosen) for chosen, _ in zip(product(*choices), range(_MAX_WORDS), strict=False)]
