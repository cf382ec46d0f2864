"""Edits of expressions: operators, constants, names, calls, slices."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator

from runner.models.embedded.material import Material
from runner.models.embedded.scope import BUILTINS, Scope
from runner.models.embedded.source import Candidate, Region, Span

COMPARE: dict[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "is",
    ast.IsNot: "is not",
}
# Replacements of a comparison, the likeliest first, with the rule that each stands for.
COMPARE_SWAPS: dict[str, tuple[tuple[str, str, float], ...]] = {
    "<": (
        ("<=", "boundary", 60),
        (">", "flip", 48),
        (">=", "negate", 40),
        ("==", "other", 22),
        ("!=", "other", 18),
    ),
    "<=": (
        ("<", "boundary", 60),
        (">=", "flip", 45),
        (">", "negate", 42),
        ("==", "other", 22),
        ("!=", "other", 15),
    ),
    ">": (
        (">=", "boundary", 60),
        ("<", "flip", 48),
        ("<=", "negate", 40),
        ("==", "other", 22),
        ("!=", "other", 18),
    ),
    ">=": (
        (">", "boundary", 60),
        ("<=", "flip", 45),
        ("<", "negate", 42),
        ("==", "other", 22),
        ("!=", "other", 15),
    ),
    "==": (
        ("!=", "negate", 48),
        ("<=", "other", 26),
        (">=", "other", 26),
        ("<", "other", 24),
        (">", "other", 24),
    ),
    "!=": (
        ("==", "negate", 48),
        (">", "other", 24),
        ("<", "other", 24),
        (">=", "other", 18),
        ("<=", "other", 18),
    ),
    "in": (("not in", "negate", 45), ("==", "other", 20)),
    "not in": (("in", "negate", 45), ("!=", "other", 15)),
    "is": (("is not", "negate", 45), ("==", "other", 8)),
    "is not": (("is", "negate", 45), ("!=", "other", 20)),
}
BINARY: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
}
BINARY_SWAPS: dict[str, tuple[tuple[str, float], ...]] = {
    "+": (("-", 46), ("*", 22), ("|", 8)),
    "-": (("+", 46), ("%", 20), ("//", 14), ("*", 12), ("/", 12)),
    "*": (("/", 30), ("+", 28), ("**", 26), ("//", 24), ("-", 12)),
    "/": (("//", 42), ("*", 34), ("-", 12), ("%", 12)),
    "//": (("/", 40), ("%", 36), ("*", 26), ("-", 10)),
    "%": (("//", 40), ("/", 20), ("*", 10)),
    "**": (("*", 34), ("+", 8)),
    "&": (("|", 40), ("-", 20), ("^", 20)),
    "|": (("&", 40), ("^", 20)),
    "^": (("&", 25), ("|", 25)),
    "<<": ((">>", 40),),
    ">>": (("<<", 40),),
}
# Families of callables that are mistaken for each other.
FAMILIES: tuple[tuple[str, ...], ...] = (
    ("min", "max"),
    ("any", "all"),
    ("sum", "max", "len"),
    ("lower", "upper", "swapcase"),
    ("title", "capitalize", "upper"),
    ("startswith", "endswith"),
    ("strip", "lstrip", "rstrip"),
    ("removeprefix", "removesuffix", "lstrip", "rstrip"),
    ("islower", "isupper"),
    ("isdigit", "isalpha", "isalnum", "isdecimal"),
    ("ceil", "floor", "round", "trunc"),
    ("floor", "int", "round", "ceil"),
    ("append", "extend"),
    ("appendleft", "append"),
    ("popleft", "pop"),
    ("append", "insert"),
    ("add", "discard"),
    ("remove", "discard"),
    ("find", "rfind", "index"),
    ("index", "rindex", "find"),
    ("split", "rsplit", "splitlines"),
    ("partition", "rpartition"),
    ("ljust", "rjust", "center"),
    ("keys", "values", "items"),
    ("get", "pop", "setdefault"),
    ("update", "setdefault"),
    ("union", "intersection", "difference", "symmetric_difference"),
    ("issubset", "issuperset"),
    ("bisect_left", "bisect_right", "bisect", "insort"),
    ("insort_left", "insort_right"),
    ("match", "search", "fullmatch"),
    ("copy", "deepcopy"),
    ("sorted", "reversed", "list"),
    ("set", "list", "tuple", "sorted"),
    ("isinstance", "issubclass"),
    ("encode", "decode"),
    ("heappush", "heappushpop"),
    ("nlargest", "nsmallest"),
    ("days", "seconds", "total_seconds"),
    ("combinations", "permutations", "product"),
    ("float", "int"),
    ("str", "repr"),
)
_RARE = frozenset(
    f
    for f in FAMILIES
    if {"heappush", "issubclass", "appendleft", "insert", "extend", "repr", "casefold", "float"} & {*f}
)
_NO_WRAP = (ast.Constant, ast.JoinedStr, ast.Starred, ast.Slice)


class Expressions:
    """Proposes edits of the expressions of a region."""

    def __init__(self, region: Region, scope: Scope, material: Material) -> None:
        self.region, self.scope, self.material = region, scope, material

    def candidates(self) -> Iterator[Candidate]:
        for node in self.region.order:
            if self.region.inside(node, ast.JoinedStr) is not None:
                continue  # positions inside f-strings are not reliable before Python 3.12
            match node:
                case ast.Compare():
                    yield from self._compare(node)
                case ast.BoolOp():
                    yield from self._boolean(node)
                case ast.UnaryOp():
                    yield from self._unary(node)
                case ast.BinOp():
                    yield from self._binary(node)
                case ast.AugAssign():
                    yield from self._augmented(node)
                case ast.Constant() if not self.region.docstring(node):
                    yield from self._constant(node)
                case ast.Name():
                    yield from self._name(node)
                case ast.Attribute():
                    yield from self._attribute(node)
                case ast.Call():
                    yield from self._call(node)
                case ast.Subscript():
                    yield from self._subscript(node)
                case ast.Tuple() | ast.List() | ast.Set():
                    yield from self._elements(node)
                case ast.Dict():
                    yield from self._merged(node)
                case ast.IfExp():
                    yield self._swap(
                        node.body, node.orelse, "ternary.swap", "the two results are exchanged", 34
                    )
            if isinstance(node, ast.expr):
                yield from self._wrap(node)
                yield from self._condition(node)

    def _is_default(self, node: ast.AST) -> bool:
        """Whether it is the default of a parameter, on which callers rely."""
        return isinstance(self.region.parent(node), ast.arguments)

    # -- building ------------------------------------------------------------------------------------

    def _replace(self, node: ast.expr, new: str, kind: str, why: str, score: float) -> Candidate:
        return Candidate(self.region.span(node), new, kind, why, score)

    def _swap(self, a: ast.expr, b: ast.expr, kind: str, why: str, score: float) -> Candidate:
        first, second = self.region.span(a), self.region.span(b)
        whole = Span(first.line, first.col, second.end_line, second.end_col)
        middle = self.region.cut(self.region.between(a, b))
        return Candidate(whole, self.region.source(b) + middle + self.region.source(a), kind, why, score)

    def _operator(
        self, left: ast.expr, right: ast.expr, old: str, new: str, kind: str, score: float
    ) -> Iterator[Candidate]:
        span = self.region.between(left, right)
        text = self.region.cut(span)
        if old in text and "#" not in text:
            # A sign that follows a bracket must not swallow it: only the operator itself is replaced.
            at = text.index(old)
            changed = text[:at] + new + text[at + len(old) :]
            yield Candidate(span, changed, kind, f"`{old}` should be `{new}`", score)

    # -- operators -----------------------------------------------------------------------------------

    def _compare(self, node: ast.Compare) -> Iterator[Candidate]:
        left = node.left
        for op, right in zip(node.ops, node.comparators, strict=True):
            old = COMPARE[type(op)]
            for new, kind, score in COMPARE_SWAPS[old]:
                yield from self._operator(left, right, old, new, f"compare.{kind}", score)
            if old in ("<", "<=", ">", ">=", "in", "not in") and len(node.ops) == 1:
                yield self._swap(left, right, "compare.swap", "the two sides are exchanged", 30)
            for side in (left, right):
                if not isinstance(side, ast.Constant):
                    source = self.region.source(side)
                    yield self._replace(side, source + " + 1", "bound.plus", "the bound is one too low", 24)
                    yield self._replace(side, source + " - 1", "bound.minus", "the bound is one too high", 24)
            left = right

    def _boolean(self, node: ast.BoolOp) -> Iterator[Candidate]:
        old = "and" if isinstance(node.op, ast.And) else "or"
        new = "or" if old == "and" else "and"
        parts: list[str] = []
        for left, right in zip(node.values, node.values[1:], strict=False):
            text = self.region.cut(self.region.between(left, right))
            if old in text:
                parts += [self.region.source(left), text.replace(old, new, 1)]
                if len(node.values) > 2:
                    yield from self._operator(left, right, old, new, "boolean.swap_one", 25)
        yield self._replace(
            node,
            "".join(parts) + self.region.source(node.values[-1]),
            "boolean.swap",
            f"`{old}` should be `{new}`",
            52,
        )
        for i, value in enumerate(node.values):
            rest = [self.region.source(v) for j, v in enumerate(node.values) if j != i]
            why = f"the condition `{self.region.source(value)}` is too much"
            yield self._replace(node, f" {old} ".join(rest), "boolean.drop", why, 28)
        if len(node.values) == 2 and old == "or" and isinstance(node.values[0], ast.Name | ast.Attribute):
            # ``x or default`` treats 0, "" and [] like None.
            a, b = (self.region.source(v) for v in node.values)
            yield self._replace(
                node, f"({a} if {a} is not None else {b})", "none.or", "only None should take the default", 46
            )

    def _unary(self, node: ast.UnaryOp) -> Iterator[Candidate]:
        if isinstance(node.op, ast.Not):
            yield self._replace(
                node, self.region.source(node.operand), "negation.drop", "the test is negated by mistake", 44
            )
        elif isinstance(node.op, ast.USub):
            yield self._replace(node, self.region.source(node.operand), "sign.drop", "the sign is wrong", 34)

    def _binary(self, node: ast.BinOp) -> Iterator[Candidate]:
        old = BINARY.get(type(node.op))
        if old is None:
            return
        left, right = self.region.source(node.left), self.region.source(node.right)
        text = isinstance(node.left, ast.Constant) and isinstance(node.left.value, str)
        if not text:
            for new, score in BINARY_SWAPS[old]:
                yield from self._operator(node.left, node.right, old, new, "arithmetic.swap", score)
        if old in ("-", "/", "//", "%", "**", "+"):
            yield self._swap(node.left, node.right, "arithmetic.order", "the operands are exchanged", 26)
        yield self._replace(node, left, "arithmetic.drop", f"`{old} {right}` is too much", 28)
        yield self._replace(node, right, "arithmetic.drop", f"`{left} {old}` is too much", 24)
        if old in ("+", "-") and not text:
            for side, source in ((node.left, left), (node.right, right)):
                if not isinstance(side, ast.Constant) and not (
                    isinstance(side, ast.BinOp) and isinstance(side.op, ast.Add | ast.Sub)
                ):
                    yield self._replace(
                        side, f"2 * {source}", "arithmetic.twice", "it counts on both sides", 15
                    )
        if isinstance(node.right, ast.BinOp) and old in ("-", "+", "*", "/", "//", "%"):
            inner = BINARY.get(type(node.right.op), "")
            a, b = self.region.source(node.right.left), self.region.source(node.right.right)
            yield self._replace(
                node, f"({left} {old} {a}) {inner} {b}", "arithmetic.group", "the grouping is wrong", 22
            )
            if isinstance(node.right.left, ast.Constant):
                yield self._replace(
                    node, f"{left} {inner} {b} {old} {a}", "arithmetic.group", "the grouping is wrong", 22
                )
        if isinstance(node.left, ast.BinOp) and old in ("*", "/", "//", "%", "**"):
            inner = BINARY.get(type(node.left.op), "")
            a, b = self.region.source(node.left.left), self.region.source(node.left.right)
            yield self._replace(
                node, f"{a} {inner} ({b} {old} {right})", "arithmetic.group", "the grouping is wrong", 20
            )

    def _augmented(self, node: ast.AugAssign) -> Iterator[Candidate]:
        old = BINARY.get(type(node.op))
        if old is None:
            return
        target = node.target
        for new, score in BINARY_SWAPS[old]:
            if new != "|":
                yield from self._operator(target, node.value, old + "=", new + "=", "arithmetic.swap", score)
        yield from self._operator(target, node.value, old + "=", "=", "assign.plain", 26)

    # -- constants -----------------------------------------------------------------------------------

    def _constant(self, node: ast.Constant) -> Iterator[Candidate]:
        value = node.value
        if self._is_default(node) and not isinstance(value, bool | None):
            return
        if isinstance(value, bool):
            yield self._replace(
                node,
                str(not value),
                "constant.bool",
                f"`{value}` should be `{not value}`",
                20 if self._is_default(node) else 46,
            )
        elif isinstance(value, int):
            yield from self._integer(node, value)
        elif isinstance(value, float):
            for other in (
                value * 2,
                value / 2,
                value + 1,
                value - 1,
                1.0,
                0.0,
                value * 10,
                value / 10,
                1 / value if value else 1.0,
            ):
                if other != value:
                    yield self._number(node, other, 22)
            for number in self.material.numbers:
                if number != value:
                    yield self._number(node, number, 26)
        elif isinstance(value, str):
            yield from self._string(node, value)
        elif value is None:
            for new in ("[]", "{}", '""', "0", "False", "True"):
                yield self._replace(node, new, "constant.none", f"`None` should be `{new}`", 16)

    def _integer(self, node: ast.Constant, value: int) -> Iterator[Candidate]:
        near = isinstance(
            self.region.parent(node), ast.Call | ast.Slice | ast.Subscript | ast.Compare | ast.BinOp
        )
        seen: set[int | float] = {value}
        options: list[tuple[int | float, float]] = [
            (value + 1, 50 if near else 44),
            (value - 1, 50 if near else 44),
            (0, 34),
            (1, 34),
            (-value, 20),
            (-1, 26),
            (2, 18),
        ]
        options += [(n, 30) for n in self.material.numbers if isinstance(n, int)]
        options += [(n, 19) for n in self.material.code_numbers]
        options += [(value + 2, 16), (value - 2, 16), (value * 10, 12), (value // 10, 8), (10, 6)]
        for number, score in options:
            if number not in seen:
                seen.add(number)
                yield self._number(node, number, score)

    def _number(self, node: ast.Constant, number: int | float, score: float) -> Candidate:
        parent = self.region.parent(node)
        new = str(number)
        if number < 0 and isinstance(parent, ast.BinOp):
            new = f"({new})"
        return self._replace(
            node, new, "constant.number", f"{self.region.source(node)} should be {number}", score
        )

    def _string(self, node: ast.Constant, value: str) -> Iterator[Candidate]:
        if "\n" in self.region.source(node) or isinstance(self.region.parent(node), ast.JoinedStr):
            return
        options: list[tuple[str, float, str]] = []
        close = difflib.get_close_matches(value, self.material.strings, n=3, cutoff=0.6)
        for other in self.material.strings:
            likely = other in close and len(value) > 2
            if likely or other in self.material.named or other[:1].isalnum() == value[:1].isalnum():
                named = 24.0 if other in self.material.named else 12.0
                options.append((other, 40.0 if likely else named, "another text fits"))
        options += [
            (value.lower(), 20, "the case is wrong"),
            (value.upper(), 20, "the case is wrong"),
            (value.capitalize(), 20, "the case is wrong"),
            (value.strip(), 20, "the blanks are wrong"),
            ("" if value.isspace() else " ", 22, "the separator is wrong"),
            (value + " ", 12, "a blank is missing"),
            (" " + value, 10, "a blank is missing"),
            (value[::-1], 14, "the order of the characters is wrong"),
            (value[:-1], 18, "the last character is too much"),
            (value[1:], 16, "the first character is too much"),
        ]
        if value.isalpha() and value.islower() and len(value) > 2:
            options.append((value + value.upper(), 22, "upper case is missing"))
        if 2 < len(value) <= 12 and not any(c.isspace() for c in value):
            options += [
                (value[:i] + value[i + 1 :], 10, "a character is too much") for i in range(1, len(value) - 1)
            ]
        if re.search(r"\[[^\]]+\]|\\[dwsS]|[*+?]", value) and len(value) > 3:
            options += [
                (new, 46 if "match too" in why else 26, why)
                for new, why in _patterns(value, self.material.marks)
            ]
        seen = {value}
        for new, score, why in options:
            if new not in seen:
                seen.add(new)
                yield self._replace(
                    node, _quoted(new, self.region.source(node)), "constant.string", why, score
                )

    # -- names ---------------------------------------------------------------------------------------

    def _name(self, node: ast.Name) -> Iterator[Candidate]:
        parent = self.region.parent(node)
        if isinstance(parent, ast.Call) and parent.func is node:
            yield from self._callee(node, node.id, node.id)
            return
        if isinstance(node.ctx, ast.Store):
            if isinstance(parent, ast.AugAssign):
                for name in self.scope.locals:
                    if name != node.id and self.scope.first_bound[name] < node.lineno:
                        yield self._replace(node, name, "name.target", f"`{name}` is meant", 30)
            return
        annotation = self.region.inside(node, ast.arg)
        if node.id in BUILTINS or annotation is not None or node.id in ("self", "cls"):
            return
        if node.id not in self.scope.names:
            for name in self.material.globals:
                if name != node.id and name.isupper() == node.id.isupper() and _alike(name, node.id):
                    yield self._replace(node, name, "name.global", f"`{name}` is meant", 30)
            return
        for name in self.scope.names:
            if name == node.id or not self._reachable(name, node):
                continue
            fits = self.material.compatible(name, node.id)
            score = 34.0 + (12 if _alike(name, node.id) else 0) - (14 if fits is False else 0)
            yield self._replace(node, name, "name.swap", f"`{name}` is meant, not `{node.id}`", score)
        for attribute in self.scope.attributes:
            same = attribute.strip("_") == node.id.strip("_")
            if same or self.material.compatible(node.id, f"self.{attribute}"):
                why = f"`self.{attribute}` is meant"
                yield self._replace(node, f"self.{attribute}", "name.attribute", why, 40 if same else 14)

    def _reachable(self, name: str, node: ast.Name) -> bool:
        home = self.scope.comprehension.get(name)
        if home is not None:
            current: ast.AST | None = node
            while current is not None and current is not home:
                current = self.region.parent(current)
            if current is home:
                return True
            return name in self.scope.parameters
        return (
            self.scope.first_bound.get(name, 0) <= node.lineno
            or self.region.inside(node, ast.For, ast.While) is not None
        )

    def _callee(self, node: ast.Name | ast.Attribute, name: str, shown: str) -> Iterator[Candidate]:
        span = self.region.span(node)
        start = span.end_col - len(name)
        where = Span(span.end_line, start, span.end_line, span.end_col)
        for family in FAMILIES:
            if name in family:
                for other in family:
                    if other != name:
                        score = 14 if family in _RARE else 46 if len(family) == 2 else 36
                        yield Candidate(
                            where, other, "callee.family", f"`{other}` is meant, not `{shown}`", score
                        )
        if isinstance(node, ast.Name):
            for other in self.material.functions:
                if other != name:
                    score = 34 if _alike(other, name) else 16 if name in BUILTINS else 10
                    yield Candidate(where, other, "callee.other", f"`{other}` is meant, not `{name}`", score)

    def _attribute(self, node: ast.Attribute) -> Iterator[Candidate]:
        parent = self.region.parent(node)
        if isinstance(parent, ast.Call) and parent.func is node:
            yield from self._callee(node, node.attr, node.attr)
        if not isinstance(node.value, ast.Name):
            return
        span = self.region.span(node)
        where = Span(span.end_line, span.end_col - len(node.attr), span.end_line, span.end_col)
        called = isinstance(parent, ast.Call) and parent.func is node
        if node.value.id == "self" and not called:
            for other in dict.fromkeys([*self.scope.attributes, *self.material.attributes]):
                alike = _alike(other, node.attr)
                fits = self.material.compatible(f"self.{other}", f"self.{node.attr}")
                if other != node.attr and (fits or (fits is None and alike)):
                    score = 32.0 + (12 if alike else 0) - (0 if other in self.scope.attributes else 8)
                    yield Candidate(where, other, "name.attribute", f"`self.{other}` is meant", score)
            for name in self.scope.names:
                if self.scope.first_bound.get(name, 0) <= node.lineno and isinstance(node.ctx, ast.Load):
                    same = name.strip("_") == node.attr.strip("_")
                    if same or self.material.compatible(name, f"self.{node.attr}"):
                        yield self._replace(node, name, "name.swap", f"`{name}` is meant", 36 if same else 14)
        elif not called:
            others = [
                n.attr
                for n in self.region.order
                if isinstance(n, ast.Attribute)
                and isinstance(n.value, ast.Name)
                and not self._calls(n)
                and n.value.id != "self"
            ]
            for other in dict.fromkeys(others):
                if other != node.attr:
                    score = 28.0 + (10 if _alike(other, node.attr) else 0)
                    yield Candidate(where, other, "name.attribute", f"`.{other}` is meant", score)

    def _calls(self, node: ast.Attribute) -> bool:
        parent = self.region.parent(node)
        return isinstance(parent, ast.Call) and parent.func is node

    # -- calls, slices, elements ---------------------------------------------------------------------

    def _call(self, node: ast.Call) -> Iterator[Candidate]:
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        plain = [a for a in node.args if not isinstance(a, ast.Starred)]
        for a, b in zip(plain, plain[1:], strict=False):
            constant = isinstance(a, ast.Constant) and isinstance(b, ast.Constant)
            yield self._swap(a, b, "call.order", "two arguments are exchanged", 20 if constant else 34)
        whole = self.region.source(node)
        if len(plain) == 1 and not node.keywords and isinstance(node.func, ast.Name):
            yield self._replace(
                node, self.region.source(plain[0]), "call.drop", f"`{name}(…)` is too much", 26
            )
        if isinstance(node.func, ast.Attribute) and isinstance(
            node.func.value, ast.Name | ast.Subscript | ast.Call
        ):
            owner = self.region.source(node.func.value)
            for method in (".strip()", ".lower()", ".copy()", ".rstrip()", ".lstrip()"):
                if not owner.endswith(method) and method[1:-2] != name and "\n" not in owner:
                    why = f"`{method}` is missing"
                    yield self._replace(node.func.value, owner + method, f"wrap{method[:-2]}", why, 18)
        if isinstance(node.func, ast.Attribute) and not isinstance(self.region.parent(node), ast.Expr):
            owner = self.region.source(node.func.value)
            yield self._replace(node, owner, "call.drop", f"`.{name}(…)` is too much", 22)
            if len(plain) == 1 and not isinstance(plain[0], ast.GeneratorExp):
                yield self._replace(
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
                    yield self._replace(
                        argument, source + " + 1", "argument.plus", "the argument is one too low", 14
                    )
                    yield self._replace(
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
            yield self._replace(plain[0], "", "call.split_any", "any run of white space separates", 24)
        if name in ("zip", "dict", "sum", "next", "round", "getattr", "strptime", "join"):
            if name == "next" and len(plain) == 1:
                yield self._insert_argument(node, "None", "call.default", "there may be none", 24)
            if name == "round" and len(plain) == 1:
                yield self._insert_argument(node, "2", "call.default", "digits are lost", 22)
        for keyword in node.keywords:
            if keyword.arg and keyword.arg in self.scope.names and not isinstance(keyword.value, ast.Name):
                yield self._replace(
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
                yield self._replace(
                    argument, source + " + 1", "range.plus", "the range ends one too early", 52
                )
                yield self._replace(
                    argument, source + " - 1", "range.minus", "the range ends one too late", 46
                )
                if isinstance(argument, ast.BinOp) and isinstance(argument.right, ast.Constant):
                    yield self._replace(
                        argument, self.region.source(argument.left), "range.exact", "the range is cut", 48
                    )
            if i == 0 and len(plain) == 2:
                yield self._replace(
                    node,
                    f"range({self.region.source(plain[1])})",
                    "range.from_zero",
                    "the first one counts",
                    34,
                )
        if len(plain) == 1:
            yield self._replace(
                node, f"range(1, {self.region.source(plain[0])} + 1)", "range.from_one", "counts from one", 34
            )
            yield self._replace(
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
                yield self._replace(value.body, f"-{body}", "order.negate", "the order is reversed", 26)
                if isinstance(value.body, ast.Tuple):
                    for element in value.body.elts:
                        part = self.region.source(element)
                        yield self._replace(
                            element, f"-{part}", "order.negate", f"`{part}` counts downwards", 24
                        )

    def _subscript(self, node: ast.Subscript) -> Iterator[Candidate]:
        if self.region.inside(node, ast.arg) is not None:
            return
        source = self.region.source(node.value)
        if isinstance(node.slice, ast.Slice):
            yield self._replace(node, source, "slice.drop", "the slice is too much", 24)
            lower, upper = node.slice.lower, node.slice.upper
            parts = [self.region.source(p) if p is not None else "" for p in (lower, upper)]
            step = f":{self.region.source(node.slice.step)}" if node.slice.step is not None else ""
            for i, part in enumerate(parts):
                for new, why in (_stepped(part, 1), _stepped(part, -1)):
                    changed = [new if j == i else p for j, p in enumerate(parts)]
                    if new:
                        text = f"{source}[{changed[0]}:{changed[1]}{step}]"
                        yield self._replace(node, text, "slice.bound", why, 42 if part else 16)
                if part:
                    changed = ["" if j == i else p for j, p in enumerate(parts)]
                    text = f"{source}[{changed[0]}:{changed[1]}{step}]"
                    yield self._replace(node, text, "slice.open", "the slice is cut", 26)
            if any(parts):
                yield self._replace(
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
            yield self._replace(
                index, "-1" if index.value == 0 else "0", "index.end", "the other end is meant", 40
            )
        if isinstance(index, ast.UnaryOp) and isinstance(node.ctx, ast.Load):
            yield self._replace(index, "0", "index.end", "the other end is meant", 40)
        if isinstance(index, ast.Name | ast.BinOp | ast.Call):
            text = self.region.source(index)
            yield self._replace(index, text + " + 1", "index.plus", "the index is one too low", 28)
            yield self._replace(index, text + " - 1", "index.minus", "the index is one too high", 30)
        if isinstance(index, ast.Name | ast.Attribute | ast.Constant) and isinstance(node.ctx, ast.Load):
            key = self.region.source(index)
            for default in ("None", "0", "[]", '""'):
                yield self._replace(
                    node, f"{source}.get({key}, {default})", "index.get", "the key may be missing", 14
                )

    def _elements(self, node: ast.Tuple | ast.List | ast.Set) -> Iterator[Candidate]:
        if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            if isinstance(node, ast.Tuple) and len(node.elts) <= 4:
                for a, b in zip(node.elts, node.elts[1:], strict=False):
                    yield self._swap(a, b, "tuple.order", "two targets are exchanged", 26)
            return
        if len(node.elts) <= 6:
            for a, b in zip(node.elts, node.elts[1:], strict=False):
                yield self._swap(a, b, "tuple.order", "two elements are exchanged", 28)
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

    def _merged(self, node: ast.Dict) -> Iterator[Candidate]:
        """``{**a, **b}``: the later one wins."""
        for a, b, first, second in zip(node.keys, node.keys[1:], node.values, node.values[1:], strict=False):
            if a is None and b is None:
                yield self._swap(first, second, "merge.order", "the other one must win", 34)

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
                yield self._replace(node, start + "".join(order), "chain.order", "the order matters here", 26)

    # -- wrapping ------------------------------------------------------------------------------------

    def _wrap(self, node: ast.expr) -> Iterator[Candidate]:
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
            yield self._replace(node, f"abs({source})", "wrap.abs", "the sign must not count", 36)
        if isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
            if isinstance(node, ast.Name) and node.id not in self.scope.names:
                return
            simple = isinstance(node, ast.Name | ast.Attribute)
            base = 18 if simple else 14
            if simple:
                copied = f"(list({source}) if isinstance({source}, list) else {source})"
                yield self._replace(node, copied, "wrap.list_copy", "a list must not be shared", 12)
            for method in (".lower()", ".strip()", ".upper()", ".copy()", ".rstrip()", ".swapcase()"):
                yield self._replace(node, atom + method, f"wrap{method[:-2]}", f"`{method}` is missing", base)
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
                yield self._replace(
                    node, f"{name}({source})", f"wrap.{name}", f"`{name}(…)` is missing", base - 3
                )
            for helper in self.material.helpers:
                if not source.startswith(helper) and not self._within_call(node, helper):
                    yield self._replace(
                        node, f"{helper}({source})", "wrap.helper", f"`{helper}(…)` is missing", base + 10
                    )
            if returned:
                yield self._replace(node, f"{atom}[::-1]", "wrap.reversed", "the order is reversed", 14)
            if isinstance(parent, ast.For | ast.comprehension) and parent.iter is node:
                for text, why in (
                    (f"{atom}[1:]", "the first one does not count"),
                    (f"{atom}[:-1]", "the last one does not count"),
                    (f"list({source})", "it changes while it is read"),
                ):
                    yield self._replace(node, text, "wrap.iterated", why, 20)
                yield self._replace(node, f"reversed({source})", "wrap.reversed", "from the end", 22)
                for name in self.scope.parameters:
                    if name != source:
                        yield self._replace(
                            node, f"{atom}[:{name}]", "wrap.iterated", f"only the first `{name}`", 14
                        )
                        yield self._replace(
                            node, f"{atom}[{name}:]", "wrap.iterated", f"only from `{name}` on", 12
                        )
        if isinstance(node, ast.ListComp) and returned:
            yield self._replace(node, f"sorted({source})", "wrap.sorted", "the order is missing", 18)
            yield self._replace(node, f"{source}[1:]", "wrap.sliced", "the first one does not count", 12)
        if returned or isinstance(parent, ast.Assign):
            if isinstance(node, ast.BinOp | ast.Name | ast.Call):
                for text, why in (
                    (" + 1", "one is missing"),
                    (" - 1", "one is too much"),
                    (" // 2", "half of it"),
                    (" / 2", "half of it"),
                    (" * 2", "twice of it"),
                ):
                    yield self._replace(node, atom + text, "result.shift", why, 24 if "1" in text else 12)
                yield self._replace(node, f"-{atom}", "result.negate", "the sign is wrong", 18)

    def _within_call(self, node: ast.expr, helper: str) -> bool:
        parent = self.region.parent(node)
        return isinstance(parent, ast.Call) and self.region.source(parent.func) == helper

    def _condition(self, node: ast.expr) -> Iterator[Candidate]:
        """Edits of whole conditions."""
        parent = self.region.parent(node)
        is_test = (isinstance(parent, ast.If | ast.While | ast.IfExp) and parent.test is node) or (
            isinstance(parent, ast.comprehension) and node in parent.ifs
        )
        source = self.region.source(node)
        if not is_test or "\n" in source:
            return
        if isinstance(node, ast.Name | ast.Attribute):
            yield self._replace(
                node, f"{source} is not None", "none.truth", '0, "" and [] are values as well', 44
            )
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner = self.region.source(node.operand)
            yield self._replace(node, f"{inner} is None", "none.truth", '0, "" and [] are values as well', 44)
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is | ast.IsNot):
            left = self.region.source(node.left)
            new = f"not {left}" if isinstance(node.ops[0], ast.Is) else left
            yield self._replace(node, new, "none.falsy", "empty counts like None", 30)
        elif not isinstance(node, ast.Compare):
            inner = f"({source})" if isinstance(node, ast.BoolOp | ast.IfExp) else source
            yield self._replace(node, f"not {inner}", "negation.add", "the test is the wrong way round", 42)
        if isinstance(node, ast.Compare | ast.Call | ast.Name | ast.Attribute):
            for name in self._guarded(node):
                yield self._replace(
                    node, f"{name} is not None and {source}", "condition.guard", f"`{name}` may be None", 22
                )
                yield self._replace(
                    node, f"{name} and {source}", "condition.guard", f"`{name}` may be empty", 24
                )
        base = f"({source})" if isinstance(node, ast.BoolOp | ast.IfExp) else source
        ends = isinstance(parent, ast.If) and isinstance(
            parent.body[0], ast.Return | ast.Continue | ast.Raise
        )
        for extra in self._extras(node):
            yield self._replace(
                node, f"{base} and {extra}", "condition.and", f"`{extra}` must hold as well", 20
            )
            yield self._replace(
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


def _patterns(value: str, marks: str) -> Iterator[tuple[str, str]]:
    """Changes of a regular expression: characters that the issue shows, repetition, anchors."""
    for match in re.finditer(r"\[\^?[^\]]+\]", value):
        for mark in marks:
            if mark not in (match[0][1:-1].strip("-") if mark != "-" else match[0][1] + match[0][-2]):
                at = match.end() - 1
                yield (
                    value[:at] + ("\\" if mark in "]^\\" else "") + mark + value[at:],
                    f"`{mark}` must match too",
                )
    for match in re.finditer(r"(?<!\\)[*+]\??", value):
        other = "+" if match[0][0] == "*" else "*"
        yield value[: match.start()] + other + value[match.end() :], "the repetition is wrong"
        lazy = match[0][0] if match[0].endswith("?") else match[0] + "?"
        yield value[: match.start()] + lazy + value[match.end() :], "it matches too much or too little"
    yield (value[:-1] if value.endswith("$") else value + "$"), "the end of the text counts"
    yield (value[1:] if value.startswith("^") else "^" + value), "the beginning of the text counts"


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


def _quoted(text: str, like: str) -> str:
    made = repr(text)
    mark = re.match(r"[rR](['\"])", like)
    if mark and mark[1] not in text and "\n" not in text and not text.endswith("\\"):
        return f"{like[0]}{mark[1]}{text}{mark[1]}"
    if like.lstrip("rbuRBU").startswith('"') and '"' not in text and "'" not in text and "\\" not in text:
        return f'"{text}"'
    return made


def _alike(a: str, b: str) -> bool:
    """Whether two names are easily mistaken for each other: a shared word, or nearly the same letters."""
    words = {w for w in a.lower().split("_") if len(w) > 1} & {w for w in b.lower().split("_") if len(w) > 1}
    return bool(words) or difflib.SequenceMatcher(None, a, b).ratio() > 0.6
