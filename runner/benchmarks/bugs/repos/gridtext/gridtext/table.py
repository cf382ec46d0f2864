"""The table: columns, rows, and how they become text."""

from dataclasses import dataclass

from .align import DECIMAL, LEFT, TOP, align_decimals, align_lines, align_text, parse_alignments
from .style import get_style
from .width import block_width, strip_ansi, truncate
from .wrap import longest_word, wrap

MIN_COLUMN = 3


class TableError(ValueError):
    """A row or an option does not fit the table."""


@dataclass
class Column:
    """How one column is shown.

    ``max_width`` limits the cells; longer text is wrapped, or cut if ``overflow`` is "cut". ``format`` is a format
    specification for numbers, such as ".2f".
    """

    title: str
    align: str = LEFT
    max_width: int | None = None
    overflow: str = "wrap"
    format: str = ""
    missing: str = ""
    visible: bool = True

    def text(self, value):
        """A value of this column as text."""
        if value is None:
            return self.missing
        if self.format and isinstance(value, (int, float)) and not isinstance(value, bool):
            return format(value, self.format)
        return str(value).replace("\t", "    ")

    def fit(self, text, width):
        """Lines of a cell, none wider than ``width``."""
        if block_width(text) <= width:
            return text.split("\n")
        if self.overflow == "cut":
            return [truncate(line, width) for line in text.split("\n")]
        return wrap(text, width)


