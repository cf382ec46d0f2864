"""Edits of constants: numbers, texts, patterns."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator

from runner.models.embedded.edits import Edits
from runner.models.embedded.source import Candidate


class Constants(Edits):
    """Proposes other constants."""

    def constant(self, node: ast.Constant) -> Iterator[Candidate]:
        value = node.value
        if self.is_default(node) and not isinstance(value, bool | None):
            return
        if isinstance(value, bool):
            yield self.replace(
                node,
                str(not value),
                "constant.bool",
                f"`{value}` should be `{not value}`",
                20 if self.is_default(node) else 46,
            )
        elif isinstance(value, int):
            yield from self._integer(node, value)
        elif isinstance(value, float):
            for other in (
                value * 2,
                value / 2,
                value + 1,
                value - 1,
                1.0,
                0.0,
                value * 10,
                value / 10,
                1 / value if value else 1.0,
            ):
                if other != value:
                    yield self._number(node, other, 22)
            for number in self.material.numbers:
                if number != value:
                    yield self._number(node, number, 26)
        elif isinstance(value, str):
            yield from self._string(node, value)
        elif value is None:
            for new in ("[]", "{}", '""', "0", "False", "True"):
                yield self.replace(node, new, "constant.none", f"`None` should be `{new}`", 16)

    def _integer(self, node: ast.Constant, value: int) -> Iterator[Candidate]:
        near = isinstance(
            self.region.parent(node), ast.Call | ast.Slice | ast.Subscript | ast.Compare | ast.BinOp
        )
        seen: set[int | float] = {value}
        options: list[tuple[int | float, float]] = [
            (value + 1, 50 if near else 44),
            (value - 1, 50 if near else 44),
            (0, 34),
            (1, 34),
            (-value, 20),
            (-1, 26),
            (2, 18),
        ]
        options += [(n, 30) for n in self.material.numbers if isinstance(n, int)]
        options += [(n, 19) for n in self.material.code_numbers]
        options += [(value + 2, 16), (value - 2, 16), (value * 10, 12), (value // 10, 8), (10, 6)]
        for number, score in options:
            if number not in seen:
                seen.add(number)
                yield self._number(node, number, score)

    def _number(self, node: ast.Constant, number: int | float, score: float) -> Candidate:
        parent = self.region.parent(node)
        new = str(number)
        if number < 0 and isinstance(parent, ast.BinOp):
            new = f"({new})"
        return self.replace(
            node, new, "constant.number", f"{self.region.source(node)} should be {number}", score
        )

    def _string(self, node: ast.Constant, value: str) -> Iterator[Candidate]:
        if "\n" in self.region.source(node) or isinstance(self.region.parent(node), ast.JoinedStr):
            return
        options: list[tuple[str, float, str]] = []
        close = difflib.get_close_matches(value, self.material.strings, n=3, cutoff=0.6)
        for other in self.material.strings:
            likely = other in close and len(value) > 2
            if likely or other in self.material.named or other[:1].isalnum() == value[:1].isalnum():
                named = 24.0 if other in self.material.named else 12.0
                options.append((other, 40.0 if likely else named, "another text fits"))
        options += [
            (value.lower(), 20, "the case is wrong"),
            (value.upper(), 20, "the case is wrong"),
            (value.capitalize(), 20, "the case is wrong"),
            (value.strip(), 20, "the blanks are wrong"),
            ("" if value.isspace() else " ", 22, "the separator is wrong"),
            (value + " ", 12, "a blank is missing"),
            (" " + value, 10, "a blank is missing"),
            (value[::-1], 14, "the order of the characters is wrong"),
            (value[:-1], 18, "the last character is too much"),
            (value[1:], 16, "the first character is too much"),
        ]
        if value.isalpha() and value.islower() and len(value) > 2:
            options.append((value + value.upper(), 22, "upper case is missing"))
        if 2 < len(value) <= 12 and not any(c.isspace() for c in value):
            options += [
                (value[:i] + value[i + 1 :], 10, "a character is too much") for i in range(1, len(value) - 1)
            ]
        if re.search(r"\[[^\]]+\]|\\[dwsS]|[*+?]", value) and len(value) > 3:
            options += [
                (new, 46 if "match too" in why else 26, why)
                for new, why in _patterns(value, self.material.marks)
            ]
        seen = {value}
        for new, score, why in options:
            if new not in seen:
                seen.add(new)
                yield self.replace(
                    node, _quoted(new, self.region.source(node)), "constant.string", why, score
                )


def _patterns(value: str, marks: str) -> Iterator[tuple[str, str]]:
    """Changes of a regular expression: characters that the issue shows, repetition, anchors."""
    for match in re.finditer(r"\[\^?[^\]]+\]", value):
        for mark in marks:
            if mark not in (match[0][1:-1].strip("-") if mark != "-" else match[0][1] + match[0][-2]):
                at = match.end() - 1
                yield (
                    value[:at] + ("\\" if mark in "]^\\" else "") + mark + value[at:],
                    f"`{mark}` must match too",
                )
    for match in re.finditer(r"(?<!\\)[*+]\??", value):
        other = "+" if match[0][0] == "*" else "*"
        yield value[: match.start()] + other + value[match.end() :], "the repetition is wrong"
        lazy = match[0][0] if match[0].endswith("?") else match[0] + "?"
        yield value[: match.start()] + lazy + value[match.end() :], "it matches too much or too little"
    yield (value[:-1] if value.endswith("$") else value + "$"), "the end of the text counts"
    yield (value[1:] if value.startswith("^") else "^" + value), "the beginning of the text counts"


def _quoted(text: str, like: str) -> str:
    made = repr(text)
    mark = re.match(r"[rR](['\"])", like)
    if mark and mark[1] not in text and "\n" not in text and not text.endswith("\\"):
        return f"{like[0]}{mark[1]}{text}{mark[1]}"
    if like.lstrip("rbuRBU").startswith('"') and '"' not in text and "'" not in text and "\\" not in text:
        return f'"{text}"'
    return made
