"""Breaking text into lines by display width."""

from .width import display_width, take


def split_word(word, width):
    """Pieces of a word that is too long for a line, each as long as fits."""
    pieces = []
    while word:
        piece, rest = take(word, width)
        if not piece or rest == word:
            piece, rest = word[0], word[1:]
        pieces.append(piece)
        word = rest
    return pieces


def wrap_paragraph(text, width, break_long=True):
    """Lines of one paragraph. Runs of blanks count as one; there is at least one line."""
    lines = []
    current = ""
    for word in text.split():
        if display_width(word) > width and break_long:
            pieces = split_word(word, width)
        else:
            pieces = [word]
        for number, piece in enumerate(pieces):
            candidate = f"{current} {piece}" if current and number == 0 else current + piece
            if current and (number > 0 or display_width(candidate) > width):
                lines.append(current)
                current = piece
            else:
                current = candidate
    if current or not lines:
        lines.append(current)
    return lines


def wrap(text, width, break_long=True, indent=""):
    """Lines of ``text``, none wider than ``width`` columns.

    Line breaks in ``text`` are kept, also empty lines. With ``break_long`` a word that does not fit on a line of its
    own is cut, otherwise it sticks out. ``indent`` is put before all lines but the first of each paragraph, and counts.
    """
    if width < 1:
        raise ValueError("width must be at least 1")
    lines = []
    for paragraph in text.split("\n"):
        if not indent:
            lines.extend(wrap_paragraph(paragraph, width, break_long))
            continue
        first, *rest = wrap_paragraph(paragraph, width, break_long)
        lines.append(first)
        if rest:
            remaining = " ".join(rest)
            room = max(1, width - display_width(indent))
            lines.extend(indent + line for line in wrap_paragraph(remaining, room, break_long))
    return lines


def longest_word(text):
    """Width of the widest word, which is the least width that needs no cutting."""
    return max((display_width(word) for word in text.split()), default=0)
