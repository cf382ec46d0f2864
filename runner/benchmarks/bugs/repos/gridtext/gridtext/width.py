"""How many columns of a terminal a text takes."""

import re
import unicodedata

ANSI = re.compile(r"\x1b\[[0-9;]*m")

RESET = "\x1b[0m"

ELLIPSIS = "…"


def strip_ansi(text):
    """``text`` without colour sequences."""
    return ANSI.sub("", text)


def char_width(char):
    """0 for combining marks, 2 for wide characters, else 1."""
    if unicodedata.combining(char):
        return 0
    if unicodedata.east_asian_width(char) in ("W", "F"):
        return 2
    return 1


def display_width(text):
    """Columns that ``text``, a single line, takes in a terminal. Colours take none."""
    return sum(char_width(char) for char in strip_ansi(text))


def block_width(text):
    """Columns of the longest line of ``text``."""
    return max((display_width(line) for line in text.split("\n")), default=0)


def split_ansi(text):
    """Pieces of ``text`` in order: colour sequences as a whole, everything else char by char."""
    pieces = []
    index = 0
    for match in ANSI.finditer(text):
        pieces.extend(text[index : match.start()])
        pieces.append(match.group())
        index = match.end()
    pieces.extend(text[index:])
    return pieces


def take(text, width):
    """The longest start of ``text`` that takes at most ``width`` columns, and the rest.

    Colour sequences are kept where they are.
    """
    used = 0
    pieces = split_ansi(text)
    for index, piece in enumerate(pieces):
        size = 0 if ANSI.fullmatch(piece) else char_width(piece)
        if used + size > width:
            return "".join(pieces[:index]), "".join(pieces[index:])
        used += size
    return text, ""


def truncate(text, width, ellipsis=ELLIPSIS):
    """Cut ``text`` to ``width`` columns, the ellipsis included.

    A text that fits is returned as it is. A colour that was switched on is switched off at the end. If ``width`` is
    too small for the ellipsis, the ellipsis is cut.
    """
    if display_width(text) <= width:
        return text
    room = width - display_width(ellipsis)
    if room < 0:
        return take(ellipsis, width)[0]
    start, _ = take(text, room)
    codes = ANSI.findall(start)
    closing = RESET if codes and codes[-1] != RESET else ""
    return start + ellipsis + closing
