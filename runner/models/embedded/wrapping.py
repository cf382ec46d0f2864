"""Edits that put something around an expression, or a condition beside it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from runner.models.embedded.edits import Edits
from runner.models.embedded.source import Candidate

_NO_WRAP = (ast.Constant, ast.JoinedStr, ast.Starred, ast.Slice)


class Wrapping(Edits):
    """Proposes calls around expressions, and further conditions."""

    def wrap(self, node: ast.expr) -> Iterator[Candidate]:
        parent = self.region.parent(node)
        if isinstance(node, _NO_WRAP) or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            return
        if isinstance(
            parent,
            ast.Attribute
            | ast.keyword
            | ast.arguments
            | ast.arg
            | ast.FormattedValue
            | ast.Expr
            | ast.withitem
            | ast.Raise
            | ast.Slice,
        ):
            return
        if isinstance(parent, ast.Call) and parent.func is node:
            return
        if self.region.inside(node, ast.arg) is not None or isinstance(
            parent, ast.ExceptHandler | ast.FunctionDef | ast.ClassDef
        ):
            return
        source = self.region.source(node)
        if "\n" in source:
            return
        atom = (
            source if isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript) else f"({source})"
        )
        returned = isinstance(parent, ast.Return)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
            yield self.replace(node, f"abs({source})", "wrap.abs", "the sign must not count", 36)
        if isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
            if isinstance(node, ast.Name) and node.id not in self.scope.names:
                return
            simple = isinstance(node, ast.Name | ast.Attribute)
            base = 18 if simple else 14
            if simple:
                copied = f"(list({source}) if isinstance({source}, list) else {source})"
                yield self.replace(node, copied, "wrap.list_copy", "a list must not be shared", 12)
            for method in (".lower()", ".strip()", ".upper()", ".copy()", ".rstrip()", ".swapcase()"):
                yield self.replace(node, atom + method, f"wrap{method[:-2]}", f"`{method}` is missing", base)
            for name in (
                "abs",
                "len",
                "sorted",
                "list",
                "set",
                "str",
                "int",
                "float",
                "sum",
                "max",
                "tuple",
                "round",
            ):
                yield self.replace(
                    node, f"{name}({source})", f"wrap.{name}", f"`{name}(…)` is missing", base - 3
                )
            for helper in self.material.helpers:
                if not source.startswith(helper) and not self._within_call(node, helper):
                    yield self.replace(
                        node, f"{helper}({source})", "wrap.helper", f"`{helper}(…)` is missing", base + 10
                    )
            if returned:
                yield self.replace(node, f"{atom}[::-1]", "wrap.reversed", "the order is reversed", 14)
            if isinstance(parent, ast.For | ast.comprehension) and parent.iter is node:
                for text, why in (
                    (f"{atom}[1:]", "the first one does not count"),
                    (f"{atom}[:-1]", "the last one does not count"),
                    (f"list({source})", "it changes while it is read"),
                ):
                    yield self.replace(node, text, "wrap.iterated", why, 20)
                yield self.replace(node, f"reversed({source})", "wrap.reversed", "from the end", 22)
                for name in self.scope.parameters:
                    if name != source:
                        yield self.replace(
                            node, f"{atom}[:{name}]", "wrap.iterated", f"only the first `{name}`", 14
                        )
                        yield self.replace(
                            node, f"{atom}[{name}:]", "wrap.iterated", f"only from `{name}` on", 12
                        )
        if isinstance(node, ast.ListComp) and returned:
            yield self.replace(node, f"sorted({source})", "wrap.sorted", "the order is missing", 18)
            yield self.replace(node, f"{source}[1:]", "wrap.sliced", "the first one does not count", 12)
        if returned or isinstance(parent, ast.Assign):
            if isinstance(node, ast.BinOp | ast.Name | ast.Call):
                for text, why in (
                    (" + 1", "one is missing"),
                    (" - 1", "one is too much"),
                    (" // 2", "half of it"),
                    (" / 2", "half of it"),
                    (" * 2", "twice of it"),
                ):
                    yield self.replace(node, atom + text, "result.shift", why, 24 if "1" in text else 12)
                yield self.replace(node, f"-{atom}", "result.negate", "the sign is wrong", 18)

    def _within_call(self, node: ast.expr, helper: str) -> bool:
        parent = self.region.parent(node)
        return isinstance(parent, ast.Call) and self.region.source(parent.func) == helper

    def condition(self, node: ast.expr) -> Iterator[Candidate]:
        """Edits of whole conditions."""
        parent = self.region.parent(node)
        is_test = (isinstance(parent, ast.If | ast.While | ast.IfExp) and parent.test is node) or (
            isinstance(parent, ast.comprehension) and node in parent.ifs
        )
        source = self.region.source(node)
        if not is_test or "\n" in source:
            return
        if isinstance(node, ast.Name | ast.Attribute):
            yield self.replace(
                node, f"{source} is not None", "none.truth", '0, "" and [] are values as well', 44
            )
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner = self.region.source(node.operand)
            yield self.replace(node, f"{inner} is None", "none.truth", '0, "" and [] are values as well', 44)
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is | ast.IsNot):
            left = self.region.source(node.left)
            new = f"not {left}" if isinstance(node.ops[0], ast.Is) else left
            yield self.replace(node, new, "none.falsy", "empty counts like None", 30)
        elif not isinstance(node, ast.Compare):
            inner = f"({source})" if isinstance(node, ast.BoolOp | ast.IfExp) else source
            yield self.replace(node, f"not {inner}", "negation.add", "the test is the wrong way round", 42)
        if isinstance(node, ast.Compare | ast.Call | ast.Name | ast.Attribute):
            for name in self._guarded(node):
                yield self.replace(
                    node, f"{name} is not None and {source}", "condition.guard", f"`{name}` may be None", 22
                )
                yield self.replace(
                    node, f"{name} and {source}", "condition.guard", f"`{name}` may be empty", 24
                )
        base = f"({source})" if isinstance(node, ast.BoolOp | ast.IfExp) else source
        ends = isinstance(parent, ast.If) and isinstance(
            parent.body[0], ast.Return | ast.Continue | ast.Raise
        )
        for extra in self._extras(node):
            yield self.replace(
                node, f"{base} and {extra}", "condition.and", f"`{extra}` must hold as well", 20
            )
            yield self.replace(
                node, f"{base} or {extra}", "condition.or", f"`{extra}` is enough", 26 if ends else 18
            )

    def _guarded(self, node: ast.expr) -> list[str]:
        names = [n.id for n in ast.walk(node) if isinstance(n, ast.Name) and n.id in self.scope.names]
        return list(dict.fromkeys(names))[:2]

    def _extras(self, node: ast.expr) -> list[str]:
        """Conditions used elsewhere in the region, and predicates seen in the file."""
        mine = self.region.source(node)
        own = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        extras: list[str] = []
        for other in self.region.walk(ast.Compare):
            assert isinstance(other, ast.Compare)
            text = self.region.source(other)
            if text not in mine and "\n" not in text:
                extras.append(text)
        for container in self.material.containers:
            extras += [f"{name} in self.{container}" for name in self.scope.parameters[:2]]
        for helper in self.material.helpers:
            if any(word in helper for word in ("is_", "has_", "can_", "should_")):
                extras += [f"{helper}({name})" for name in self.scope.names if name in own]
        return list(dict.fromkeys(e for e in extras if e != mine))[:10]
