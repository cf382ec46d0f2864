"""Putting text on the left, on the right, in the middle or at its decimal point."""

from .width import display_width

LEFT = "l"
RIGHT = "r"
CENTER = "c"
DECIMAL = "d"

ALIGNMENTS = (LEFT, RIGHT, CENTER, DECIMAL)

TOP = "t"
MIDDLE = "m"
BOTTOM = "b"


def align_text(text, width, alignment=LEFT, fill=" "):
    """``text``, a single line, padded to ``width`` columns.

    A text that is wider is returned as it is. When a centred text cannot stand in the middle exactly, the extra blank
    goes to the right.
    """
    missing = width - display_width(text)
    if missing <= 0:
        return text
    if alignment == RIGHT:
        return fill * missing + text
    if alignment == CENTER:
        left = missing // 2
        return fill * left + text + fill * (missing - left)
    return text + fill * missing


def decimal_parts(text, point="."):
    """Text before the decimal point, and the point with all that follows."""
    before, dot, after = text.partition(point)
    return before, dot + after


def align_decimals(texts, point="."):
    """Pad ``texts`` so that their decimal points stand below each other.

    Texts without a point are treated as if it came after their last character. All results have the same width.
    """
    parts = [decimal_parts(text, point) for text in texts]
    before = max((display_width(head) for head, _ in parts), default=0)
    after = max((display_width(tail) for _, tail in parts), default=0)
    return [align_text(head, before, RIGHT) + align_text(tail, after, LEFT) for head, tail in parts]


def align_lines(lines, height, alignment=TOP):
    """``lines`` with empty ones added to make ``height`` of them.

    In the middle, an odd empty line goes to the bottom.
    """
    missing = height - len(lines)
    if missing <= 0:
        return list(lines)
    if alignment == BOTTOM:
        return [""] * missing + list(lines)
    if alignment == MIDDLE:
        top = missing // 2
        return [""] * top + list(lines) + [""] * (missing - top)
    return list(lines) + [""] * missing


def parse_alignments(spec, count, default=LEFT):
    """One alignment per column from ``"lrc"`` or a list; the last one goes for all columns that follow.

    Raises ValueError for an unknown letter.
    """
    letters = list(spec) or [default]
    for letter in letters:
        if letter not in ALIGNMENTS:
            raise ValueError(f"unknown alignment {letter!r}, known: {', '.join(ALIGNMENTS)}")
    if len(letters) < count:
        letters += [letters[-1]] * (count - len(letters))
    return letters[:count]
