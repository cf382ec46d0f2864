"""Edits of what a statement gives: returned, raised, caught and assigned values."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from runner.models.embedded.lines import COMPOUND, LOOPS, Lines, blocks, is_docstring
from runner.models.embedded.source import Candidate, Span


class Results(Lines):
    """Proposes other results, and statements less."""

    def returned(self, node: ast.Return) -> Iterator[Candidate]:
        value = node.value
        if value is None:
            for name in self.scope.names:
                span = self.region.span(node)
                yield Candidate(span, f"return {name}", "return.value", f"`{name}` must be returned", 26)
            return
        span = self.region.span(value)
        if (
            isinstance(value, ast.Call)
            and isinstance(value.func, ast.Attribute)
            and value.func.attr
            in (
                "sort",
                "reverse",
                "append",
                "extend",
                "add",
                "update",
                "insert",
                "remove",
            )
        ):
            owner = self.region.source(value.func.value)
            yield Candidate(span, owner, "return.inplace", f"`.{value.func.attr}` returns None", 50)
            call = self.region.source(value)
            yield Candidate(
                self.region.span(node),
                f"{call}\n{self.region.indent(span.line)}return {owner}",
                "return.inplace",
                f"`.{value.func.attr}` returns None",
                48,
            )
        if not isinstance(value, ast.Constant):
            text = self.region.source(value)
            for name in self.scope.locals:
                if (
                    name != text
                    and name not in self.scope.comprehension
                    and self.scope.first_bound[name] < node.lineno
                ):
                    yield Candidate(span, name, "return.other", f"`{name}` must be returned", 24)
        for other in ("None", "[]", "0", "{}", '""', "False", "True"):
            if isinstance(value, ast.Constant | ast.List | ast.Dict) and other != self.region.source(value):
                yield Candidate(span, other, "return.constant", f"`{other}` must be returned", 18)
        for name in self.scope.parameters:
            if isinstance(value, ast.Constant):
                yield Candidate(span, name, "return.constant", f"`{name}` must be returned", 16)

    def jump(self, node: ast.Break | ast.Continue) -> Iterator[Candidate]:
        new = "continue" if isinstance(node, ast.Break) else "break"
        yield Candidate(self.region.span(node), new, "loop.jump", f"`{new}` is meant", 36)

    def raised(self, node: ast.Raise) -> Iterator[Candidate]:
        if isinstance(node.exc, ast.Call) and isinstance(node.exc.func, ast.Name):
            for error in self.material.errors:
                if error != node.exc.func.id:
                    span = self.region.span(node.exc.func)
                    yield Candidate(span, error, "raise.type", f"{error} must be raised", 44)
        if self.alone(node):
            for value in ("None", "[]", *self.scope.parameters[:2]):
                yield Candidate(self.region.span(node), f"return {value}", "raise.not", "it is no error", 14)

    def handler(self, node: ast.ExceptHandler) -> Iterator[Candidate]:
        if node.type is None or node.lineno is None:
            return
        span = self.region.span(node.type)
        text = self.region.source(node.type)
        for error in (
            *self.material.errors,
            "KeyError",
            "ValueError",
            "TypeError",
            "IndexError",
            "AttributeError",
            "LookupError",
        ):
            if error not in text:
                both = (
                    f"({text}, {error})" if not isinstance(node.type, ast.Tuple) else f"{text[:-1]}, {error})"
                )
                score = 36 if error in self.material.errors else 14
                yield Candidate(span, both, "handler.more", f"{error} is not caught", score)
                yield Candidate(span, error, "handler.other", f"{error} must be caught instead", score - 6)

    def assignment(self, node: ast.Assign | ast.AugAssign) -> Iterator[Candidate]:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Attribute) and self.alone(node):
            source = self.region.source(node.value)
            if re.fullmatch(r"self\._?\w*(count|number|next|index|id|seq|serial|total)\w*", source):
                for put, text in ((self.before, f"{source} += 1"), (self.after, f"{source} += 1")):
                    yield put(node, text, "statement.count", f"`{source}` is never counted up", 32)
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = self.region.source(node.targets[0])
            if (
                isinstance(node.targets[0], ast.Name | ast.Subscript | ast.Attribute)
                and self.region.inside(node, *LOOPS) is not None
            ):
                where = self.region.between(node.targets[0], node.value)
                for op in ("+=", "-=", "*="):
                    yield Candidate(where, f" {op} ", "assign.accumulate", "earlier values are lost", 24)
            if isinstance(node.targets[0], ast.Name):
                for name in self.scope.locals:
                    if (
                        name != target
                        and name not in self.scope.comprehension
                        and self.scope.first_bound[name] < node.lineno
                    ):
                        yield Candidate(
                            self.region.span(node.targets[0]), name, "name.target", f"`{name}` is meant", 20
                        )
        if isinstance(node, ast.AugAssign) and self.alone(node):
            text = self.region.source(node)
            for loop in self.region.walk(ast.While, ast.For):
                block: list[ast.stmt] = loop.body  # type: ignore[attr-defined]
                if node not in block and self.alone(block[-1]):
                    yield self.after(block[-1], text, "statement.repeat", "the step is missing here", 14)

    def remove(self, node: ast.stmt) -> Iterator[Candidate]:
        if not self.alone(node) or isinstance(node, ast.Import | ast.ImportFrom) or is_docstring(node):
            return
        block = next((b for b in blocks(self.region.parent(node)) if node in b), [])
        head = self.region.text(self.region.span(node).line).lstrip()
        if head.startswith("elif"):
            return
        if len(block) > 1:
            span = self.lines(node)
            gone = (
                Span(span.line, 0, span.end_line + 1, 0)
                if span.end_line < self.region.first + len(self.region.lines) - 1
                else Span(span.line - 1, len(self.region.text(span.line - 1)), span.end_line, span.end_col)
            )
            size = span.end_line - span.line
            yield Candidate(gone, "", "statement.drop", "the statement is too much", 24 - 4 * min(size, 3))
        elif len(block) == 1 and not isinstance(node, COMPOUND):
            yield Candidate(self.region.span(node), "pass", "statement.drop", "the statement is too much", 16)
