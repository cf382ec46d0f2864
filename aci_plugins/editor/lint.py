"""Errors of Python source as flake8 prints them, found on text alone: nothing is executed, no file is read."""

from __future__ import annotations

import io
import re
import tokenize
import warnings
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.metadata import EntryPoint
from typing import Any

from aci_plugins.editor.hunks import Hunk, in_new_lines, moved

# The parser warns about odd literals ("\d"); that is no error here, and must not reach the host's stderr.
for _category in (SyntaxWarning, DeprecationWarning):
    warnings.filterwarnings("ignore", category=_category, module="<unknown>")


@dataclass(frozen=True, slots=True)
class LintError:
    """One error: ``text`` begins with its code."""

    line: int
    column: int
    text: str

    @property
    def code(self) -> str:
        """E999, F821 …"""
        return self.text.split(" ", 1)[0]


@lru_cache(maxsize=64)
def lint(data: bytes, codes: tuple[str, ...]) -> tuple[LintError, ...]:
    """Errors of ``data`` with one of ``codes``, in flake8's order (line, column), ``# noqa`` respected.

    Known codes: F821, F822, F831 (and the other codes of pyflakes), E111, E112, E113, E999, E902.
    """
    from flake8.violation import Violation

    found = []
    for code, line, column, text, physical in sorted(_run(data), key=lambda r: (r[1], r[2])):
        violation = Violation(code, "<unknown>", line, column + 1, text, physical or "")
        if code.startswith(codes) and not violation.is_inline_ignored(False):
            found.append(LintError(line, column + 1, f"{code} {text}"))
    return tuple(found)


def introduced(before: bytes, after: bytes, edited: Sequence[Hunk], codes: Sequence[str]) -> list[LintError]:
    """Errors of ``after`` that an edit of the lines ``edited`` brought in.

    An error outside the edited lines that was there before is not counted. Where ``before`` did not parse, its
    other errors are unknown; then only those inside the new lines count.
    """
    wanted = tuple(codes)
    errors = lint(after, wanted)
    if not errors:
        return []
    old = lint(before, wanted)
    kept = {_comparable(replace(e, line=line)) for e in old if (line := moved(e.line, edited)) is not None}
    unknown = any(e.code in ("E999", "E902") for e in old)
    parses = not any(e.code in ("E999", "E902") for e in errors)
    return [
        e
        for e in errors
        if _comparable(e) not in kept and not (unknown and parses and not in_new_lines(e.line, edited))
    ]


def _comparable(error: LintError) -> LintError:
    """Some texts name a line ("… on line 4"), which moves too."""
    return replace(error, text=re.sub(r" on line \d+", " on line", error.text))


def _run(data: bytes) -> list[tuple[str, int, int, str, str | None]]:
    from flake8.checker import FileChecker
    from flake8.processor import FileProcessor

    lines = _lines(data)

    class Checker(FileChecker):  # type: ignore[misc]  # flake8 is untyped
        def _make_processor(self) -> Any:
            return FileProcessor("<unknown>", self.options, lines=lines)

    checker = Checker(filename="<unknown>", plugins=_checks(), options=_OPTIONS)
    try:
        checker.run_checks()
    except (
        ValueError,
        RecursionError,
        MemoryError,
    ) as error:  # NUL bytes; nesting beyond the parser's limits
        checker.report("E902", 1, 0, f"{type(error).__name__}: {error}")
    results: list[tuple[str, int, int, str, str | None]] = checker.results
    return results


def _lines(data: bytes) -> list[str]:
    """As flake8 reads a file: by its declared encoding, else latin-1; line ends become newlines."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return io.TextIOWrapper(io.BytesIO(data), encoding).readlines()
    except (SyntaxError, UnicodeError, LookupError):
        return io.TextIOWrapper(io.BytesIO(data), "latin-1").readlines()


_OPTIONS = Namespace(
    disable_noqa=False,
    hang_closing=False,
    indent_size=4,
    max_line_length=79,
    max_doc_length=None,
    verbose=0,
    stdin_display_name="stdin",
)


@cache
def _checks() -> Any:
    """pyflakes, and pycodestyle's check of indentation."""
    import pycodestyle
    from flake8.plugins.finder import Checkers, LoadedPlugin, Plugin, _parameters_for
    from flake8.plugins.pyflakes import FlakesChecker

    def loaded(name: str, check: Any) -> Any:
        entry = EntryPoint(name, "", "flake8.extension")
        return LoadedPlugin(Plugin("flake8", "", entry), check, _parameters_for(check))

    return Checkers(
        tree=[loaded("F", FlakesChecker)],
        logical_line=[loaded("E1", pycodestyle.indentation)],
        physical_line=[],
    )
