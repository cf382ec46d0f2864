"""Edits of functions and branches."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from runner.models.embedded.lines import Lines, blocks, is_docstring
from runner.models.embedded.source import Candidate, Span


class Branches(Lines):
    """Proposes first and last statements, other defaults, and other branches."""

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Candidate]:
        body = [s for s in node.body if not is_docstring(s)]
        if not body or not self.alone(body[0]):
            return
        first, last = body[0], body[-1]
        positional = [*node.args.posonlyargs, *node.args.args]
        for argument, default in zip(
            positional[len(positional) - len(node.args.defaults) :], node.args.defaults, strict=True
        ):
            if isinstance(default, ast.List | ast.Dict | ast.Set) or (
                isinstance(default, ast.Call) and not default.args
            ):
                yield from self._mutable_default(node, argument, default, first)
        names = [a.arg for a in (*positional, *node.args.kwonlyargs) if a.arg not in ("self", "cls")]
        returns = [
            r for r in self.region.walk(ast.Return) if isinstance(r, ast.Return) and r.value is not None
        ]
        values = ["None", "0", "[]", '""', "{}", "False", "True", "0.0"]
        for statement in returns:
            assert statement.value is not None
            if isinstance(statement.value, ast.Constant | ast.List | ast.Name | ast.Tuple):
                value = self.region.source(statement.value)
                if value in names or isinstance(statement.value, ast.Constant | ast.Tuple):
                    values.insert(0, value)
        values = list(dict.fromkeys(v for v in values if "\n" not in v))
        for name in names[:3]:
            for value in (*values[:5], name):
                guard = f"if not {name}:\n    return {value}"
                yield self.before(first, guard, "guard.empty", f"`{name}` may be empty", 22)
            yield self.before(
                first, f"if {name} is None:\n    return None", "guard.none", f"`{name}` may be None", 20
            )
            for error in self.material.errors:
                for test in (f"{name} < 0", f"{name} <= 0", f"not {name}", f"{name} is None"):
                    guard = f'if {test}:\n    raise {error}(f"invalid {name}: {{{name}!r}}")'
                    yield self.before(first, guard, "guard.raise", f"`{test}` must raise {error}", 22)
            for change in (
                f"{name} = list({name})",
                f"{name} = dict({name})",
                f"{name} = {name}.copy()",
                f"{name} = {name}.strip()",
                f"{name} = {name}.lower()",
                f"{name} = sorted({name})",
                f"{name} = abs({name})",
                f"{name} = str({name})",
            ):
                yield self.before(
                    first, change, "parameter.normal", f"`{name}` must be brought to normal form", 20
                )
            for helper in self.material.helpers:
                yield self.before(
                    first,
                    f"{name} = {helper}({name})",
                    "parameter.helper",
                    f"`{helper}` must be applied first",
                    22,
                )
        if not isinstance(last, ast.Return):
            for name in [*reversed(self.scope.locals), *names]:
                if name not in self.scope.comprehension:
                    yield self.after(
                        last, f"return {name}", "return.missing", f"`{name}` is never returned", 40
                    )

    def _mutable_default(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef,
        argument: ast.arg,
        default: ast.expr,
        first: ast.stmt,
    ) -> Iterator[Candidate]:
        start, stop = self.region.span(default), self.region.span(first)
        between = self.region.cut(Span(start.end_line, start.end_col, stop.line, 0))
        indent = self.region.indent(stop.line)
        made = self.region.source(default)
        guard = f"{indent}if {argument.arg} is None:\n{indent}    {argument.arg} = {made}\n"
        new = "None" + between + guard
        yield Candidate(
            Span(start.line, start.col, stop.line, 0),
            new,
            "default.mutable",
            "the default is shared by all calls",
            66,
        )

    def branch(self, node: ast.If) -> Iterator[Candidate]:
        if not self.alone(node) and not self.region.text(self.region.span(node).line).lstrip().startswith(
            "elif"
        ):
            return
        body, orelse = node.body, node.orelse
        simple = all(self.alone(s) for s in (*body, *orelse)) and not (
            len(orelse) == 1 and isinstance(orelse[0], ast.If)
        )
        if orelse and simple:
            a, b = self.cover(body), self.cover(orelse)
            middle = self.region.cut(Span(a.end_line, a.end_col, b.line, 0))
            yield Candidate(
                Span(a.line, 0, b.end_line, b.end_col),
                self.text(orelse) + middle + self.text(body),
                "branches.swap",
                "the two branches are exchanged",
                34,
            )
        if self.alone(node) and not orelse and all(self.alone(s) for s in body):
            yield Candidate(
                self.lines(node), self.text(body, "-"), "guard.drop", "the condition is too much", 20
            )
        head = self.region.text(self.region.span(node).line)
        if head.lstrip().startswith("elif"):
            at = self.region.span(node)
            column = head.index("elif")
            yield Candidate(
                Span(at.line, column, at.line, column + 4), "if", "branches.independent", "both may apply", 24
            )
        parent = self.region.parent(node)
        for block in blocks(parent) if parent is not None else ():
            if (
                node in block
                and block.index(node) > 0
                and isinstance(block[block.index(node) - 1], ast.If)
                and self.alone(node)
            ):
                at = self.region.span(node)
                yield Candidate(
                    Span(at.line, at.col, at.line, at.col),
                    "el",
                    "branches.exclusive",
                    "only one may apply",
                    20,
                )
        if not orelse and self.alone(node) and all(self.alone(s) for s in body):
            donor = next((s for s in body if isinstance(s, ast.AugAssign)), None)
            for target in self.scope.locals:
                if donor is not None and isinstance(donor.target, ast.Name) and target != donor.target.id:
                    line = self.region.source(donor).replace(donor.target.id, target, 1)
                    yield self.after(
                        node, f"else:\n    {line}", "branches.else", "the other case is not counted", 14
                    )
