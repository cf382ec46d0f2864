"""POSIX basic regular expressions, as ``grep`` takes them, in Python's syntax.

Source: POSIX.1-2017, chapter 9.3, with GNU's additions (``\\+ \\? \\| \\< \\> \\b \\w …``).
"""

from __future__ import annotations

import re

_CLASSES = {
    "alpha": "a-zA-Z",
    "digit": "0-9",
    "alnum": "a-zA-Z0-9",
    "upper": "A-Z",
    "lower": "a-z",
    "space": r" \t\n\r\f\v",
    "blank": r" \t",
    "punct": r"!-/:-@\[-`{-~",
    "print": " -~",
    "graph": "!-~",
    "cntrl": r"\x00-\x1f\x7f",
    "xdigit": "0-9A-Fa-f",
}
_ESCAPES = {
    "|": "|",
    "<": r"\b(?=\w)", ">": r"\b(?<=\w)", "b": r"\b", "B": r"\B",
    "w": r"\w", "W": r"\W", "s": r"\s", "S": r"\S", "`": r"\A", "'": r"\Z",
}  # fmt: skip


def compile_bre(pattern: str) -> re.Pattern[str]:
    """Compile ``pattern``; lines of it are alternatives, as for grep.

    Raises:
        ValueError: it is no basic regular expression; the message says why.
    """
    alternatives = [f"(?:{_translate(line)})" for line in pattern.split("\n")]
    try:
        return re.compile("|".join(alternatives))
    except re.error as error:
        raise ValueError(f"Invalid regular expression: {error}") from error


def _translate(pattern: str) -> str:
    groups: list[list[str]] = [
        []
    ]  # open groups; each a list of atoms, the last of which a repetition applies to
    at = 0
    start = True  # of the expression, of a group or of an alternative: here * is itself and ^ is an anchor
    while at < len(pattern):
        atoms, char = groups[-1], pattern[at]
        at += 1
        if char == "\\":
            if at == len(pattern):
                raise ValueError("Trailing backslash")
            char, at = pattern[at], at + 1
            if char == "(":
                groups.append([])
            elif char == ")":
                if len(groups) == 1:
                    raise ValueError("Unmatched ) or \\)")
                groups.pop()
                groups[-1].append(f"({''.join(atoms)})")
            elif char == "{" and not start:
                interval, at = _interval(pattern, at)
                _repeat(atoms, interval)
            elif char in "+?" and not start:
                _repeat(atoms, char)
            elif char in "123456789":
                atoms.append(f"(?:\\{char})")
            elif char in "+?":
                atoms.append("\\" + char)
            else:
                atoms.append(_ESCAPES.get(char, re.escape(char)))
            start = char in "(|"
            continue
        if char == "^" and start:
            atoms.append("^")
            continue
        if char == "[":
            bracket, at = _bracket(pattern, at)
            atoms.append(bracket)
        elif char == "*" and not start:
            _repeat(atoms, "*")
        elif char == "$" and (at == len(pattern) or pattern.startswith(("\\)", "\\|"), at)):
            atoms.append("$")
        else:
            atoms.append("." if char == "." else re.escape(char))
        start = False
    if len(groups) > 1:
        raise ValueError("Unmatched ( or \\(")
    return "".join(groups[0])


def _repeat(atoms: list[str], how: str) -> None:
    """A repetition may follow a repetition or an anchor, which Python takes only in a group."""
    atoms[-1] = f"(?:{atoms[-1]}){how}"


def _interval(pattern: str, at: int) -> tuple[str, int]:
    """``\\{m,n\\}`` from behind its opening."""
    end = pattern.find("\\}", at)
    if end < 0:
        raise ValueError("Unmatched \\{")
    body = pattern[at:end]
    if not re.fullmatch(r"\d+|\d*,\d*", body):
        raise ValueError("Invalid content of \\{\\}")
    return "{" + (("0" + body) if body.startswith(",") else body) + "}", end + 2


def _bracket(pattern: str, at: int) -> tuple[str, int]:
    """``[...]`` from behind its opening. A backslash is an ordinary character in it."""
    out = "["
    if pattern.startswith("^", at):
        out, at = "[^", at + 1
    first = at
    while True:
        if at >= len(pattern):
            raise ValueError("Unmatched [, [^, [:, [., or [=")
        if pattern[at] == "]" and at > first:
            return out + "]", at + 1
        if pattern.startswith("[:", at):
            end = pattern.find(":]", at)
            name = pattern[at + 2 : end] if end >= 0 else ""
            if name not in _CLASSES:
                raise ValueError(
                    "Invalid character class name" if end >= 0 else "Unmatched [, [^, [:, [., or [="
                )
            out, at = out + _CLASSES[name], end + 2
            continue
        out += "\\" + pattern[at] if pattern[at] in r"\[]^&~|" else pattern[at]
        at += 1
