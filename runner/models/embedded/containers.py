"""Edits of subscripts, displays and merges."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from runner.models.embedded.edits import Edits
from runner.models.embedded.source import Candidate, Span


class Containers(Edits):
    """Proposes other indices, slices and elements."""

    def subscript(self, node: ast.Subscript) -> Iterator[Candidate]:
        if self.region.inside(node, ast.arg) is not None:
            return
        source = self.region.source(node.value)
        if isinstance(node.slice, ast.Slice):
            yield self.replace(node, source, "slice.drop", "the slice is too much", 24)
            lower, upper = node.slice.lower, node.slice.upper
            parts = [self.region.source(p) if p is not None else "" for p in (lower, upper)]
            step = f":{self.region.source(node.slice.step)}" if node.slice.step is not None else ""
            for i, part in enumerate(parts):
                for new, why in (_stepped(part, 1), _stepped(part, -1)):
                    changed = [new if j == i else p for j, p in enumerate(parts)]
                    if new:
                        text = f"{source}[{changed[0]}:{changed[1]}{step}]"
                        yield self.replace(node, text, "slice.bound", why, 42 if part else 16)
                if part:
                    changed = ["" if j == i else p for j, p in enumerate(parts)]
                    text = f"{source}[{changed[0]}:{changed[1]}{step}]"
                    yield self.replace(node, text, "slice.open", "the slice is cut", 26)
            if any(parts):
                yield self.replace(
                    node,
                    f"{source}[{parts[1]}:{parts[0]}{step}]",
                    "slice.turn",
                    "the other part is meant",
                    26,
                )
            return
        index = node.slice
        if (
            isinstance(node.ctx, ast.Load)
            and isinstance(index, ast.Constant)
            and isinstance(index.value, int)
        ):
            yield self.replace(
                index, "-1" if index.value == 0 else "0", "index.end", "the other end is meant", 40
            )
        if isinstance(index, ast.UnaryOp) and isinstance(node.ctx, ast.Load):
            yield self.replace(index, "0", "index.end", "the other end is meant", 40)
        if isinstance(index, ast.Name | ast.BinOp | ast.Call):
            text = self.region.source(index)
            yield self.replace(index, text + " + 1", "index.plus", "the index is one too low", 28)
            yield self.replace(index, text + " - 1", "index.minus", "the index is one too high", 30)
        if isinstance(index, ast.Name | ast.Attribute | ast.Constant) and isinstance(node.ctx, ast.Load):
            key = self.region.source(index)
            for default in ("None", "0", "[]", '""'):
                yield self.replace(
                    node, f"{source}.get({key}, {default})", "index.get", "the key may be missing", 14
                )

    def elements(self, node: ast.Tuple | ast.List | ast.Set) -> Iterator[Candidate]:
        if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            if isinstance(node, ast.Tuple) and len(node.elts) <= 4:
                for a, b in zip(node.elts, node.elts[1:], strict=False):
                    yield self.swap(a, b, "tuple.order", "two targets are exchanged", 26)
            return
        if len(node.elts) <= 6:
            for a, b in zip(node.elts, node.elts[1:], strict=False):
                yield self.swap(a, b, "tuple.order", "two elements are exchanged", 28)
        if len(node.elts) < 2 or self.region.inside(node, ast.Subscript) is not None:
            return
        for i, element in enumerate(node.elts):
            if i:
                where = self.region.between(node.elts[i - 1], element)
                end = self.region.span(element)
                span = Span(where.line, where.col, end.end_line, end.end_col)
            else:
                start, after = self.region.span(element), self.region.span(node.elts[1])
                span = Span(start.line, start.col, after.line, after.col)
            yield Candidate(
                span, "", "elements.drop", f"`{self.region.source(element)}` does not belong there", 16
            )
        constants = [e.value for e in node.elts if isinstance(e, ast.Constant)]
        if len(constants) == len(node.elts):
            last = self.region.span(node.elts[-1])
            at = Span(last.end_line, last.end_col, last.end_line, last.end_col)
            pool: tuple[object, ...] = (*self.material.strings, *self.material.numbers)
            for value in pool:
                if value not in constants and type(value) is type(constants[0]):
                    yield Candidate(at, f", {value!r}", "elements.add", f"{value!r} is missing", 16)

    def merged(self, node: ast.Dict) -> Iterator[Candidate]:
        """``{**a, **b}``: the later one wins."""
        for a, b, first, second in zip(node.keys, node.keys[1:], node.values, node.values[1:], strict=False):
            if a is None and b is None:
                yield self.swap(first, second, "merge.order", "the other one must win", 34)


def _stepped(part: str, by: int) -> tuple[str, str]:
    why = "the bound is one too low" if by > 0 else "the bound is one too high"
    if not part:
        return ("1" if by > 0 else "-1"), why
    if part.lstrip("-").isdigit():
        return str(int(part) + by), why
    for sign, value in ((" + 1", -1), (" - 1", 1)):
        if part.endswith(sign) and by == value:
            return part[: -len(sign)], why
    return f"{part} {'+' if by > 0 else '-'} 1", why
