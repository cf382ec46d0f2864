"""Percent-encoding (RFC 3986)."""

import re

UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

SUB_DELIMS = "!$&'()*+,;="

#: What may stand in a segment of a path as it is, besides the unreserved characters.
SEGMENT_SAFE = SUB_DELIMS + ":@"

#: A path keeps its slashes.
PATH_SAFE = SEGMENT_SAFE + "/"

FRAGMENT_SAFE = PATH_SAFE + "?"

ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
ESCAPES = re.compile(r"(?:%[0-9A-Fa-f]{2})+")


def encode(text, safe=""):
    """``text`` with everything encoded (as UTF-8) that is neither unreserved nor in ``safe``."""
    out = []
    for char in text:
        if char in UNRESERVED or char in safe:
            out.append(char)
        else:
            out.extend(f"%{byte:02X}" for byte in char.encode("utf-8"))
    return "".join(out)


def decode(text, plus=False):
    """Replace escapes; bytes that are not UTF-8 become U+FFFD. A stray ``%`` stays as it is.

    With ``plus``, a plus sign is a blank, as in query strings.
    """
    if plus:
        text = text.replace("+", " ")

    def replace(match):
        data = bytes(int(pair, 16) for pair in ESCAPE.findall(match.group()))
        return data.decode("utf-8", errors="replace")

    return ESCAPES.sub(replace, text)


def normalize_escapes(text):
    """Upper-case hexadecimal digits, and no escapes of unreserved characters."""

    def replace(match):
        char = chr(int(match.group(1), 16))
        return char if char in UNRESERVED else match.group().upper()

    return ESCAPE.sub(replace, text)
