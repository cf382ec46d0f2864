"""Reading a dataset in JSON lines, with errors that name file and line."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from runner.errors import UserError

ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
LONGEST_ID = 200
"""Bytes. An instance's id names its folder, and file systems allow 255."""


class Row(NamedTuple):
    """One line of a dataset. ``where`` is ``file:line``."""

    where: str
    data: dict[str, Any]

    def text(self, column: str) -> str:
        """The column's text.

        Raises:
            UserError: the column is missing or no text.
        """
        value = self.data.get(column)
        if not isinstance(value, str):
            raise UserError(
                f"{self.where}: column {column!r} must be text, found {type(value).__name__}"
                if column in self.data
                else f"{self.where}: column {column!r} is missing"
            )
        return value


def read_rows(path: Path, key: str = "benchmark.path") -> list[Row]:
    """The rows of a JSON-lines file. Empty lines are skipped.

    Raises:
        UserError: no such file, not UTF-8, a line that is no JSON object, or no row at all.
    """
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        raise UserError(f"{key}={path}: there is no such file") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: is not UTF-8 text: {error}") from error
    except OSError as error:
        raise UserError(f"{key}={path}: cannot be read: {error.strerror}") from error
    rows = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
            bad = _unwritable(data) if isinstance(data, dict) else None
        except ValueError as error:
            raise UserError(f"{path}:{number}: is not JSON: {error}") from error
        except RecursionError as error:
            raise UserError(f"{path}:{number}: is nested too deeply to be a row of a dataset") from error
        if not isinstance(data, dict):
            raise UserError(f"{path}:{number}: must be a JSON object, found {type(data).__name__}")
        if bad:
            raise UserError(
                f"{path}:{number}: column {bad[0]!r} holds {bad[1]}: no file can hold it as UTF-8"
            )
        rows.append(Row(f"{path}:{number}", data))
    if not rows:
        raise UserError(f"{path}: holds no instance")
    return rows


def _unwritable(data: dict[str, Any]) -> tuple[str, str] | None:
    """The first column with half a surrogate pair (JSON can spell one, UTF-8 cannot), and what it is."""
    for column, value in data.items():
        if found := _SURROGATE.search(json.dumps([column, value], ensure_ascii=False)):
            return column.encode(
                "utf-8", "backslashreplace"
            ).decode(), f"half a surrogate pair (U+{ord(found[0]):04X})"
    return None


_SURROGATE = re.compile("[\ud800-\udfff]")


def named(rows: Sequence[tuple[str, Row]]) -> list[tuple[str, Row]]:
    """``rows`` (pairs of instance id and row) once all ids are valid and different.

    Raises:
        UserError: a bad id, or a duplicate one (naming both lines).
    """
    seen: dict[str, str] = {}
    for name, row in rows:
        if len(name) > LONGEST_ID:
            raise UserError(
                f"{row.where}: the instance id {name[:20] + '…'!r} has {len(name)} characters; at most {LONGEST_ID}, "
                "as it names a folder"
            )
        if not ID.fullmatch(name):
            raise UserError(
                f"{row.where}: bad instance id {name!r}: it needs a letter or digit, then letters, digits, '_', '-' "
                "and '.' only, as it names a folder"
            )
        if name in seen:
            first = seen[name].rpartition(":")[2]
            raise UserError(f"{row.where}: duplicate instance id {name!r} (first on line {first})")
        seen[name] = row.where
    return list(rows)
