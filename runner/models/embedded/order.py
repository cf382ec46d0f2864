"""Edits of blocks: order, depth, guards, and statements that others have."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from runner.models.embedded.lines import COMPOUND, LOOPS, Lines, is_docstring
from runner.models.embedded.scope import BUILTINS
from runner.models.embedded.source import Candidate, Span


class Order(Lines):
    """Proposes statements elsewhere."""

    def block(self, owner: ast.AST, block: list[ast.stmt]) -> Iterator[Candidate]:
        if not all(self.alone(s) for s in block):
            return
        last = block[-1]
        for a, b in zip(block, block[1:], strict=False):
            if (
                not isinstance(a, COMPOUND)
                and not isinstance(b, (*COMPOUND, ast.Return, ast.Raise))
                and not is_docstring(a)
            ):
                yield Candidate(
                    self.cover([a, b]),
                    self.text([b]) + "\n" + self.text([a]),
                    "statement.order",
                    "the order is wrong",
                    24,
                )
            elif isinstance(a, ast.If) and isinstance(b, ast.If | ast.Assign | ast.AugAssign | ast.Expr):
                yield Candidate(
                    self.cover([a, b]),
                    self.text([b]) + "\n" + self.text([a]),
                    "statement.order",
                    "the order is wrong",
                    22,
                )
            if isinstance(a, (*LOOPS, ast.If, ast.With)) and self.alone(b) and not isinstance(b, COMPOUND):
                # What follows a block may belong into it.
                yield Candidate(
                    self.lines(b),
                    self.text([b], "    "),
                    "indent.in",
                    "it belongs into the block above",
                    20,
                )
        if len(block) > 1 and isinstance(owner, (*LOOPS, ast.If)) and not isinstance(last, COMPOUND):
            if getattr(owner, "orelse", None) in ([], None):
                score = 42 if isinstance(last, ast.Return) else 26
                yield Candidate(
                    self.lines(last),
                    self.text([last], "-"),
                    "indent.out",
                    "it belongs behind the block",
                    score,
                )
        elif (
            isinstance(owner, ast.If)
            and isinstance(last, ast.Return)
            and self.region.inside(owner, *LOOPS) is not None
        ):
            yield Candidate(
                self.lines(last), self.text([last], "-"), "indent.out", "it belongs behind the block", 10
            )
        if isinstance(owner, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from self._returns(block)
        if isinstance(owner, ast.For):
            yield from self._guard_item(owner, block)
        yield from self._donate(block)

    def _guard_item(self, loop: ast.For, block: list[ast.stmt]) -> Iterator[Candidate]:
        """The end of a loop's body only for some items."""
        names = [n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)]
        for start in range(len(block)):
            part = block[start:]
            if any(isinstance(s, COMPOUND) for s in part) or is_docstring(part[0]):
                continue
            indent = self.region.indent(self.region.span(part[0]).line)
            body = self.text(part, "    ")
            for name in names:
                for test in (name, f"{name} is not None"):
                    new = f"{indent}if {test}:\n{body}"
                    yield Candidate(self.cover(part), new, "guard.item", f"not every `{name}` counts", 18)

    def _returns(self, block: list[ast.stmt]) -> Iterator[Candidate]:
        """All results of a predicate turned round."""
        found = [
            r
            for r in self.region.walk(ast.Return)
            if isinstance(r, ast.Return)
            and isinstance(r.value, ast.Constant)
            and isinstance(r.value.value, bool)
        ]
        spans = [
            (self.region.span(r.value), str(not r.value.value))
            for r in found
            if isinstance(r.value, ast.Constant)
        ]
        spans.sort(key=lambda item: (item[0].line, item[0].col))
        if len(spans) < 2:
            return
        text, at = "", spans[0][0]
        line, col = at.line, at.col
        for span, new in spans:
            text += self.region.cut(Span(line, col, span.line, span.col)) + new
            line, col = span.end_line, span.end_col
        yield Candidate(
            Span(at.line, at.col, line, col), text, "return.turn", "the answers are the wrong way round", 44
        )

    def _donate(self, block: list[ast.stmt]) -> Iterator[Candidate]:
        """Statements of sibling functions that fit here."""
        if is_docstring(block[0]):
            block = block[1:]
        if not block:
            return
        known = {
            *self.scope.names,
            *BUILTINS,
            *self.material.globals,
            *self.material.functions,
            "self",
            "cls",
        }
        present = "\n".join(self.region.lines)
        own = "\n".join(self.region.source(s) for s in block if not isinstance(s, COMPOUND))
        outermost = isinstance(self.region.parent(block[0]), ast.FunctionDef | ast.AsyncFunctionDef)
        for text in self.material.donors:
            names = set(re.findall(r"(?<![\w.'\"])[A-Za-z_]\w*(?!\w*=[^=])", text))
            if text in present or not names <= known | {
                "not",
                "in",
                "is",
                "and",
                "or",
                "None",
                "True",
                "False",
            }:
                continue
            target = text.split("(")[0].split(" ")[0].split("[")[0]
            subject = ".".join(target.split(".")[:2])
            if re.search(rf"\bdef {re.escape(target.removeprefix('self.'))}\(", present):
                continue  # it would call itself
            near = 10.0 if subject in own else 0.0
            if not near and not outermost:
                continue
            yield self.before(block[0], text, "statement.donor", "a sibling does this too", 16 + near)
            if not isinstance(block[-1], ast.Return | ast.Raise | ast.Break | ast.Continue):
                yield self.after(block[-1], text, "statement.donor", "a sibling does this too", 18 + near)
            elif len(block) > 1:
                yield self.before(block[-1], text, "statement.donor", "a sibling does this too", 18 + near)
