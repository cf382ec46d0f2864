"""Edits of calls: their arguments, and the order of chained ones."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from runner.models.embedded.edits import Edits
from runner.models.embedded.scope import BUILTINS
from runner.models.embedded.source import Candidate, Span


class Calls(Edits):
    """Proposes other arguments."""

    def call(self, node: ast.Call) -> Iterator[Candidate]:
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        plain = [a for a in node.args if not isinstance(a, ast.Starred)]
        for a, b in zip(plain, plain[1:], strict=False):
            constant = isinstance(a, ast.Constant) and isinstance(b, ast.Constant)
            yield self.swap(a, b, "call.order", "two arguments are exchanged", 20 if constant else 34)
        whole = self.region.source(node)
        if len(plain) == 1 and not node.keywords and isinstance(node.func, ast.Name):
            yield self.replace(
                node, self.region.source(plain[0]), "call.drop", f"`{name}(…)` is too much", 26
            )
        if isinstance(node.func, ast.Attribute) and isinstance(
            node.func.value, ast.Name | ast.Subscript | ast.Call
        ):
            owner = self.region.source(node.func.value)
            for method in (".strip()", ".lower()", ".copy()", ".rstrip()", ".lstrip()"):
                if not owner.endswith(method) and method[1:-2] != name and "\n" not in owner:
                    why = f"`{method}` is missing"
                    yield self.replace(node.func.value, owner + method, f"wrap{method[:-2]}", why, 18)
        if isinstance(node.func, ast.Attribute) and not isinstance(self.region.parent(node), ast.Expr):
            owner = self.region.source(node.func.value)
            yield self.replace(node, owner, "call.drop", f"`.{name}(…)` is too much", 22)
            if len(plain) == 1 and not isinstance(plain[0], ast.GeneratorExp):
                yield self.replace(
                    node,
                    f"{self.region.source(plain[0])}.{name}({owner})",
                    "call.order",
                    "object and argument are exchanged",
                    16,
                )
        yield from self._chain(node)
        if name == "range":
            yield from self._range(node, plain)
        else:
            for argument in plain:
                if isinstance(argument, ast.Name | ast.Attribute | ast.BinOp):
                    source = self.region.source(argument)
                    yield self.replace(
                        argument, source + " + 1", "argument.plus", "the argument is one too low", 14
                    )
                    yield self.replace(
                        argument, source + " - 1", "argument.minus", "the argument is one too high", 14
                    )
        if len(plain) > 1:
            last = self.region.between(plain[-2], plain[-1])
            end = self.region.span(plain[-1])
            drop = Span(last.line, last.col, end.end_line, end.end_col)
            yield Candidate(drop, "", "call.drop_argument", "the last argument is too much", 14)
        if name in ("sorted", "sort", "max", "min"):
            yield from self._ordering(node, whole)
        if name == "get" and len(plain) == 1:
            for default in ("0", "[]", '""', "{}"):
                yield self._insert_argument(
                    node, default, "call.default", f"a missing key means `{default}`", 22
                )
        if name in ("split", "replace", "rsplit", "sub") and len(plain) in (1, 2) and not node.keywords:
            yield self._insert_argument(node, "1", "call.count", "only the first one is meant", 20)
        if name == "split" and len(plain) == 1:
            yield self.replace(plain[0], "", "call.split_any", "any run of white space separates", 24)
        if name in ("zip", "dict", "sum", "next", "round", "getattr", "strptime", "join"):
            if name == "next" and len(plain) == 1:
                yield self._insert_argument(node, "None", "call.default", "there may be none", 24)
            if name == "round" and len(plain) == 1:
                yield self._insert_argument(node, "2", "call.default", "digits are lost", 22)
        for keyword in node.keywords:
            if keyword.arg and keyword.arg in self.scope.names and not isinstance(keyword.value, ast.Name):
                yield self.replace(
                    keyword.value, keyword.arg, "call.pass_through", f"`{keyword.arg}` is not passed on", 38
                )
            yield from self._drop_keyword(node, keyword)
        for parameter in self.scope.parameters:
            known = {k.arg for k in node.keywords}
            used = {a.id for a in plain if isinstance(a, ast.Name)}
            if (
                parameter not in known | used
                and name not in BUILTINS
                and isinstance(node.func, ast.Name | ast.Attribute)
            ):
                yield self._insert_argument(
                    node,
                    f"{parameter}={parameter}",
                    "call.pass_through",
                    f"`{parameter}` is not passed on",
                    16,
                )

    def _drop_keyword(self, node: ast.Call, keyword: ast.keyword) -> Iterator[Candidate]:
        span = self.region.span(keyword)
        before: list[ast.expr] = [
            *node.args,
            *(k.value for k in node.keywords if k.value is not keyword.value),
        ]
        earlier = [self.region.span(b) for b in before]
        ends = [(s.end_line, s.end_col) for s in earlier if (s.end_line, s.end_col) <= (span.line, span.col)]
        if ends:
            line, col = max(ends)
            drop = Span(line, col, span.end_line, span.end_col)
            if self.region.cut(drop).lstrip().startswith(","):
                yield Candidate(drop, "", "call.drop_argument", f"`{keyword.arg}` is too much", 18)

    def _insert_argument(self, node: ast.Call, text: str, kind: str, why: str, score: float) -> Candidate:
        span = self.region.span(node)
        inner = self.region.source(node).rstrip(")").rstrip()
        comma = "" if inner.endswith(("(", ",")) else ", "
        at = Span(span.end_line, span.end_col - 1, span.end_line, span.end_col - 1)
        return Candidate(at, comma + text, kind, why, score)

    def _range(self, node: ast.Call, plain: list[ast.expr]) -> Iterator[Candidate]:
        for i, argument in enumerate(plain[:2]):
            source = self.region.source(argument)
            if not isinstance(argument, ast.Constant):
                yield self.replace(
                    argument, source + " + 1", "range.plus", "the range ends one too early", 52
                )
                yield self.replace(
                    argument, source + " - 1", "range.minus", "the range ends one too late", 46
                )
                if isinstance(argument, ast.BinOp) and isinstance(argument.right, ast.Constant):
                    yield self.replace(
                        argument, self.region.source(argument.left), "range.exact", "the range is cut", 48
                    )
            if i == 0 and len(plain) == 2:
                yield self.replace(
                    node,
                    f"range({self.region.source(plain[1])})",
                    "range.from_zero",
                    "the first one counts",
                    34,
                )
        if len(plain) == 1:
            yield self.replace(
                node, f"range(1, {self.region.source(plain[0])} + 1)", "range.from_one", "counts from one", 34
            )
            yield self.replace(
                node,
                f"range(1, {self.region.source(plain[0])})",
                "range.from_one",
                "the first one does not count",
                26,
            )

    def _ordering(self, node: ast.Call, whole: str) -> Iterator[Candidate]:
        keywords = {k.arg: k for k in node.keywords}
        if "reverse" not in keywords and whole.startswith(("sorted", self.region.source(node.func))):
            yield self._insert_argument(node, "reverse=True", "order.reverse", "the order is reversed", 26)
        if "key" not in keywords:
            for key in ("len", "abs", "str.lower", "str", *self.material.helpers[:4]):
                yield self._insert_argument(node, f"key={key}", "order.key", f"the order is by `{key}`", 16)
        else:
            value = keywords["key"].value
            if isinstance(value, ast.Lambda):
                body = self.region.source(value.body)
                yield self.replace(value.body, f"-{body}", "order.negate", "the order is reversed", 26)
                if isinstance(value.body, ast.Tuple):
                    for element in value.body.elts:
                        part = self.region.source(element)
                        yield self.replace(
                            element, f"-{part}", "order.negate", f"`{part}` counts downwards", 24
                        )

    def _chain(self, node: ast.Call) -> Iterator[Candidate]:
        """``x.f(a).f(b)``: the order of the calls."""
        links: list[str] = []
        inner: ast.expr = node
        names: set[str] = set()
        while isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute):
            whole, owner = self.region.span(inner), self.region.span(inner.func.value)
            links.insert(
                0, self.region.cut(Span(owner.end_line, owner.end_col, whole.end_line, whole.end_col))
            )
            names.add(inner.func.attr)
            inner = inner.func.value
        if len(links) < 2 or len(names) > 1:
            return
        start = self.region.source(inner)
        turned = [[*links[:i], links[i + 1], links[i], *links[i + 2 :]] for i in range(len(links) - 1)]
        for order in (*turned, [links[-1], *links[:-1]], [*links[1:], links[0]]):
            if order != links:
                yield self.replace(node, start + "".join(order), "chain.order", "the order matters here", 26)
