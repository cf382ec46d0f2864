"""Edits of statements: what is missing, too much, in the wrong place or in the wrong branch."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from runner.models.embedded.material import Material
from runner.models.embedded.scope import BUILTINS, Scope
from runner.models.embedded.source import Candidate, Region, Span

_LOOPS = (ast.For, ast.While)
_COMPOUND = (
    ast.If,
    ast.For,
    ast.While,
    ast.With,
    ast.Try,
    ast.FunctionDef,
    ast.ClassDef,
    ast.AsyncFunctionDef,
)


class Statements:
    """Proposes edits of the statements of a region."""

    def __init__(self, region: Region, scope: Scope, material: Material) -> None:
        self.region, self.scope, self.material = region, scope, material

    def candidates(self) -> Iterator[Candidate]:
        for node in self.region.order:
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    yield from self._function(node)
                case ast.If():
                    yield from self._if(node)
                case ast.Return():
                    yield from self._return(node)
                case ast.Break() | ast.Continue():
                    yield from self._jump(node)
                case ast.Raise():
                    yield from self._raise(node)
                case ast.ExceptHandler():
                    yield from self._handler(node)
                case ast.Assign() | ast.AugAssign():
                    yield from self._assignment(node)
            if isinstance(node, ast.stmt) and not isinstance(node, ast.FunctionDef | ast.ClassDef):
                yield from self._remove(node)
            for block in _blocks(node):
                yield from self._block(node, block)

    # -- helpers -------------------------------------------------------------------------------------

    def _lines(self, node: ast.stmt) -> Span:
        """The whole lines of a statement, line break included."""
        span = self.region.span(node)
        return Span(span.line, 0, span.end_line, len(self.region.text(span.end_line)))

    def _alone(self, node: ast.stmt) -> bool:
        """Whether the statement has its lines to itself (no ``;``, no ``if x: y``)."""
        span = self.region.span(node)
        before = self.region.text(span.line)[: span.col]
        after = self.region.text(span.end_line)[span.end_col :].strip()
        return not before.strip() and (not after or after.startswith("#"))

    def _before(self, node: ast.stmt, text: str, kind: str, why: str, score: float) -> Candidate:
        line = self.region.span(node).line
        indent = self.region.indent(line)
        body = "\n".join(indent + part for part in text.split("\n"))
        return Candidate(Span(line, 0, line, 0), body + "\n", kind, why, score)

    def _after(self, node: ast.stmt, text: str, kind: str, why: str, score: float) -> Candidate:
        span = self.region.span(node)
        indent = self.region.indent(span.line)
        body = "\n".join(indent + part for part in text.split("\n"))
        end = len(self.region.text(span.end_line))
        return Candidate(Span(span.end_line, end, span.end_line, end), "\n" + body, kind, why, score)

    def _text(self, nodes: list[ast.stmt], shift: str = "") -> str:
        """The lines of consecutive statements; ``shift`` is put before each, "-" takes four blanks away."""
        first, last = self._lines(nodes[0]), self._lines(nodes[-1])
        lines = self.region.cut(Span(first.line, 0, last.end_line, last.end_col)).split("\n")
        if shift == "-":
            return "\n".join(line[4:] if line.startswith("    ") else line for line in lines)
        return "\n".join(shift + line if line.strip() else line for line in lines)

    def _cover(self, nodes: list[ast.stmt]) -> Span:
        first, last = self._lines(nodes[0]), self._lines(nodes[-1])
        return Span(first.line, 0, last.end_line, last.end_col)

    # -- rules ---------------------------------------------------------------------------------------

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Candidate]:
        body = [s for s in node.body if not _is_docstring(s)]
        if not body or not self._alone(body[0]):
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
                yield self._before(first, guard, "guard.empty", f"`{name}` may be empty", 22)
            yield self._before(
                first, f"if {name} is None:\n    return None", "guard.none", f"`{name}` may be None", 20
            )
            for error in self.material.errors:
                for test in (f"{name} < 0", f"{name} <= 0", f"not {name}", f"{name} is None"):
                    guard = f'if {test}:\n    raise {error}(f"invalid {name}: {{{name}!r}}")'
                    yield self._before(first, guard, "guard.raise", f"`{test}` must raise {error}", 22)
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
                yield self._before(
                    first, change, "parameter.normal", f"`{name}` must be brought to normal form", 20
                )
            for helper in self.material.helpers:
                yield self._before(
                    first,
                    f"{name} = {helper}({name})",
                    "parameter.helper",
                    f"`{helper}` must be applied first",
                    22,
                )
        if not isinstance(last, ast.Return):
            for name in [*reversed(self.scope.locals), *names]:
                if name not in self.scope.comprehension:
                    yield self._after(
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

    def _if(self, node: ast.If) -> Iterator[Candidate]:
        if not self._alone(node) and not self.region.text(self.region.span(node).line).lstrip().startswith(
            "elif"
        ):
            return
        body, orelse = node.body, node.orelse
        simple = all(self._alone(s) for s in (*body, *orelse)) and not (
            len(orelse) == 1 and isinstance(orelse[0], ast.If)
        )
        if orelse and simple:
            a, b = self._cover(body), self._cover(orelse)
            middle = self.region.cut(Span(a.end_line, a.end_col, b.line, 0))
            yield Candidate(
                Span(a.line, 0, b.end_line, b.end_col),
                self._text(orelse) + middle + self._text(body),
                "branches.swap",
                "the two branches are exchanged",
                34,
            )
        if self._alone(node) and not orelse and all(self._alone(s) for s in body):
            yield Candidate(
                self._lines(node), self._text(body, "-"), "guard.drop", "the condition is too much", 20
            )
        head = self.region.text(self.region.span(node).line)
        if head.lstrip().startswith("elif"):
            at = self.region.span(node)
            column = head.index("elif")
            yield Candidate(
                Span(at.line, column, at.line, column + 4), "if", "branches.independent", "both may apply", 24
            )
        parent = self.region.parent(node)
        for block in _blocks(parent) if parent is not None else ():
            if (
                node in block
                and block.index(node) > 0
                and isinstance(block[block.index(node) - 1], ast.If)
                and self._alone(node)
            ):
                at = self.region.span(node)
                yield Candidate(
                    Span(at.line, at.col, at.line, at.col),
                    "el",
                    "branches.exclusive",
                    "only one may apply",
                    20,
                )
        if not orelse and self._alone(node) and all(self._alone(s) for s in body):
            donor = next((s for s in body if isinstance(s, ast.AugAssign)), None)
            for target in self.scope.locals:
                if donor is not None and isinstance(donor.target, ast.Name) and target != donor.target.id:
                    line = self.region.source(donor).replace(donor.target.id, target, 1)
                    yield self._after(
                        node, f"else:\n    {line}", "branches.else", "the other case is not counted", 14
                    )

    def _return(self, node: ast.Return) -> Iterator[Candidate]:
        value = node.value
        if value is None:
            for name in self.scope.names:
                span = self.region.span(node)
                yield Candidate(span, f"return {name}", "return.value", f"`{name}` must be returned", 26)
            return
        span = self.region.span(value)
        if (
            isinstance(value, ast.Call)
            and isinstance(value.func, ast.Attribute)
            and value.func.attr
            in (
                "sort",
                "reverse",
                "append",
                "extend",
                "add",
                "update",
                "insert",
                "remove",
            )
        ):
            owner = self.region.source(value.func.value)
            yield Candidate(span, owner, "return.inplace", f"`.{value.func.attr}` returns None", 50)
            call = self.region.source(value)
            yield Candidate(
                self.region.span(node),
                f"{call}\n{self.region.indent(span.line)}return {owner}",
                "return.inplace",
                f"`.{value.func.attr}` returns None",
                48,
            )
        if not isinstance(value, ast.Constant):
            text = self.region.source(value)
            for name in self.scope.locals:
                if (
                    name != text
                    and name not in self.scope.comprehension
                    and self.scope.first_bound[name] < node.lineno
                ):
                    yield Candidate(span, name, "return.other", f"`{name}` must be returned", 24)
        for other in ("None", "[]", "0", "{}", '""', "False", "True"):
            if isinstance(value, ast.Constant | ast.List | ast.Dict) and other != self.region.source(value):
                yield Candidate(span, other, "return.constant", f"`{other}` must be returned", 18)
        for name in self.scope.parameters:
            if isinstance(value, ast.Constant):
                yield Candidate(span, name, "return.constant", f"`{name}` must be returned", 16)

    def _jump(self, node: ast.Break | ast.Continue) -> Iterator[Candidate]:
        new = "continue" if isinstance(node, ast.Break) else "break"
        yield Candidate(self.region.span(node), new, "loop.jump", f"`{new}` is meant", 36)

    def _raise(self, node: ast.Raise) -> Iterator[Candidate]:
        if isinstance(node.exc, ast.Call) and isinstance(node.exc.func, ast.Name):
            for error in self.material.errors:
                if error != node.exc.func.id:
                    span = self.region.span(node.exc.func)
                    yield Candidate(span, error, "raise.type", f"{error} must be raised", 44)
        if self._alone(node):
            for value in ("None", "[]", *self.scope.parameters[:2]):
                yield Candidate(self.region.span(node), f"return {value}", "raise.not", "it is no error", 14)

    def _handler(self, node: ast.ExceptHandler) -> Iterator[Candidate]:
        if node.type is None or node.lineno is None:
            return
        span = self.region.span(node.type)
        text = self.region.source(node.type)
        for error in (
            *self.material.errors,
            "KeyError",
            "ValueError",
            "TypeError",
            "IndexError",
            "AttributeError",
            "LookupError",
        ):
            if error not in text:
                both = (
                    f"({text}, {error})" if not isinstance(node.type, ast.Tuple) else f"{text[:-1]}, {error})"
                )
                score = 36 if error in self.material.errors else 14
                yield Candidate(span, both, "handler.more", f"{error} is not caught", score)
                yield Candidate(span, error, "handler.other", f"{error} must be caught instead", score - 6)

    def _assignment(self, node: ast.Assign | ast.AugAssign) -> Iterator[Candidate]:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Attribute) and self._alone(node):
            source = self.region.source(node.value)
            if re.fullmatch(r"self\._?\w*(count|number|next|index|id|seq|serial|total)\w*", source):
                for put, text in ((self._before, f"{source} += 1"), (self._after, f"{source} += 1")):
                    yield put(node, text, "statement.count", f"`{source}` is never counted up", 32)
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = self.region.source(node.targets[0])
            if (
                isinstance(node.targets[0], ast.Name | ast.Subscript | ast.Attribute)
                and self.region.inside(node, *_LOOPS) is not None
            ):
                where = self.region.between(node.targets[0], node.value)
                for op in ("+=", "-=", "*="):
                    yield Candidate(where, f" {op} ", "assign.accumulate", "earlier values are lost", 24)
            if isinstance(node.targets[0], ast.Name):
                for name in self.scope.locals:
                    if (
                        name != target
                        and name not in self.scope.comprehension
                        and self.scope.first_bound[name] < node.lineno
                    ):
                        yield Candidate(
                            self.region.span(node.targets[0]), name, "name.target", f"`{name}` is meant", 20
                        )
        if isinstance(node, ast.AugAssign) and self._alone(node):
            text = self.region.source(node)
            for loop in self.region.walk(ast.While, ast.For):
                block: list[ast.stmt] = loop.body  # type: ignore[attr-defined]
                if node not in block and self._alone(block[-1]):
                    yield self._after(block[-1], text, "statement.repeat", "the step is missing here", 14)

    def _remove(self, node: ast.stmt) -> Iterator[Candidate]:
        if not self._alone(node) or isinstance(node, ast.Import | ast.ImportFrom) or _is_docstring(node):
            return
        block = next((b for b in _blocks(self.region.parent(node)) if node in b), [])
        head = self.region.text(self.region.span(node).line).lstrip()
        if head.startswith("elif"):
            return
        if len(block) > 1:
            span = self._lines(node)
            gone = (
                Span(span.line, 0, span.end_line + 1, 0)
                if span.end_line < self.region.first + len(self.region.lines) - 1
                else Span(span.line - 1, len(self.region.text(span.line - 1)), span.end_line, span.end_col)
            )
            size = span.end_line - span.line
            yield Candidate(gone, "", "statement.drop", "the statement is too much", 24 - 4 * min(size, 3))
        elif len(block) == 1 and not isinstance(node, _COMPOUND):
            yield Candidate(self.region.span(node), "pass", "statement.drop", "the statement is too much", 16)

    def _block(self, owner: ast.AST, block: list[ast.stmt]) -> Iterator[Candidate]:
        if not all(self._alone(s) for s in block):
            return
        last = block[-1]
        for a, b in zip(block, block[1:], strict=False):
            if (
                not isinstance(a, _COMPOUND)
                and not isinstance(b, (*_COMPOUND, ast.Return, ast.Raise))
                and not _is_docstring(a)
            ):
                yield Candidate(
                    self._cover([a, b]),
                    self._text([b]) + "\n" + self._text([a]),
                    "statement.order",
                    "the order is wrong",
                    24,
                )
            elif isinstance(a, ast.If) and isinstance(b, ast.If | ast.Assign | ast.AugAssign | ast.Expr):
                yield Candidate(
                    self._cover([a, b]),
                    self._text([b]) + "\n" + self._text([a]),
                    "statement.order",
                    "the order is wrong",
                    22,
                )
            if isinstance(a, (*_LOOPS, ast.If, ast.With)) and self._alone(b) and not isinstance(b, _COMPOUND):
                # What follows a block may belong into it.
                yield Candidate(
                    self._lines(b),
                    self._text([b], "    "),
                    "indent.in",
                    "it belongs into the block above",
                    20,
                )
        if len(block) > 1 and isinstance(owner, (*_LOOPS, ast.If)) and not isinstance(last, _COMPOUND):
            if getattr(owner, "orelse", None) in ([], None):
                score = 42 if isinstance(last, ast.Return) else 26
                yield Candidate(
                    self._lines(last),
                    self._text([last], "-"),
                    "indent.out",
                    "it belongs behind the block",
                    score,
                )
        elif (
            isinstance(owner, ast.If)
            and isinstance(last, ast.Return)
            and self.region.inside(owner, *_LOOPS) is not None
        ):
            yield Candidate(
                self._lines(last), self._text([last], "-"), "indent.out", "it belongs behind the block", 10
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
            if any(isinstance(s, _COMPOUND) for s in part) or _is_docstring(part[0]):
                continue
            indent = self.region.indent(self.region.span(part[0]).line)
            body = self._text(part, "    ")
            for name in names:
                for test in (name, f"{name} is not None"):
                    new = f"{indent}if {test}:\n{body}"
                    yield Candidate(self._cover(part), new, "guard.item", f"not every `{name}` counts", 18)

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
        if _is_docstring(block[0]):
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
        own = "\n".join(self.region.source(s) for s in block if not isinstance(s, _COMPOUND))
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
            yield self._before(block[0], text, "statement.donor", "a sibling does this too", 16 + near)
            if not isinstance(block[-1], ast.Return | ast.Raise | ast.Break | ast.Continue):
                yield self._after(block[-1], text, "statement.donor", "a sibling does this too", 18 + near)
            elif len(block) > 1:
                yield self._before(block[-1], text, "statement.donor", "a sibling does this too", 18 + near)


def _blocks(node: ast.AST | None) -> list[list[ast.stmt]]:
    """The statement lists of ``node``."""
    if node is None:
        return []
    found = [getattr(node, name, None) for name in ("body", "orelse", "finalbody")]
    return [b for b in found if isinstance(b, list) and b and isinstance(b[0], ast.stmt)]


def _is_docstring(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
