"""New errors that an edit of a Python file brings in, as flake8 names them (SWE-agent 0.7: the codes below).

The text is only parsed, in this process: pyflakes and pycodestyle are what flake8 itself runs.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

import pycodestyle
from pyflakes import checker, messages

FLAKES = {
    messages.UndefinedName: "F821",
    messages.UndefinedExport: "F822",
    messages.DuplicateArgument: "F831",
}
STYLE = ("E111", "E112", "E113")


@dataclass(frozen=True, order=True)
class Problem:
    """Where (1-based) and what."""

    line: int
    column: int
    code: str
    text: str

    @property
    def shown(self) -> str:
        return f"- {self.code} {self.text}"


def problems(source: str, codes: frozenset[str]) -> list[Problem]:
    """All problems of ``source`` with one of ``codes``, by position."""
    found: list[Problem] = []
    lines = source.splitlines(keepends=True)
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line, column = getattr(error, "lineno", None) or 1, getattr(error, "offset", None) or 0
        message = getattr(error, "msg", None) or str(error)
        found.append(Problem(line, column, "E999", f"{type(error).__name__}: {message}"))
    else:
        for message in checker.Checker(tree, filename="-").messages:
            if code := FLAKES.get(type(message)):
                found.append(
                    Problem(message.lineno, message.col, code, message.message % message.message_args)
                )
    found += _style(lines, broken=bool(found) and found[0].code == "E999")
    return sorted(p for p in found if p.code in codes)


def _style(lines: list[str], *, broken: bool) -> list[Problem]:
    class Report(pycodestyle.BaseReport):  # type: ignore[misc]
        def error(self, line_number, offset, text, check):  # type: ignore[no-untyped-def]
            rows.append(Problem(line_number, offset + 1, text[:4], text[5:]))

    rows: list[Problem] = []
    if broken:
        return rows
    options = pycodestyle.StyleGuide(select=list(STYLE), reporter=Report, quiet=2).options
    options.report = Report(options)
    pycodestyle.Checker("edited.py", lines=lines, options=options).check_all()
    return rows


def introduced(
    before: str, after: str, start: int, end: int, added: int, codes: frozenset[str]
) -> list[Problem]:
    """Problems of ``after`` that ``before`` had not: those outside the replaced lines ``start``..``end`` (1-based) are
    compared at the place where they stood before ``added`` lines took that range."""
    shift = added - (end - start + 1)
    old = {(p.line, p.code, p.text) for p in problems(before, codes)}
    new = []
    for problem in problems(after, codes):
        line = problem.line if problem.line < start else problem.line - shift
        inside = start <= problem.line < start + added
        if inside or (line, problem.code, problem.text) not in old:
            new.append(problem)
    return new
