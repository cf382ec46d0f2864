"""Names in scope at a place in the code."""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass, field

from runner.models.embedded.source import Region


@dataclass(slots=True)
class Scope:
    """Names bound in one region, in order of appearance."""

    parameters: list[str] = field(default_factory=list)
    locals: list[str] = field(default_factory=list)
    first_bound: dict[str, int] = field(default_factory=dict)
    attributes: list[str] = field(default_factory=list)
    callables: list[str] = field(default_factory=list)
    comprehension: dict[str, ast.AST] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        return self.parameters + [n for n in self.locals if n not in self.parameters]


def scope_of(region: Region) -> Scope:
    """Read the names of ``region``."""
    scope = Scope()
    for node in region.order:
        if isinstance(node, ast.arg):
            if node.arg not in scope.parameters and node.arg not in ("self", "cls"):
                scope.parameters.append(node.arg)
                scope.first_bound.setdefault(node.arg, node.lineno)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            home = region.inside(node, ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
            if home is not None and region.inside(node, ast.comprehension) is not None:
                scope.comprehension[node.id] = home
            if node.id not in scope.locals:
                scope.locals.append(node.id)
            scope.first_bound[node.id] = min(scope.first_bound.get(node.id, node.lineno), node.lineno)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
            if node.attr not in scope.attributes and not _called(region, node):
                scope.attributes.append(node.attr)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id not in scope.callables:
                scope.callables.append(node.func.id)
    return scope


def _called(region: Region, node: ast.Attribute) -> bool:
    parent = region.parent(node)
    return isinstance(parent, ast.Call) and parent.func is node


BUILTINS = frozenset(dir(builtins))
