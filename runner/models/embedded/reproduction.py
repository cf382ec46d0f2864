"""The text of the reproduction script: ``trial.py`` without what only readers of its source need."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from runner.models.embedded.examples import Step
from runner.models.embedded.trial import MARKS


@cache
def program() -> str:
    """``trial.py`` without docstrings, annotations, wide indentation and its ``SPEC`` line."""
    tree = ast.parse(Path(__file__).with_name("trial.py").read_text("utf-8"))
    tree.body = [n for n in tree.body if not _is_spec(n) and not _needless_import(n)]
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.Module):
            if ast.get_docstring(node) is not None:
                node.body = node.body[1:]
        if isinstance(node, ast.FunctionDef):
            node.returns = None
            for argument in node.args.args:
                argument.annotation = None
    tree = _Plain().visit(tree)
    text = ast.unparse(ast.fix_missing_locations(tree))
    # One blank per level is enough for Python, and what is sent counts against the context window.
    return re.sub(r"^(?: {4})+", lambda m: " " * (len(m[0]) // 4), text, flags=re.M)


class _Plain(ast.NodeTransformer):
    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is None:
            return ast.Pass()
        return ast.Assign([node.target], node.value)


def _is_spec(node: ast.stmt) -> bool:
    return isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == "SPEC"


def _needless_import(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module in ("collections.abc", "typing")


def told(issue: str) -> list[str]:
    """Words of the issue that may be (part of) a right result: with digits, capitals, or quoted."""
    words = [w.strip(MARKS) for w in re.split(r"[\s,()\[\]{}|]+", issue)]
    words += [w for word in words for w in re.split(r"[&?/]|(?<==)", word) if w != word]
    quoted = " ".join(re.findall(r"[`'\"]([^`'\"\n]{1,60})[`'\"]", issue))
    return [w for w in dict.fromkeys(words) if w and (re.search(r"[0-9A-Z&<]", w) or w in quoted.split())][
        :70
    ]


# A check that fails in one of these ways is broken itself, unless the issue is about just that.
_BROKEN = ("NameError", "ImportError", "ModuleNotFoundError", "FileNotFoundError", "SyntaxError")


def script(files: Sequence[str], checks: Sequence[Sequence[Step]], issue: str) -> str:
    """The whole script for these modules (paths from the repository's root) and examples."""
    strong: list[int] = []
    doubts: list[int] = []
    count = 0
    for block in checks:
        for step in block:
            if step.kind != "do":
                if step.strong:
                    strong.append(count)
                if step.doubt:
                    doubts.append(count)
                count += 1
    blocks = [[[s.kind, s.source, list(s.wants)] for s in block] for block in checks]
    skip = [f"raises {name}" for name in _BROKEN if name not in issue]
    spec = {
        "files": list(files),
        "blocks": blocks,
        "strong": strong,
        "doubts": doubts,
        "skip": skip,
        "told": told(issue),
    }
    return f"SPEC = {spec!r}\n{program()}\n"
