"""Edits of expressions: operators, constants, names, calls, slices."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from runner.models.embedded.calls import Calls
from runner.models.embedded.constants import Constants
from runner.models.embedded.containers import Containers
from runner.models.embedded.edits import Edits
from runner.models.embedded.material import Material
from runner.models.embedded.names import Names
from runner.models.embedded.operators import Operators
from runner.models.embedded.scope import Scope
from runner.models.embedded.source import Candidate, Region
from runner.models.embedded.wrapping import Wrapping


class Expressions:
    """Proposes edits of the expressions of a region."""

    def __init__(self, region: Region, scope: Scope, material: Material) -> None:
        self.region = region
        self.edits = Edits(region, scope, material)
        self.operators = Operators(region, scope, material)
        self.constants = Constants(region, scope, material)
        self.names = Names(region, scope, material)
        self.calls = Calls(region, scope, material)
        self.containers = Containers(region, scope, material)
        self.wrapping = Wrapping(region, scope, material)

    def candidates(self) -> Iterator[Candidate]:
        for node in self.region.order:
            if self.region.inside(node, ast.JoinedStr) is not None:
                continue  # positions inside f-strings are not reliable before Python 3.12
            match node:
                case ast.Compare():
                    yield from self.operators.compare(node)
                case ast.BoolOp():
                    yield from self.operators.boolean(node)
                case ast.UnaryOp():
                    yield from self.operators.unary(node)
                case ast.BinOp():
                    yield from self.operators.binary(node)
                case ast.AugAssign():
                    yield from self.operators.augmented(node)
                case ast.Constant() if not self.region.docstring(node):
                    yield from self.constants.constant(node)
                case ast.Name():
                    yield from self.names.name(node)
                case ast.Attribute():
                    yield from self.names.attribute(node)
                case ast.Call():
                    yield from self.calls.call(node)
                case ast.Subscript():
                    yield from self.containers.subscript(node)
                case ast.Tuple() | ast.List() | ast.Set():
                    yield from self.containers.elements(node)
                case ast.Dict():
                    yield from self.containers.merged(node)
                case ast.IfExp():
                    yield self.edits.swap(
                        node.body, node.orelse, "ternary.swap", "the two results are exchanged", 34
                    )
            if isinstance(node, ast.expr):
                yield from self.wrapping.wrap(node)
                yield from self.wrapping.condition(node)
