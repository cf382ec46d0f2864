"""References between values: ``${section.key}``."""

import re

from .errors import MissingOption, MissingSection, ReferenceLoop

REFERENCE = re.compile(r"\$\$|\$\{([^{}]*)\}")

MISSING = object()


def has_reference(text):
    return "$" in text


def to_text(value):
    """How a value looks inside another text: booleans and null as one writes them in a file."""
    if value is True:
        return "true"
    if value is False:
        return "false"
    if value is None:
        return ""
    if isinstance(value, list):
        return ", ".join(to_text(item) for item in value)
    return str(value)


def split_default(reference):
    """``name`` and default of ``name|default``; MISSING when there is none."""
    name, bar, default = reference.partition("|")
    return name.strip(), default.strip() if bar else MISSING


class Resolver:
    """Replaces references, with ``lookup(name)`` giving raw values.

    A reference that makes up the whole text keeps the type of what it refers to; otherwise it is turned into text.
    """

    def __init__(self, lookup):
        self._lookup = lookup

    def resolve(self, value, chain=()):
        """``value`` with all references in it replaced. ``chain`` holds the names being resolved."""
        if isinstance(value, list):
            return [self.resolve(item, chain) for item in value]
        if not isinstance(value, str) or not has_reference(value):
            return value
        whole = REFERENCE.fullmatch(value)
        if whole and whole.group(1) is not None:
            return self._follow(whole.group(1), chain)

        def replace(match):
            if match.group(1) is None:
                return "$"
            return to_text(self._follow(match.group(1), chain))

        return REFERENCE.sub(replace, value)

    def _follow(self, reference, chain):
        name, default = split_default(reference)
        if name in chain:
            raise ReferenceLoop([*chain, name])
        try:
            raw = self._lookup(name)
        except (MissingOption, MissingSection):
            if default is MISSING:
                raise
            return default
        return self.resolve(raw, (*chain, name))
