"""Edits of operators: comparisons, and/or/not, arithmetic."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from runner.models.embedded.edits import Edits
from runner.models.embedded.source import Candidate

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


class Operators(Edits):
    """Proposes other operators, operands and groupings."""

    def compare(self, node: ast.Compare) -> Iterator[Candidate]:
        left = node.left
        for op, right in zip(node.ops, node.comparators, strict=True):
            old = COMPARE[type(op)]
            for new, kind, score in COMPARE_SWAPS[old]:
                yield from self.operator(left, right, old, new, f"compare.{kind}", score)
            if old in ("<", "<=", ">", ">=", "in", "not in") and len(node.ops) == 1:
                yield self.swap(left, right, "compare.swap", "the two sides are exchanged", 30)
            for side in (left, right):
                if not isinstance(side, ast.Constant):
                    source = self.region.source(side)
                    yield self.replace(side, source + " + 1", "bound.plus", "the bound is one too low", 24)
                    yield self.replace(side, source + " - 1", "bound.minus", "the bound is one too high", 24)
            left = right

    def boolean(self, node: ast.BoolOp) -> Iterator[Candidate]:
        old = "and" if isinstance(node.op, ast.And) else "or"
        new = "or" if old == "and" else "and"
        parts: list[str] = []
        for left, right in zip(node.values, node.values[1:], strict=False):
            text = self.region.cut(self.region.between(left, right))
            if old in text:
                parts += [self.region.source(left), text.replace(old, new, 1)]
                if len(node.values) > 2:
                    yield from self.operator(left, right, old, new, "boolean.swap_one", 25)
        yield self.replace(
            node,
            "".join(parts) + self.region.source(node.values[-1]),
            "boolean.swap",
            f"`{old}` should be `{new}`",
            52,
        )
        for i, value in enumerate(node.values):
            rest = [self.region.source(v) for j, v in enumerate(node.values) if j != i]
            why = f"the condition `{self.region.source(value)}` is too much"
            yield self.replace(node, f" {old} ".join(rest), "boolean.drop", why, 28)
        if len(node.values) == 2 and old == "or" and isinstance(node.values[0], ast.Name | ast.Attribute):
            # ``x or default`` treats 0, "" and [] like None.
            a, b = (self.region.source(v) for v in node.values)
            yield self.replace(
                node, f"({a} if {a} is not None else {b})", "none.or", "only None should take the default", 46
            )

    def unary(self, node: ast.UnaryOp) -> Iterator[Candidate]:
        if isinstance(node.op, ast.Not):
            yield self.replace(
                node, self.region.source(node.operand), "negation.drop", "the test is negated by mistake", 44
            )
        elif isinstance(node.op, ast.USub):
            yield self.replace(node, self.region.source(node.operand), "sign.drop", "the sign is wrong", 34)

    def binary(self, node: ast.BinOp) -> Iterator[Candidate]:
        old = BINARY.get(type(node.op))
        if old is None:
            return
        left, right = self.region.source(node.left), self.region.source(node.right)
        text = isinstance(node.left, ast.Constant) and isinstance(node.left.value, str)
        if not text:
            for new, score in BINARY_SWAPS[old]:
                yield from self.operator(node.left, node.right, old, new, "arithmetic.swap", score)
        if old in ("-", "/", "//", "%", "**", "+"):
            yield self.swap(node.left, node.right, "arithmetic.order", "the operands are exchanged", 26)
        yield self.replace(node, left, "arithmetic.drop", f"`{old} {right}` is too much", 28)
        yield self.replace(node, right, "arithmetic.drop", f"`{left} {old}` is too much", 24)
        if old in ("+", "-") and not text:
            for side, source in ((node.left, left), (node.right, right)):
                if not isinstance(side, ast.Constant) and not (
                    isinstance(side, ast.BinOp) and isinstance(side.op, ast.Add | ast.Sub)
                ):
                    yield self.replace(
                        side, f"2 * {source}", "arithmetic.twice", "it counts on both sides", 15
                    )
        if isinstance(node.right, ast.BinOp) and old in ("-", "+", "*", "/", "//", "%"):
            inner = BINARY.get(type(node.right.op), "")
            a, b = self.region.source(node.right.left), self.region.source(node.right.right)
            yield self.replace(
                node, f"({left} {old} {a}) {inner} {b}", "arithmetic.group", "the grouping is wrong", 22
            )
            if isinstance(node.right.left, ast.Constant):
                yield self.replace(
                    node, f"{left} {inner} {b} {old} {a}", "arithmetic.group", "the grouping is wrong", 22
                )
        if isinstance(node.left, ast.BinOp) and old in ("*", "/", "//", "%", "**"):
            inner = BINARY.get(type(node.left.op), "")
            a, b = self.region.source(node.left.left), self.region.source(node.left.right)
            yield self.replace(
                node, f"{a} {inner} ({b} {old} {right})", "arithmetic.group", "the grouping is wrong", 20
            )

    def augmented(self, node: ast.AugAssign) -> Iterator[Candidate]:
        old = BINARY.get(type(node.op))
        if old is None:
            return
        target = node.target
        for new, score in BINARY_SWAPS[old]:
            if new != "|":
                yield from self.operator(target, node.value, old + "=", new + "=", "arithmetic.swap", score)
        yield from self.operator(target, node.value, old + "=", "=", "assign.plain", 26)
