"""A Python file with the long bodies of its functions left out."""

from __future__ import annotations

import ast
import warnings

from aci_plugins.files import TextFile


def outline(file: TextFile, longest: int) -> str:
    """The lines with their numbers; a note stands for each body of a function that has more than ``longest`` lines.

    Raises:
        ValueError: the file is no Python that can be parsed; the message says where.
    """
    left_out = _bodies(file, longest)
    rows, at = [], 1
    for first, last in left_out:
        rows += _rows(file, at, first - 1)
        rows.append(f"{first:6d} … lines {first}-{last} left out …")
        at = last + 1
    return "\n".join([*rows, *_rows(file, at, len(file.lines))]) + "\n"


def _rows(file: TextFile, first: int, last: int) -> list[str]:
    return [f"{n:6d} {row}" for n, row in enumerate(file.rows(first, last), first)]


def _bodies(file: TextFile, longest: int) -> list[tuple[int, int]]:
    """First and last lines of the bodies to leave out, none within another, from the top."""
    # Only these ends are lines here; for Python a lone carriage return is one too.
    source = file.data.replace(b"\r\n", b"\n").replace(b"\r", b" ")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except SyntaxError as error:
        raise ValueError(f"line {error.lineno}: {error.msg}") from error
    except (RecursionError, MemoryError) as error:
        raise ValueError("it nests too deeply") from error
    found = []
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first, last = node.body[0].lineno, node.end_lineno or node.lineno
            decorated = getattr(node.body[0], "decorator_list", None)
            first = min([first, *(d.lineno for d in decorated or ())])
            if last - first >= longest and first > node.lineno:
                found.append((first, last))
                continue
        waiting += ast.iter_child_nodes(node)
    return sorted(found)
