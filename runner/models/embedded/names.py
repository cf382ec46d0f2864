"""Edits of names and attributes: another variable, another method of the same family."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator

from runner.models.embedded.edits import Edits
from runner.models.embedded.scope import BUILTINS
from runner.models.embedded.source import Candidate, Span

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


class Names(Edits):
    """Proposes other names."""

    def name(self, node: ast.Name) -> Iterator[Candidate]:
        parent = self.region.parent(node)
        if isinstance(parent, ast.Call) and parent.func is node:
            yield from self._callee(node, node.id, node.id)
            return
        if isinstance(node.ctx, ast.Store):
            if isinstance(parent, ast.AugAssign):
                for name in self.scope.locals:
                    if name != node.id and self.scope.first_bound[name] < node.lineno:
                        yield self.replace(node, name, "name.target", f"`{name}` is meant", 30)
            return
        annotation = self.region.inside(node, ast.arg)
        if node.id in BUILTINS or annotation is not None or node.id in ("self", "cls"):
            return
        if node.id not in self.scope.names:
            for name in self.material.globals:
                if name != node.id and name.isupper() == node.id.isupper() and _alike(name, node.id):
                    yield self.replace(node, name, "name.global", f"`{name}` is meant", 30)
            return
        for name in self.scope.names:
            if name == node.id or not self._reachable(name, node):
                continue
            fits = self.material.compatible(name, node.id)
            score = 34.0 + (12 if _alike(name, node.id) else 0) - (14 if fits is False else 0)
            yield self.replace(node, name, "name.swap", f"`{name}` is meant, not `{node.id}`", score)
        for attribute in self.scope.attributes:
            same = attribute.strip("_") == node.id.strip("_")
            if same or self.material.compatible(node.id, f"self.{attribute}"):
                why = f"`self.{attribute}` is meant"
                yield self.replace(node, f"self.{attribute}", "name.attribute", why, 40 if same else 14)

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

    def attribute(self, node: ast.Attribute) -> Iterator[Candidate]:
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
                        yield self.replace(node, name, "name.swap", f"`{name}` is meant", 36 if same else 14)
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


def _alike(a: str, b: str) -> bool:
    """Whether two names are easily mistaken for each other: a shared word, or nearly the same letters."""
    words = {w for w in a.lower().split("_") if len(w) > 1} & {w for w in b.lower().split("_") if len(w) > 1}
    return bool(words) or difflib.SequenceMatcher(None, a, b).ratio() > 0.6
