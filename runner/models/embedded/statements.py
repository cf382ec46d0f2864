"""Edits of statements: guards, results, order, depth."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from runner.models.embedded.branches import Branches
from runner.models.embedded.lines import blocks
from runner.models.embedded.material import Material
from runner.models.embedded.order import Order
from runner.models.embedded.results import Results
from runner.models.embedded.scope import Scope
from runner.models.embedded.source import Candidate, Region


class Statements:
    """Proposes edits of the statements of a region."""

    def __init__(self, region: Region, scope: Scope, material: Material) -> None:
        self.region = region
        self.branches = Branches(region, scope, material)
        self.results = Results(region, scope, material)
        self.order = Order(region, scope, material)

    def candidates(self) -> Iterator[Candidate]:
        for node in self.region.order:
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    yield from self.branches.function(node)
                case ast.If():
                    yield from self.branches.branch(node)
                case ast.Return():
                    yield from self.results.returned(node)
                case ast.Break() | ast.Continue():
                    yield from self.results.jump(node)
                case ast.Raise():
                    yield from self.results.raised(node)
                case ast.ExceptHandler():
                    yield from self.results.handler(node)
                case ast.Assign() | ast.AugAssign():
                    yield from self.results.assignment(node)
            if isinstance(node, ast.stmt) and not isinstance(node, ast.FunctionDef | ast.ClassDef):
                yield from self.results.remove(node)
            for block in blocks(node):
                yield from self.order.block(node, block)
