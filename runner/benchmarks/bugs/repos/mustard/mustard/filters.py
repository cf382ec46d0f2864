"""The filters that every environment has."""

import re
from collections.abc import Mapping

from .context import Undefined

ELLIPSIS = "..."


class Markup(str):
    """Text that is HTML already and must not be escaped again."""


def escape(value):
    """``value`` as text in which HTML's special characters are replaced. Markup is returned as it is."""
    if isinstance(value, Markup):
        return value
    text = str(value)
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return Markup(text.replace('"', "&quot;").replace("'", "&#39;"))


def safe(value):
    """Mark as HTML."""
    return Markup(value)


def default(value, fallback="", falsy=False):
    """``fallback`` for a value that is undefined or none; with ``falsy`` for everything that is false, such as 0."""
    if value is None or isinstance(value, Undefined):
        return fallback
    return fallback if falsy and not value else value


def upper(value):
    return str(value).upper()


def lower(value):
    return str(value).lower()


def capitalize(value):
    """First letter upper case, the rest lower case."""
    return str(value).capitalize()


def title(value):
    """Each word with an upper-case first letter; apostrophes are part of words."""
    return re.sub(r"[^\W\d_]+('[^\W\d_]+)*", lambda match: match.group().capitalize(), str(value))


def trim(value, chars=None):
    return str(value).strip(chars)


def replace(value, old, new, count=-1):
    return str(value).replace(old, new, count)


def truncate(value, length=255, killwords=False, end=ELLIPSIS):
    """Cut to ``length`` characters, ``end`` included. Cuts between words unless ``killwords``."""
    text = str(value)
    if len(text) <= length:
        return text
    room = max(0, length - len(end))
    cut = text[:room]
    if not killwords and not text[room].isspace():
        cut = cut.rsplit(" ", 1)[0]
    return cut.rstrip() + end


def wordcount(value):
    return len(re.findall(r"\w+", str(value)))


def indent(value, width=4, first=False):
    """Indent all lines but the first (that too with ``first``); empty lines stay empty."""
    pad = " " * width
    lines = str(value).split("\n")
    out = []
    for number, line in enumerate(lines):
        out.append(pad + line if line and (number > 0 or first) else line)
    return "\n".join(out)


def length(value):
    return len(value)


def first(value):
    """The first item, or undefined."""
    for item in value:
        return item
    return Undefined("first")


def last(value):
    """The last item, or undefined."""
    items = list(value)
    return items[-1] if items else Undefined("last")


def attribute_of(item, name):
    """``item.name`` for objects, ``item["name"]`` for mappings; dots walk deeper."""
    for part in name.split("."):
        if isinstance(item, Mapping):
            item = item.get(part, Undefined(part))
        else:
            item = getattr(item, part, Undefined(part))
    return item


def join(value, separator="", attribute=None):
    items = value if attribute is None else (attribute_of(item, attribute) for item in value)
    return separator.join(str(item) for item in items)


def sort(value, reverse=False, case_sensitive=False, attribute=None):
    """Sorted list; text is compared without regard to case unless ``case_sensitive``."""

    def key(item):
        if attribute is not None:
            item = attribute_of(item, attribute)
        return item.lower() if isinstance(item, str) and not case_sensitive else item

    return sorted(value, key=key, reverse=reverse)


def unique(value):
    """Items without repetition, in order."""
    found = []
    for item in value:
        if item not in found:
            found.append(item)
    return found


def batch(value, size, fill=None):
    """Lists of ``size`` items; the last one is filled up with ``fill`` unless that is none."""
    items = list(value)
    groups = [items[start : start + size] for start in range(0, len(items), size)]
    if groups and fill is not None:
        groups[-1] += [fill] * (size - len(groups[-1]))
    return groups


def round_(value, digits=0):
    result = round(float(value), digits)
    return int(result) if digits == 0 else result


def number(value, digits=0, grouping=","):
    """A number with its thousands grouped: ``1,234.50``."""
    return f"{value:,.{digits}f}".replace(",", grouping)


def sum_(value, attribute=None):
    items = value if attribute is None else (attribute_of(item, attribute) for item in value)
    return sum(items)


FILTERS = {
    "escape": escape,
    "e": escape,
    "safe": safe,
    "default": default,
    "upper": upper,
    "lower": lower,
    "capitalize": capitalize,
    "title": title,
    "trim": trim,
    "replace": replace,
    "truncate": truncate,
    "wordcount": wordcount,
    "indent": indent,
    "length": length,
    "first": first,
    "last": last,
    "join": join,
    "sort": sort,
    "unique": unique,
    "batch": batch,
    "round": round_,
    "number": number,
    "sum": sum_,
}
