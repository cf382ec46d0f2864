"""Tables for terminals and text files."""

from .align import align_lines, align_text
from .export import to_csv, to_html, to_json, to_latex, to_markdown, to_records, to_rst
from .reader import from_csv, from_markdown, from_records
from .style import STYLES, Style
from .table import Column, Table, TableError
from .width import display_width, strip_ansi, truncate
from .wrap import wrap

__version__ = "3.2.0"

__all__ = [
    "STYLES",
    "Column",
    "Style",
    "Table",
    "TableError",
    "align_lines",
    "align_text",
    "display_width",
    "strip_ansi",
    "from_csv",
    "from_markdown",
    "from_records",
    "to_csv",
    "to_html",
    "to_json",
    "to_latex",
    "to_markdown",
    "to_records",
    "to_rst",
    "truncate",
    "wrap",
]
