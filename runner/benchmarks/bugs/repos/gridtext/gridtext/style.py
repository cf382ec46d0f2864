"""Which characters a table is drawn with."""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Line:
    """A horizontal line: left end, filling, crossing, right end."""

    left: str
    fill: str
    cross: str
    right: str


@dataclass(frozen=True)
class Style:
    """Borders of a table. A line that is None is not drawn.

    ``left``, ``between`` and ``right`` stand around the cells of a row; ``padding`` is the number of blanks on both
    sides of a cell.
    """

    name: str
    top: Line | None
    header: Line | None
    row: Line | None
    bottom: Line | None
    left: str = "|"
    between: str = "|"
    right: str = "|"
    padding: int = 1

    def with_row_lines(self):
        """The same style with a line between all rows; without one of its own, the header's line is used."""
        return replace(self, row=self.row or self.header)

    def draw(self, line, widths):
        """A horizontal line over columns of the given widths (without padding)."""
        segments = [line.fill * (width + 2 * self.padding) for width in widths]
        return line.left + line.cross.join(segments) + line.right

    def frame(self, cells):
        """A row of cells that are aligned already."""
        pad = " " * self.padding
        return self.left + self.between.join(f"{pad}{cell}{pad}" for cell in cells) + self.right

    def overhead(self, columns):
        """Width of all that is not cell: borders and padding."""
        between = len(self.between) * (columns - 1)
        return len(self.left) + between + len(self.right) + 2 * self.padding * columns


_ASCII = Line("+", "-", "+", "+")

STYLES = {
    style.name: style
    for style in (
        Style("ascii", _ASCII, _ASCII, None, _ASCII),
        Style("grid", _ASCII, Line("+", "=", "+", "+"), _ASCII, _ASCII),
        Style("plain", None, None, None, None, "", " ", "", 0),
        Style("simple", None, Line("", "-", "  ", ""), None, None, "", "  ", "", 0),
        Style(
            "rounded",
            Line("╭", "─", "┬", "╮"),
            Line("├", "─", "┼", "┤"),
            None,
            Line("╰", "─", "┴", "╯"),
            "│",
            "│",
            "│",
        ),
        Style("double", Line("╔", "═", "╦", "╗"), Line("╠", "═", "╬", "╣"), None, Line("╚", "═", "╩", "╝"), "║", "║", "║"),
    )
}


def get_style(name):
    """A style by name, or the Style that was given."""
    if isinstance(name, Style):
        return name
    try:
        return STYLES[name]
    except KeyError:
        raise ValueError(f"unknown style {name!r}, known: {', '.join(sorted(STYLES))}") from None
