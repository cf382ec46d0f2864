"""Syntax errors in languages other than Python, found by tree-sitter grammars on text alone.

The grammars are those of the languages of SWE-bench Multilingual (introduced with SWE-smith, arXiv 2504.21798):
C, C++, Go, Java, JavaScript, TypeScript, PHP, Ruby and Rust. They are an extra (``acilab[languages]``), each a
package with its parser in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Language, Node

# Suffix -> grammars; with several, a file is right if one of them says so.
_LANGUAGES = {
    **dict.fromkeys(("c",), ("c",)),
    **dict.fromkeys(("h",), ("c", "cpp")),
    **dict.fromkeys(("cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++"), ("cpp",)),
    **dict.fromkeys(("go",), ("go",)),
    **dict.fromkeys(("java",), ("java",)),
    **dict.fromkeys(("js", "jsx", "mjs", "cjs"), ("javascript",)),
    **dict.fromkeys(("ts", "mts", "cts"), ("typescript",)),
    **dict.fromkeys(("tsx",), ("tsx",)),
    **dict.fromkeys(("php",), ("php",)),
    **dict.fromkeys(("rb", "rake", "gemspec"), ("ruby",)),
    **dict.fromkeys(("rs",), ("rust",)),
}
_MODULES = {"tsx": ("tree_sitter_typescript", "language_tsx"), "php": ("tree_sitter_php", "language_php")}
_MODULES["typescript"] = ("tree_sitter_typescript", "language_typescript")


class SyntaxMistake(NamedTuple):
    """A place that cannot be parsed: its line (from 1), and what is wrong there."""

    line: int
    text: str


def missing() -> str:
    """The first grammar package that is not installed ("" if all are)."""
    modules = ["tree_sitter", *sorted({_module(name)[0] for names in _LANGUAGES.values() for name in names})]
    return next((module for module in modules if find_spec(module) is None), "")


def speaks(path: str) -> bool:
    """Whether there is a grammar for a file of this name."""
    return _suffix(path) in _LANGUAGES


def mistakes(path: str, data: bytes) -> tuple[SyntaxMistake, ...]:
    """What cannot be parsed in ``data``, the content of a file named ``path``, from the top."""
    return _mistakes(_LANGUAGES[_suffix(path)], data)


@lru_cache(maxsize=64)
def _mistakes(languages: tuple[str, ...], data: bytes) -> tuple[SyntaxMistake, ...]:
    from tree_sitter import Parser

    # A parser of its own for each call: they hold state, and episodes run in threads.
    found = [tuple(_in(Parser(_grammar(language)).parse(data).root_node)) for language in languages]
    return min(found, key=len)


def _in(node: Node) -> Iterator[SyntaxMistake]:
    """Errors below ``node``, without recursion: code may nest deeply."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if node.is_missing:
            yield SyntaxMistake(node.start_point[0] + 1, f"{node.type!r} is missing")
        elif node.is_error:
            rows = (node.text or b"").decode("utf-8", "backslashreplace").strip().split("\n")
            text = rows[0] if len(rows[0]) <= 40 else rows[0][:40] + "…"
            yield SyntaxMistake(node.start_point[0] + 1, f"cannot be parsed from here on: {text!r}")
        elif node.has_error:
            waiting += reversed(node.children)


@cache
def _grammar(language: str) -> Language:
    from tree_sitter import Language

    module, function = _module(language)
    return Language(getattr(import_module(module), function)())


def _module(language: str) -> tuple[str, str]:
    return _MODULES.get(language, (f"tree_sitter_{language}", "language"))


def _suffix(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[2].lower()
