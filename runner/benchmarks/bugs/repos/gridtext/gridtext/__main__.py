"""Print a CSV file from standard input as a table."""

import argparse
import csv
import sys

from .style import STYLES
from .table import Table


def build_parser():
    parser = argparse.ArgumentParser(prog="gridtext", description=__doc__)
    parser.add_argument("--style", choices=sorted(STYLES), default="ascii")
    parser.add_argument("--align", default="", help="one letter a column: l, r, c or d (decimal point)")
    parser.add_argument("--max-width", type=int, default=None)
    parser.add_argument("--delimiter", default=",")
    return parser


def main(argv=None, stdin=sys.stdin, stdout=sys.stdout):
    """Exit status 1 when there is nothing to print."""
    options = build_parser().parse_args(argv)
    rows = list(csv.reader(stdin, delimiter=options.delimiter))
    if not rows:
        return 1
    table = Table(rows[0], align=options.align, style=options.style, max_width=options.max_width)
    for row in rows[1:]:
        table.add_row(row)
    stdout.write(table.render() + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
