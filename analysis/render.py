"""The same rows as text, Markdown, LaTeX, CSV or JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from analysis.layout import LAYOUTS, OPTIONAL, Line, Row, Sheet, sheets
from runner.errors import UserError

if TYPE_CHECKING:
    from rich.text import Text

TONES = {"baseline": "bold", "better": "green", "worse": "red", "confounded": "yellow"}


def render(
    rows: Sequence[Row],
    fmt: str = "text",
    layout: str = "auto",
    *,
    color: bool = False,
    width: int | None = None,
) -> str:
    """Print ``rows`` (of ``analysis.table.ablation_table``) as ``fmt``: text, markdown, latex, csv or json.

    CSV and JSON hold all fields of the rows and know no layout. ``color`` and ``width`` (columns) are for text on a
    terminal: where the table is wider, the least needed columns are left out, and that is said.

    Raises:
        UserError: unknown format or layout.
    """
    if fmt == "json":
        return json.dumps(list(rows), ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    if fmt == "csv":
        return _csv(rows)
    if layout not in LAYOUTS:
        raise UserError(f"--layout {layout!r}: known: {', '.join(LAYOUTS)}")
    made, notes = sheets(rows, layout)
    remarks = [*(rows[0].get("table_notes") or ()), *_reference_notes(rows)]
    if fmt == "text":
        return _text(made, notes, remarks, color=color, width=width)
    if fmt not in FORMATS:
        raise UserError(f"--format {fmt!r}: known: {', '.join(('text', *FORMATS, 'csv', 'json'))}")
    return FORMATS[fmt](made, notes, remarks)


def _reference_notes(rows: Sequence[Row]) -> list[str]:
    """Whose numbers the column "paper %" holds."""
    sources = dict.fromkeys(
        f"paper %: SWE-agent, {r['table']} ({r['citation']}), {r['model']} on {r['benchmark']}; "
        "in parentheses the difference to the paper's own default"
        for r in (row["reference"] for row in rows)
        if r
    )
    return list(sources)


def _text(
    made: Sequence[Sheet], notes: Sequence[str], remarks: Sequence[str], *, color: bool, width: int | None
) -> str:
    from rich.console import Console
    from rich.text import Text

    out = io.StringIO()
    console = Console(
        file=out, width=1000, force_terminal=color, force_jupyter=False, no_color=not color, highlight=False
    )
    dropped: list[str] = []
    for sheet in made:
        columns = [i for i in range(len(sheet.columns)) if _used(sheet, i)]
        for name in OPTIONAL:
            if width and sum(_widths(sheet, columns)) + 2 * len(columns) > width and name in sheet.columns:
                columns = [i for i in columns if sheet.columns[i] != name]
                dropped += [] if name in dropped else [name]
        console.print(_aligned(sheet, columns))
    if dropped:
        remarks = [*remarks, f"left out on this narrow terminal: {', '.join(dropped)}"]
    for line in (*(f"[{number}] {note}" for number, note in enumerate(notes, 1)), *remarks):
        console.print(Text(line, style="dim"))
    return "\n".join(line.rstrip() for line in out.getvalue().split("\n")).strip("\n") + "\n"


def _aligned(sheet: Sheet, columns: Sequence[int]) -> Text:
    """A sheet as lines; headings of sections run over the columns instead of widening the first one."""
    from rich.cells import cell_len
    from rich.text import Text

    widths = _widths(sheet, columns)

    def line(cells: Sequence[str], indent: str, style: str) -> Text:
        padded = []
        for column, width in zip(columns, widths, strict=True):
            cell = indent + cells[column] if column == 0 else cells[column]
            space = " " * (width - cell_len(cell))
            padded.append(cell + space if column < sheet.words else space + cell)
        return Text("  ".join(padded).rstrip() + "\n", style=style)

    text = line(sheet.columns, "", "bold")
    text.append("─" * (sum(widths) + 2 * (len(widths) - 1)) + "\n")
    for heading, lines in sheet.sections:
        if heading:
            text.append(f"{heading}\n", style="bold cyan")
        for each in lines:
            text.append(line(each.cells, "  " if heading else "", TONES.get(each.tone, "")))
    return text


def _widths(sheet: Sheet, columns: Sequence[int]) -> list[int]:
    from rich.cells import cell_len

    indent = 2 if any(heading for heading, _ in sheet.sections) else 0
    cells = [line.cells for _, lines in sheet.sections for line in lines]
    return [
        max(cell_len(sheet.columns[i]), *(cell_len(c[i]) + (indent if i == 0 else 0) for c in cells))
        for i in columns
    ]


def _used(sheet: Sheet, column: int) -> bool:
    """Whether any line has something in a column."""
    return any(line.cells[column] for _, lines in sheet.sections for line in lines)


def _markdown(made: Sequence[Sheet], notes: Sequence[str], remarks: Sequence[str]) -> str:
    out: list[str] = []
    for sheet in made:
        rule = ["---" if i < sheet.words else "---:" for i in range(len(sheet.columns))]
        out += [_piped(sheet.columns), _piped(rule)]
        for heading, lines in sheet.sections:
            if heading:
                out.append(_piped([f"**{heading}**", *[""] * (len(sheet.columns) - 1)]))
            out += [_piped(line.cells) for line in lines]
        out.append("")
    out += [f"- [{number}] {note}" for number, note in enumerate(notes, 1)]
    out += [f"- {remark}" for remark in remarks]
    return "\n".join(out) + "\n"


def _piped(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "_": r"\_",
        "%": r"\%",
        "&": r"\&",
        "#": r"\#",
        "$": r"\$",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"$<$",
        ">": r"$>$",
        "|": r"$|$",
        "−": r"$-$",
        "→": r"$\to$",
        "–": "--",
        "Δ": r"$\Delta$",
    }
)


def _latex(made: Sequence[Sheet], notes: Sequence[str], remarks: Sequence[str]) -> str:
    out = ["% needs \\usepackage{booktabs}", "\\begin{table}", "\\centering\\small"]
    for sheet in made:
        count = len(sheet.columns)
        out += [f"\\begin{{tabular}}{{{'l' * sheet.words}{'r' * (count - sheet.words)}}}", "\\toprule"]
        out += [_tex_line(Line(sheet.columns)), "\\midrule"]
        for number, (heading, lines) in enumerate(sheet.sections):
            if heading:
                out += ["\\addlinespace"] if number else []
                out.append(f"\\multicolumn{{{count}}}{{l}}{{\\emph{{{heading.translate(LATEX)}}}}} \\\\")
            out += [_tex_line(line, indent=bool(heading)) for line in lines]
        out += ["\\bottomrule", "\\end{tabular}"]
    if notes or remarks:
        out.append("\\par\\smallskip\\raggedright\\footnotesize")
        out += [f"[{number}] {note.translate(LATEX)}\\par" for number, note in enumerate(notes, 1)]
        out += [f"{remark.translate(LATEX)}\\par" for remark in remarks]
    return "\n".join([*out, "\\end{table}"]) + "\n"


def _tex_line(line: Line, *, indent: bool = False) -> str:
    # A cell that begins with [ would be read as the optional argument of the \\ before it.
    cells = [
        f"{{}}{cell}" if cell.startswith("[") else cell for cell in (c.translate(LATEX) for c in line.cells)
    ]
    return ("\\quad " if indent else "") + " & ".join(cells) + " \\\\"


FORMATS: dict[str, Callable[[Sequence[Sheet], Sequence[str], Sequence[str]], str]] = {
    "markdown": _markdown,
    "latex": _latex,
}


def _csv(rows: Sequence[Row]) -> str:
    """One line per cell: nested fields become columns, lists are joined by "; "."""
    flat = [_flattened(row) for row in rows]
    names = list(dict.fromkeys(name for row in flat for name in row))
    out = io.StringIO()
    writer = csv.DictWriter(out, names, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(flat)
    return out.getvalue()


def _flattened(row: Row) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, dict):
            flat |= {f"{key}.{name}": inner for name, inner in value.items()}
        elif isinstance(value, list):
            flat[key] = "; ".join(str(v) for v in value)
        elif key != "reference" or value is not None:
            flat[key] = value
    return flat
