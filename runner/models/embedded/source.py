"""Python text with line numbers of its own: parsed where it stands, changed by replacing spans of text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """Text from (line, column) to (end line, end column): lines from 1, columns in characters from 0."""

    line: int
    col: int
    end_line: int
    end_col: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """One possible edit.

    Attributes:
        span: what is replaced, in the file's own line numbers.
        new: by what.
        kind: the rule that proposes it (``compare.boundary`` …).
        why: one clause for people.
        score: how plausible; higher is tried earlier.
        old: what stands there now.
    """

    span: Span
    new: str
    kind: str
    why: str
    score: float = 0.0
    old: str = ""


class Region:
    """A run of consecutive lines (one function, or module-level statements) and its syntax tree.

    Raises:
        SyntaxError: the text does not parse, e.g. because the window cut it.
    """

    def __init__(self, lines: list[str], first: int) -> None:
        self.lines = lines
        self.first = first
        # An indented function is parsed below an ``if``, so that columns stay those of the file.
        indented = bool(lines) and lines[0][:1].isspace()
        self.shift = first - (2 if indented else 1)
        text = ("if 1:\n" if indented else "") + "\n".join(lines) + "\n"
        tree = ast.parse(text)
        self.body: list[ast.stmt] = tree.body[0].body if indented else tree.body  # type: ignore[attr-defined]
        self.parents: dict[ast.AST, ast.AST] = {}
        self.order: list[ast.AST] = []
        for statement in self.body:
            for node in ast.walk(statement):
                self.order.append(node)
                for child in ast.iter_child_nodes(node):
                    self.parents[child] = node

    def text(self, line: int) -> str:
        """The line with the file's number ``line``."""
        return self.lines[line - self.first]

    def span(self, node: ast.expr | ast.stmt | ast.arg | ast.keyword | ast.ExceptHandler) -> Span:
        """Where ``node`` stands in the file."""
        assert node.end_lineno is not None and node.end_col_offset is not None
        line, end = node.lineno + self.shift, node.end_lineno + self.shift
        return Span(line, self._chars(line, node.col_offset), end, self._chars(end, node.end_col_offset))

    def source(self, node: ast.expr | ast.stmt | ast.arg | ast.keyword | ast.ExceptHandler) -> str:
        return self.cut(self.span(node))

    def cut(self, span: Span) -> str:
        """The text of ``span``."""
        if span.line == span.end_line:
            return self.text(span.line)[span.col : span.end_col]
        middle = [self.text(n) for n in range(span.line + 1, span.end_line)]
        return "\n".join(
            [self.text(span.line)[span.col :], *middle, self.text(span.end_line)[: span.end_col]]
        )

    def between(self, left: ast.expr, right: ast.expr) -> Span:
        """The text between two neighbours, where their operator is."""
        a, b = self.span(left), self.span(right)
        return Span(a.end_line, a.end_col, b.line, b.col)

    def indent(self, line: int) -> str:
        text = self.text(line)
        return text[: len(text) - len(text.lstrip())]

    def walk(self, *types: type[ast.AST]) -> Iterator[ast.AST]:
        """All nodes of these types, outer ones first."""
        return (node for node in self.order if isinstance(node, types))

    def parent(self, node: ast.AST) -> ast.AST | None:
        return self.parents.get(node)

    def statement(self, node: ast.AST) -> ast.stmt | None:
        """The statement that ``node`` belongs to."""
        current: ast.AST | None = node
        while current is not None and not isinstance(current, ast.stmt):
            current = self.parents.get(current)
        return current

    def inside(self, node: ast.AST, *types: type[ast.AST]) -> ast.AST | None:
        """The nearest ancestor of one of these types."""
        current = self.parents.get(node)
        while current is not None and not isinstance(current, types):
            current = self.parents.get(current)
        return current

    def docstring(self, node: ast.AST) -> bool:
        """Whether ``node`` is a string that stands alone (documentation)."""
        return isinstance(self.parents.get(node), ast.Expr)

    def _chars(self, line: int, byte: int) -> int:
        text = self.text(line)
        return byte if text.isascii() else len(text.encode()[:byte].decode("utf-8", "ignore"))


def apply(lines: list[str], first: int, candidate: Candidate) -> tuple[int, int, list[str]]:
    """The lines that ``candidate`` touches and what they become: (first line, last line, new lines).

    ``lines`` is consecutive text whose first line has number ``first``.
    """
    s = candidate.span
    head = lines[s.line - first][: s.col]
    tail = lines[s.end_line - first][s.end_col :]
    return s.line, s.end_line, (head + candidate.new + tail).split("\n")


_DEF = re.compile(r"^(\s*)(?:async\s+)?(def|class)\s+(\w+)")


@dataclass(frozen=True, slots=True)
class Definition:
    """A function or class seen in text: its lines, and whether its end was seen as well."""

    kind: str
    name: str
    line: int
    end: int
    owner: str
    complete: bool


def definitions(lines: list[str], first: int, at_end: bool) -> list[Definition]:
    """The functions and classes that begin in ``lines`` (consecutive, from line number ``first``).

    ``at_end`` says that the file ends with these lines. Decorators belong to what they decorate.
    """
    found: list[Definition] = []
    owners: list[tuple[int, str]] = []
    inside = _inside_strings(lines)
    for i, text in enumerate(lines):
        match = None if inside[i] else _DEF.match(text)
        if not match:
            continue
        depth = len(match[1])
        while owners and owners[-1][0] >= depth:
            owners.pop()
        owner = owners[-1][1] if owners else ""
        if match[2] == "class":
            owners.append((depth, match[3]))
        end, complete = len(lines) - 1, at_end
        for j in range(i + 1, len(lines)):
            other = lines[j]
            shallow = other.strip() and len(other) - len(other.lstrip()) <= depth
            # A closing bracket of a signature that spans lines stands as deep as its ``def``.
            if shallow and not inside[j] and not other.lstrip().startswith(("#", ")")):
                end, complete = j - 1, True
                break
        while end > i and not lines[end].strip():
            end -= 1
        start = i
        while start and lines[start - 1].strip().startswith("@") and not inside[start - 1]:
            start -= 1
        found.append(Definition(match[2], match[3], start + first, end + first, owner, complete))
    return found


def _inside_strings(lines: list[str]) -> list[bool]:
    """For every line, whether it begins inside a triple-quoted string."""
    result: list[bool] = []
    quote = ""
    for text in lines:
        result.append(bool(quote))
        rest = text
        while rest:
            if quote:
                _, found, rest = rest.partition(quote)
                if found:
                    quote = ""
                continue
            match = re.search(r'"""|\'\'\'|#|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'', rest)
            if not match or match[0] == "#":
                break
            if match[0] in ('"""', "'''"):
                quote = match[0]
            rest = rest[match.end() :]
    return result
