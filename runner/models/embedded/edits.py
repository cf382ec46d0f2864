"""What all edits of expressions are made with."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from runner.models.embedded.material import Material
from runner.models.embedded.scope import Scope
from runner.models.embedded.source import Candidate, Region, Span


class Edits:
    """A region, what its names mean, and what the issue offers."""

    def __init__(self, region: Region, scope: Scope, material: Material) -> None:
        self.region, self.scope, self.material = region, scope, material

    def is_default(self, node: ast.AST) -> bool:
        """Whether it is the default of a parameter, on which callers rely."""
        return isinstance(self.region.parent(node), ast.arguments)

    def replace(self, node: ast.expr, new: str, kind: str, why: str, score: float) -> Candidate:
        return Candidate(self.region.span(node), new, kind, why, score)

    def swap(self, a: ast.expr, b: ast.expr, kind: str, why: str, score: float) -> Candidate:
        first, second = self.region.span(a), self.region.span(b)
        whole = Span(first.line, first.col, second.end_line, second.end_col)
        middle = self.region.cut(self.region.between(a, b))
        return Candidate(whole, self.region.source(b) + middle + self.region.source(a), kind, why, score)

    def operator(
        self, left: ast.expr, right: ast.expr, old: str, new: str, kind: str, score: float
    ) -> Iterator[Candidate]:
        span = self.region.between(left, right)
        text = self.region.cut(span)
        if old in text and "#" not in text:
            # A sign that follows a bracket must not swallow it: only the operator itself is replaced.
            at = text.index(old)
            changed = text[:at] + new + text[at + len(old) :]
            yield Candidate(span, changed, kind, f"`{old}` should be `{new}`", score)
