"""Tables from text and from Python data."""

import csv
import io
import re

from .align import CENTER, LEFT, RIGHT
from .table import Table, TableError

INTEGER = re.compile(r"[+-]?\d+")
NUMBER = re.compile(r"[+-]?(\d+\.\d*|\.\d+|\d+)([eE][+-]?\d+)?")

RULE_CELL = re.compile(r":?-+:?")


def convert(text):
    """A cell as int, float, None (when empty) or text. Numbers with leading zeros stay text (postcodes)."""
    text = text.strip()
    if not text:
        return None
    digits = text.lstrip("+-")
    if len(digits) > 1 and digits[0] == "0" and digits[1].isdigit():
        return text
    if INTEGER.fullmatch(text):
        return int(text)
    if NUMBER.fullmatch(text):
        return float(text)
    return text


def guess_alignment(values):
    """Right for columns in which all that is there is a number, else left."""
    known = [value for value in values if value is not None]
    return RIGHT if known and all(isinstance(value, (int, float)) for value in known) else LEFT


def _build(titles, rows, alignments=None, **options):
    table = Table(titles, **options)
    table.add_rows(rows)
    for index, column in enumerate(table.columns):
        column.align = alignments[index] if alignments else guess_alignment(table.values(index))
    return table


def from_csv(text, delimiter=",", types=True, **options):
    """A table from CSV with a header line; ``options`` go to Table.

    Short lines are filled up with None; a line that is too long raises TableError.
    """
    lines = [line for line in csv.reader(io.StringIO(text), delimiter=delimiter) if line]
    if not lines:
        raise TableError("no header line")
    titles, *body = lines
    rows = []
    for number, line in enumerate(body, start=2):
        if len(line) > len(titles):
            raise TableError(f"line {number} has {len(line)} cells, the header has {len(titles)}")
        cells = [convert(cell) if types else cell for cell in line]
        rows.append(cells + [None] * (len(titles) - len(cells)))
    return _build(titles, rows, **options)


def _split_markdown(line):
    """Cells of one line: outer pipes removed, escaped pipes kept."""
    body = line.strip()
    if body.startswith("|"):
        body = body[1:]
    if body.endswith("|") and not body.endswith("\\|"):
        body = body[:-1]
    cells = re.split(r"(?<!\\)\|", body)
    return [cell.strip().replace("\\|", "|").replace("\\\\", "\\").replace("<br>", "\n") for cell in cells]


def _rule_alignment(cell):
    if cell.endswith(":"):
        return CENTER if cell.startswith(":") else RIGHT
    return LEFT


def from_markdown(text, types=True, **options):
    """A table from a GitHub-flavoured Markdown table. Raises TableError if the rule below the header is missing."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < 2:
        raise TableError("a Markdown table has at least a header and a rule")
    titles = _split_markdown(lines[0])
    rule = _split_markdown(lines[1])
    if len(rule) != len(titles) or not all(RULE_CELL.fullmatch(cell) for cell in rule):
        raise TableError("the second line must be a rule")
    rows = []
    for line in lines[2:]:
        cells = [convert(cell) if types else cell for cell in _split_markdown(line)]
        rows.append(cells[: len(titles)] + [None] * (len(titles) - len(cells)))
    return _build(titles, rows, [_rule_alignment(cell) for cell in rule], **options)


def from_records(records, titles=None, **options):
    """A table from dicts; columns in the order in which keys appear, unless ``titles`` says which."""
    records = list(records)
    if titles is None:
        titles = list(dict.fromkeys(key for record in records for key in record))
    return _build(titles, [[record.get(title) for title in titles] for record in records], **options)
