"""Raw text to typed values, and back."""

import re

TRUE_WORDS = ("true", "yes", "on")
FALSE_WORDS = ("false", "no", "off")
NULL_WORDS = ("null", "none")

INTEGER = re.compile(r"[+-]?\d+(_\d+)*")
HEXADECIMAL = re.compile(r"[+-]?0[xX][0-9a-fA-F]+")
FLOAT = re.compile(r"[+-]?(\d+\.\d*|\.\d+|\d+)([eE][+-]?\d+)?")

ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", '"': '"', "'": "'", "\\": "\\"}

BARE_SAFE = re.compile(r"[A-Za-z_./:@-][A-Za-z0-9_./:@ -]*")


class BadValue(ValueError):
    """The text is not a value. The parser turns this into a ParseError with a line number."""


def parse_value(raw):
    """The value of ``raw``, which is stripped: str, int, float, bool, None or list."""
    if raw == "":
        return ""
    first = raw[0]
    if first in "\"'":
        return parse_string(raw)
    if first == "[":
        return parse_list(raw)
    return parse_bare(raw)


def parse_bare(raw):
    """A number, a boolean, null, or else the text itself."""
    word = raw.lower()
    if word in TRUE_WORDS:
        return True
    if word in FALSE_WORDS:
        return False
    if word in NULL_WORDS:
        return None
    if INTEGER.fullmatch(raw):
        return int(raw.replace("_", ""))
    if HEXADECIMAL.fullmatch(raw):
        return int(raw, 16)
    if FLOAT.fullmatch(raw):
        return float(raw)
    return raw


def parse_string(raw):
    """A quoted string. Escapes are known in double quotes only."""
    quote = raw[0]
    out = []
    index = 1
    while index < len(raw):
        char = raw[index]
        if char == quote:
            if index != len(raw) - 1:
                raise BadValue(f"text after the closing quote: {raw[index + 1:]!r}")
            return "".join(out)
        if char == "\\" and quote == '"':
            index += 1
            if index >= len(raw):
                break
            escape = raw[index]
            if escape not in ESCAPES:
                raise BadValue(f"unknown escape \\{escape}")
            out.append(ESCAPES[escape])
        else:
            out.append(char)
        index += 1
    raise BadValue("missing closing quote")


def split_items(body):
    """Split the inside of a list at its top-level commas."""
    items = []
    depth = 0
    quote = None
    escaped = False
    start = 0
    for index, char in enumerate(body):
        if escaped:
            escaped = False
        elif quote:
            if char == "\\" and quote == '"':
                escaped = True
            elif char == quote:
                quote = None
        elif char in "\"'":
            quote = char
        elif char == "[":
            depth += 1
        elif char == "]":
            depth -= 1
        elif char == "," and depth == 0:
            items.append(body[start:index])
            start = index + 1
    items.append(body[start:])
    return [item.strip() for item in items]


def parse_list(raw):
    """A list in brackets; a comma after the last item is allowed."""
    if not raw.endswith("]"):
        raise BadValue("missing ] at the end of the list")
    items = split_items(raw[1:-1])
    if items[-1] == "":
        items.pop()
    if "" in items:
        raise BadValue("empty item in list")
    return [parse_value(item) for item in items]


# -- quantities -----------------------------------------------------------------

QUANTITY = re.compile(r"(\d+(?:\.\d+)?)\s*([A-Za-z]*)")

DURATIONS = {"ms": 0.001, "s": 1, "": 1, "m": 60, "h": 3600, "d": 86400}
SIZES = {"": 1, "b": 1, "k": 1024, "kb": 1024, "m": 1024**2, "mb": 1024**2, "g": 1024**3, "gb": 1024**3}


def _quantity(text, units, what):
    match = QUANTITY.fullmatch(text.strip())
    if match is None or match.group(2).lower() not in units:
        raise BadValue(f"not a {what}: {text!r}")
    return float(match.group(1)) * units[match.group(2).lower()]


def parse_duration(text):
    """Seconds, as a float, of ``"1.5h"``, ``"200 ms"`` or ``"30"``."""
    return _quantity(text, DURATIONS, "duration")


def parse_size(text):
    """Bytes, as an integer, of ``"64k"``, ``"1.5 MB"`` or ``"512"``; a kilobyte has 1024 bytes."""
    return int(_quantity(text, SIZES, "size"))


# -- writing --------------------------------------------------------------------


def quote_string(text):
    """``text`` in double quotes with all that needs it escaped."""
    out = []
    names = {value: name for name, value in ESCAPES.items() if name != "'"}
    for char in text:
        out.append("\\" + names[char] if char in names else char)
    return '"' + "".join(out) + '"'


def needs_quotes(text):
    """True unless ``text`` would be read back as the same text without quotes."""
    if text != text.strip() or not BARE_SAFE.fullmatch(text):
        return True
    return not isinstance(parse_bare(text), str)


def format_value(value):
    """Text that :func:`parse_value` reads back as ``value``."""
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(format_value(item) for item in value) + "]"
    if isinstance(value, str):
        return quote_string(value) if needs_quotes(value) or "," in value else value
    raise TypeError(f"cannot write a {type(value).__name__}")