class Table:
    """Rows under column titles.

    ``align`` is one letter a column; ``max_width`` limits the whole table; ``valign`` places short cells in tall rows;
    ``row_lines`` draws a line between all rows.
    """

    def __init__(self, titles, align="", style="ascii", max_width=None, valign=TOP, row_lines=False):
        titles = list(titles)
        alignments = parse_alignments(align, len(titles))
        self.columns = [Column(str(title), letter) for title, letter in zip(titles, alignments)]
        self.style = get_style(style)
        self.max_width = max_width
        self.valign = valign
        self.row_lines = row_lines
        self.rows = []
        self.footers = []

    # -- filling ----------------------------------------------------------------

    def _checked(self, values):
        values = list(values)
        if len(values) != len(self.columns):
            raise TableError(f"row has {len(values)} cells, the table has {len(self.columns)} columns")
        return values

    def add_row(self, values):
        """Append a row; it needs as many values as there are columns."""
        self.rows.append(self._checked(values))

    def add_rows(self, rows):
        for row in rows:
            self.add_row(row)

    def add_footer(self, values):
        """Append a row below a line at the end of the table."""
        self.footers.append(self._checked(values))

    def add_column(self, title, values, align=LEFT):
        """Append a column; missing values at its end are None."""
        values = list(values)
        if len(values) > len(self.rows):
            raise TableError(f"column has {len(values)} values, the table has {len(self.rows)} rows")
        self.columns.append(Column(str(title), align))
        for index, row in enumerate(self.rows):
            row.append(values[index] if index < len(values) else None)
        for row in self.footers:
            row.append(None)

    def index(self, column):
        """Position of a column, given by title or position. Negative positions count from the end."""
        if isinstance(column, int):
            if not -len(self.columns) <= column < len(self.columns):
                raise TableError(f"no column {column}")
            return column % len(self.columns)
        for index, candidate in enumerate(self.columns):
            if candidate.title == column:
                return index
        raise TableError(f"no column {column!r}")

    def column(self, column):
        return self.columns[self.index(column)]

    def values(self, column):
        """All values of a column, without footers."""
        index = self.index(column)
        return [row[index] for row in self.rows]

    # -- changing ---------------------------------------------------------------

    def sort_by(self, *columns, reverse=False):
        """Sort the rows by columns, the first being the most important. None comes last, in both directions."""
        indexes = [self.index(column) for column in columns]
        for index in reversed(indexes):
            known = [row for row in self.rows if row[index] is not None]
            unknown = [row for row in self.rows if row[index] is None]
            known.sort(key=lambda row: row[index], reverse=reverse)
            self.rows = known + unknown

    def filtered(self, predicate):
        """A table of the same form with the rows for which ``predicate(row as dict)`` is true."""
        titles = [column.title for column in self.columns]
        other = Table([], style=self.style, max_width=self.max_width, valign=self.valign, row_lines=self.row_lines)
        other.columns = list(self.columns)
        other.rows = [list(row) for row in self.rows if predicate(dict(zip(titles, row)))]
        return other

    def add_totals(self, label="Total"):
        """Append a footer with the sum of each column that holds numbers only; the first other column gets ``label``."""
        footer = []
        labelled = False
        for index in range(len(self.columns)):
            numbers = [value for value in self.values(index) if value is not None]
            if numbers and all(isinstance(n, (int, float)) and not isinstance(n, bool) for n in numbers):
                footer.append(sum(numbers))
            elif not labelled:
                footer.append(label)
                labelled = True
            else:
                footer.append(None)
        self.footers.append(footer)

    # -- drawing ----------------------------------------------------------------

    def _texts(self, rows):
        """Cells as text, decimals aligned, of visible columns."""
        shown = [index for index, column in enumerate(self.columns) if column.visible]
        texts = [[self.columns[index].text(row[index]) for index in shown] for row in rows]
        for position, index in enumerate(shown):
            if self.columns[index].align == DECIMAL and texts:
                for line, text in zip(texts, align_decimals([line[position] for line in texts])):
                    line[position] = text
        return texts

    def _widths(self, columns, texts):
        """Width of each column, so that the table keeps to ``max_width`` if that is possible at all."""
        widths = []
        for position, column in enumerate(columns):
            cells = [block_width(line[position]) for line in texts]
            natural = max([block_width(column.title), *cells])
            if column.max_width is not None:
                natural = min(natural, column.max_width)
            widths.append(max(natural, 1))
        if self.max_width is not None:
            self._shrink(columns, texts, widths)
        return widths

    def _shrink(self, columns, texts, widths):
        """Take from the widest column, one at a time, until the table fits or nothing can be taken."""
        least = []
        for position in range(len(columns)):
            words = max((longest_word(strip_ansi(line[position])) for line in texts), default=1)
            least.append(min(max(MIN_COLUMN, words), widths[position]))
        room = self.max_width - self.style.overhead(len(columns))
        for floor in (least, [MIN_COLUMN] * len(columns)):
            while sum(widths) > room:
                candidates = [i for i, width in enumerate(widths) if width > floor[i]]
                if not candidates:
                    break
                widest = max(candidates, key=lambda i: widths[i])
                widths[widest] -= 1

    def _row(self, columns, cells, widths):
        """Text lines of one row."""
        blocks = [column.fit(cell, width) for column, cell, width in zip(columns, cells, widths)]
        height = max(len(block) for block in blocks)
        blocks = [align_lines(block, height, self.valign) for block in blocks]
        lines = []
        for number in range(height):
            parts = [align_text(block[number], width, column.align) for block, width, column in zip(blocks, widths, columns)]
            lines.append(self.style.frame(parts).rstrip())
        return lines

    def render(self, header=True):
        """The table as text, without a newline at the end."""
        style = self.style.with_row_lines() if self.row_lines else self.style
        columns = [column for column in self.columns if column.visible]
        if not columns:
            return ""
        texts = self._texts(self.rows + self.footers)
        widths = self._widths(columns, texts)
        out = []
        if style.top:
            out.append(style.draw(style.top, widths))
        if header:
            out += self._row(columns, [column.title for column in columns], widths)
            if style.header:
                out.append(style.draw(style.header, widths))
        body = len(self.rows)
        for number, cells in enumerate(texts):
            if number == body and style.header and number > 0:
                out.append(style.draw(style.header, widths))
            elif style.row and 0 < number < body:
                out.append(style.draw(style.row, widths))
            out += self._row(columns, cells, widths)
        if style.bottom:
            out.append(style.draw(style.bottom, widths))
        return "\n".join(out)

    def __str__(self):
        return self.render()
