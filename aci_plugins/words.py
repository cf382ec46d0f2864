"""The words of a bash command line, and what bash would expand in them. Nothing is expanded here."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

META = frozenset(" \t\n;&|<>()")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*(\[[^]]*\])?\+?=")
_PARAMETER = re.compile(r"[A-Za-z_]\w*|[0-9@*#?$!-]")
_BRACES = re.compile(r"\{[^{}]*(,|\.\.)[^{}]*\}")


class Unreadable(ValueError):
    """The text is not a complete command line; bash would answer with a syntax error."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word: as written, without its quotes, and whether bash would put something else in its place."""

    raw: str
    value: str
    expands: bool = False

    @property
    def assigns(self) -> bool:
        """Whether it is an assignment when it stands before a command's name."""
        return bool(_ASSIGNMENT.match(self.raw))


class Words:
    """A place in a text, and the word that begins there.

    ``inside(at)`` reads commands from ``at`` up to the ")" that ends them, and returns where they end;
    ``quoted_inside(text)`` reads the commands between backticks.
    """

    def __init__(
        self, text: str, at: int, inside: Callable[[int], int], quoted_inside: Callable[[str], None]
    ) -> None:
        self.text, self.at = text, at
        self._inside, self._quoted_inside = inside, quoted_inside
        self._value: list[str] = []

    def word(self) -> Word:
        """Read the word that begins here.

        Raises:
            Unreadable: a quote, brace or parenthesis is never closed.
        """
        text, start = self.text, self.at
        self._value = []
        expands = bare_brace = False
        while self.at < len(text):
            c = text[self.at]
            if c == "\\":
                if self.at + 1 >= len(text):
                    raise Unreadable("a backslash at the end")
                self._value.append(text[self.at + 1].replace("\n", ""))
                self.at += 2
            elif c == "'":
                end = self._closing("'", self.at + 1)
                self._value.append(text[self.at + 1 : end])
                self.at = end + 1
            elif c == '"':
                expands |= self._double_quoted()
            elif c == "$":
                expands |= self._dollar()
            elif c == "`":
                expands |= self._backticks()
            elif text.startswith(("<(", ">("), self.at):
                begin = self.at
                self.at = self._inside(begin + 2)
                self._value.append(text[begin : self.at])
                expands = True
            elif c == "(" and _ASSIGNMENT.fullmatch(text[start : self.at]):
                self._array()
            elif c in META:
                break
            else:
                expands |= c in "*?[" or (c == "~" and self.at == start)
                bare_brace |= c == "{"
                self._value.append(c)
                self.at += 1
        raw = text[start : self.at]
        return Word(raw, "".join(self._value), expands or (bare_brace and bool(_BRACES.search(raw))))

    def arithmetic(self, start: int) -> bool:
        """Go to the end of the ``((…))`` that begins at ``start``; False, and nothing, if it is none."""
        depth = 0
        for at in range(start, len(self.text)):
            depth += (self.text[at] == "(") - (self.text[at] == ")")
            if depth == 0:
                if self.text[at - 1 : at + 1] != "))":
                    return False
                self.at = at + 1
                return True
        return False

    def _array(self) -> None:
        self.at += 1
        while self.at < len(self.text):
            if self.text[self.at] == ")":
                self.at += 1
                return
            inner = Words(self.text, self.at, self._inside, self._quoted_inside)
            inner.word()
            self.at = max(inner.at, self.at + 1)
        raise Unreadable("missing ')'")

    def _double_quoted(self) -> bool:
        text, expands = self.text, False
        self.at += 1
        while self.at < len(text):
            c = text[self.at]
            if c == '"':
                self.at += 1
                return expands
            if c == "\\" and text[self.at + 1 : self.at + 2] in ("$", "`", '"', "\\", "\n"):
                self._value.append(text[self.at + 1].replace("\n", ""))
                self.at += 2
            elif c == "$":
                expands |= self._dollar(quoted=True)
            elif c == "`":
                expands |= self._backticks()
            else:
                self._value.append(c)
                self.at += 1
        raise Unreadable("missing closing '\"'")

    def _dollar(self, quoted: bool = False) -> bool:
        text, start = self.text, self.at
        after = text[start + 1 : start + 2]
        if after == '"' and not quoted:
            self.at += 1
            return False
        if text.startswith("$((", start) and self.arithmetic(start + 1):
            pass
        elif after == "(":
            self.at = self._inside(start + 2)
        elif after == "{":
            self._braces()
        elif after == "'" and not quoted:
            self.at = start + 2
            while self.at < len(text) and text[self.at] != "'":
                self.at += 2 if text[self.at] == "\\" else 1
            self.at = self._closing("'", self.at) + 1
        elif found := _PARAMETER.match(text, start + 1):
            self.at = found.end()
        else:
            self._value.append("$")
            self.at += 1
            return False
        self._value.append(text[start : self.at])
        return True

    def _braces(self) -> None:
        kept, self._value = self._value, []
        self.at += 2
        while self.at < len(self.text):
            c = self.text[self.at]
            if c == "}":
                self.at += 1
                self._value = kept
                return
            if c == "\\":
                self.at += 2
            elif c == "'":
                self.at = self._closing("'", self.at + 1) + 1
            elif c == '"':
                self._double_quoted()
            elif c == "$":
                self._dollar()
            elif c == "`":
                self._backticks()
            else:
                self.at += 1
        raise Unreadable("missing '}'")

    def _backticks(self) -> bool:
        start = self.at
        end = start + 1
        while end < len(self.text) and self.text[end] != "`":
            end += 2 if self.text[end] == "\\" else 1
        end = self._closing("`", end)
        self._quoted_inside(re.sub(r"\\([`$\\])", r"\1", self.text[start + 1 : end]))
        self._value.append(self.text[start : end + 1])
        self.at = end + 1
        return True

    def _closing(self, quote: str, start: int) -> int:
        end = self.text.find(quote, start)
        if end < 0:
            raise Unreadable(f"missing closing {quote}")
        return end
