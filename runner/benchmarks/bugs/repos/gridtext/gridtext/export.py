"""Tables in other formats."""

import csv
import io
import json
from html import escape

from .align import CENTER, DECIMAL, RIGHT
from .width import display_width, strip_ansi

LATEX_ALIGN = {RIGHT: "r", CENTER: "c", DECIMAL: "r"}

LATEX_SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}

HTML_ALIGN = {RIGHT: "right", CENTER: "center", DECIMAL: "right"}


def _visible(table, with_footers=True):
    """Titles and rows of text of the visible columns, without colours."""
    shown = [index for index, column in enumerate(table.columns) if column.visible]
    titles = [strip_ansi(table.columns[index].title) for index in shown]
    rows = table.rows + table.footers if with_footers else table.rows
    texts = [[strip_ansi(table.columns[index].text(row[index])) for index in shown] for row in rows]
    return titles, texts


def _markdown_cell(text):
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", "<br>")


def _markdown_rule(alignment, width):
    if alignment in (RIGHT, DECIMAL):
        return "-" * (width - 1) + ":"
    if alignment == CENTER:
        return ":" + "-" * (width - 2) + ":"
    return "-" * width


def to_markdown(table):
    """A GitHub-flavoured Markdown table, padded so that the source is readable as well."""
    titles, rows = _visible(table)
    alignments = [column.align for column in table.columns if column.visible]
    grid = [[_markdown_cell(text) for text in row] for row in [titles, *rows]]
    widths = [max(3, *(display_width(row[i]) for row in grid)) for i in range(len(titles))]

    def line(cells):
        padded = [cell + " " * (width - display_width(cell)) for cell, width in zip(cells, widths)]
        return "| " + " | ".join(padded) + " |"

    rule = [_markdown_rule(alignment, width) for alignment, width in zip(alignments, widths)]
    return "\n".join([line(grid[0]), line(rule), *(line(row) for row in grid[1:])])


def to_html(table, css_class=""):
    """An HTML table with thead, tbody and, if there are footers, tfoot."""
    titles, rows = _visible(table)
    alignments = [column.align for column in table.columns if column.visible]
    body, foot = rows[: len(table.rows)], rows[len(table.rows) :]

    def cells(tag, texts):
        out = []
        for text, alignment in zip(texts, alignments):
            style = f' style="text-align: {HTML_ALIGN[alignment]}"' if alignment in HTML_ALIGN else ""
            content = escape(text).replace("\n", "<br>")
            out.append(f"<{tag}{style}>{content}</{tag}>")
        return "<tr>" + "".join(out) + "</tr>"

    attribute = f' class="{escape(css_class)}"' if css_class else ""
    lines = [f"<table{attribute}>", "<thead>", cells("th", titles), "</thead>", "<tbody>"]
    lines += [cells("td", row) for row in body]
    lines.append("</tbody>")
    if foot:
        lines += ["<tfoot>", *(cells("td", row) for row in foot), "</tfoot>"]
    lines.append("</table>")
    return "\n".join(lines)


def to_csv(table, delimiter=",", header=True):
    """CSV with raw values: numbers are not formatted, None is empty; footers are left out."""
    shown = [index for index, column in enumerate(table.columns) if column.visible]
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=delimiter, lineterminator="\n")
    if header:
        writer.writerow([strip_ansi(table.columns[index].title) for index in shown])
    for row in table.rows:
        values = [row[index] for index in shown]
        writer.writerow([strip_ansi(value) if isinstance(value, str) else value for value in values])
    return buffer.getvalue()


def _latex_cell(text):
    escaped = "".join(LATEX_SPECIAL.get(char, char) for char in text)
    if "\n" in escaped:
        return r"\shortstack[l]{" + escaped.replace("\n", r" \\ ") + "}"
    return escaped


def to_latex(table, booktabs=True, caption="", label=""):
    """A LaTeX tabular; inside a table environment if there is a caption or a label."""
    titles, rows = _visible(table)
    alignments = [column.align for column in table.columns if column.visible]
    letters = "".join(LATEX_ALIGN.get(alignment, "l") for alignment in alignments)
    top, middle, bottom = (r"\toprule", r"\midrule", r"\bottomrule") if booktabs else (r"\hline",) * 3

    def line(cells):
        return " & ".join(_latex_cell(cell) for cell in cells) + r" \\"

    lines = [rf"\begin{{tabular}}{{{letters}}}", top, line(titles), middle]
    for number, row in enumerate(rows):
        if number == len(table.rows) and number > 0:
            lines.append(middle)
        lines.append(line(row))
    lines += [bottom, r"\end{tabular}"]
    if not caption and not label:
        return "\n".join(lines)
    lines = [r"\begin{table}", r"\centering", *lines]
    if caption:
        lines.append(rf"\caption{{{_latex_cell(caption)}}}")
    if label:
        lines.append(rf"\label{{{label}}}")
    return "\n".join([*lines, r"\end{table}"])


def to_rst(table):
    """A reStructuredText simple table; a cell of several lines becomes several lines."""
    titles, rows = _visible(table)
    blocks = [[text.split("\n") or [""] for text in row] for row in [titles, *rows]]
    widths = [max(1, *(display_width(line) for row in blocks for line in row[i])) for i in range(len(titles))]
    rule = "  ".join("=" * width for width in widths)
    lines = [rule]
    for number, row in enumerate(blocks):
        for position in range(max(len(cell) for cell in row)):
            cells = [cell[position] if position < len(cell) else "" for cell in row]
            padded = [cell + " " * (width - display_width(cell)) for cell, width in zip(cells, widths)]
            lines.append("  ".join(padded).rstrip())
        if number == 0:
            lines.append(rule)
    return "\n".join([*lines, rule])


def to_records(table):
    """Rows as a list of dicts by column title, raw values; footers and invisible columns are left out."""
    shown = [(index, column.title) for index, column in enumerate(table.columns) if column.visible]
    return [{title: row[index] for index, title in shown} for row in table.rows]


def to_json(table, indent=None):
    """:func:`to_records` as JSON; what JSON does not know is written as text."""
    return json.dumps(to_records(table), indent=indent, ensure_ascii=False, default=str)
