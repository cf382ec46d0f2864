"""What all edits of statements are made with: whole lines at the right depth."""

from __future__ import annotations

import ast

from runner.models.embedded.material import Material
from runner.models.embedded.scope import Scope
from runner.models.embedded.source import Candidate, Region, Span

LOOPS = (ast.For, ast.While)
COMPOUND = (
    ast.If,
    ast.For,
    ast.While,
    ast.With,
    ast.Try,
    ast.FunctionDef,
    ast.ClassDef,
    ast.AsyncFunctionDef,
)


class Lines:
    """A region, what its names mean, and what the issue offers."""

    def __init__(self, region: Region, scope: Scope, material: Material) -> None:
        self.region, self.scope, self.material = region, scope, material

    def lines(self, node: ast.stmt) -> Span:
        """The whole lines of a statement, line break included."""
        span = self.region.span(node)
        return Span(span.line, 0, span.end_line, len(self.region.text(span.end_line)))

    def alone(self, node: ast.stmt) -> bool:
        """Whether the statement has its lines to itself (no ``;``, no ``if x: y``)."""
        span = self.region.span(node)
        before = self.region.text(span.line)[: span.col]
        after = self.region.text(span.end_line)[span.end_col :].strip()
        return not before.strip() and (not after or after.startswith("#"))

    def before(self, node: ast.stmt, text: str, kind: str, why: str, score: float) -> Candidate:
        line = self.region.span(node).line
        indent = self.region.indent(line)
        body = "\n".join(indent + part for part in text.split("\n"))
        return Candidate(Span(line, 0, line, 0), body + "\n", kind, why, score)

    def after(self, node: ast.stmt, text: str, kind: str, why: str, score: float) -> Candidate:
        span = self.region.span(node)
        indent = self.region.indent(span.line)
        body = "\n".join(indent + part for part in text.split("\n"))
        end = len(self.region.text(span.end_line))
        return Candidate(Span(span.end_line, end, span.end_line, end), "\n" + body, kind, why, score)

    def text(self, nodes: list[ast.stmt], shift: str = "") -> str:
        """The lines of consecutive statements; ``shift`` is put before each, "-" takes four blanks away."""
        first, last = self.lines(nodes[0]), self.lines(nodes[-1])
        lines = self.region.cut(Span(first.line, 0, last.end_line, last.end_col)).split("\n")
        if shift == "-":
            return "\n".join(line[4:] if line.startswith("    ") else line for line in lines)
        return "\n".join(shift + line if line.strip() else line for line in lines)

    def cover(self, nodes: list[ast.stmt]) -> Span:
        first, last = self.lines(nodes[0]), self.lines(nodes[-1])
        return Span(first.line, 0, last.end_line, last.end_col)


def blocks(node: ast.AST | None) -> list[list[ast.stmt]]:
    """The statement lists of ``node``."""
    if node is None:
        return []
    found = [getattr(node, name, None) for name in ("body", "orelse", "finalbody")]
    return [b for b in found if isinstance(b, list) and b and isinstance(b[0], ast.stmt)]


def is_docstring(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
