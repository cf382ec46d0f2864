"""Patterns of routes: ``/users/{id:int}``."""

import re
import uuid
from dataclasses import dataclass

from .errors import BuildError, PatternError
from .percent import PATH_SAFE, SEGMENT_SAFE, decode, encode

STATIC = 0
PARAMETER = 1
PATH = 2

PARAM = re.compile(r"\{([A-Za-z_]\w*)(?::([A-Za-z_]\w*))?\}")


@dataclass(frozen=True)
class Converter:
    """How a parameter looks in a path: a regular expression, and functions from text and to text."""

    name: str
    regex: str
    parse: object
    format: object = str
    safe: str = SEGMENT_SAFE


def _format_int(value):
    if isinstance(value, bool) or int(value) != value:
        raise ValueError(f"{value!r} is not an integer")
    return str(int(value))


_CONVERTERS = {
    converter.name: converter
    for converter in (
        Converter("str", r"[^/]+", str),
        Converter("int", r"-?[0-9]+", int, _format_int),
        Converter("float", r"-?[0-9]+(?:\.[0-9]+)?", float, lambda value: str(float(value))),
        Converter("slug", r"[a-z0-9]+(?:-[a-z0-9]+)*", str),
        Converter("uuid", r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}", uuid.UUID),
        Converter("path", r".+", str, str, PATH_SAFE),
    )
}


def register_converter(name, regex, parse=str, format=str):
    """Make ``{x:name}`` known to patterns that are made from now on."""
    _CONVERTERS[name] = Converter(name, regex, parse, format)


@dataclass(frozen=True)
class Part:
    """Static text or a parameter of a pattern."""

    kind: int
    text: str
    converter: Converter | None = None


def parse_pattern(text):
    """The parts of a pattern. Raises PatternError."""
    if not text.startswith("/"):
        raise PatternError(f"pattern {text!r} must start with a slash")
    parts = []
    names = set()
    position = 0
    for match in PARAM.finditer(text):
        static = text[position : match.start()]
        if static:
            parts.append(Part(STATIC, static))
        name, converter_name = match.groups()
        if name in names:
            raise PatternError(f"parameter {name!r} appears twice in {text!r}")
        names.add(name)
        converter = _CONVERTERS.get(converter_name or "str")
        if converter is None:
            raise PatternError(f"unknown converter {converter_name!r} in {text!r}")
        parts.append(Part(PATH if converter.name == "path" else PARAMETER, name, converter))
        position = match.end()
    rest = text[position:]
    if rest:
        parts.append(Part(STATIC, rest))
    for part in parts:
        if part.kind == STATIC and ("{" in part.text or "}" in part.text):
            raise PatternError(f"stray brace in {text!r}")
    return tuple(parts)


class Pattern:
    """A compiled pattern, which matches decoded paths and builds encoded ones."""

    def __init__(self, text):
        self.text = text
        self.parts = parse_pattern(text)
        pieces = []
        for part in self.parts:
            if part.kind == STATIC:
                pieces.append(re.escape(part.text))
            else:
                pieces.append(f"(?P<{part.text}>{part.converter.regex})")
        self.regex = re.compile("".join(pieces))

    @property
    def names(self):
        return [part.text for part in self.parts if part.kind != STATIC]

    @property
    def rank(self):
        """For sorting: patterns that say more come first.

        Compared segment by segment: static text before parameters before paths; a longer pattern before a shorter one
        that it begins with.
        """
        ranks = []
        for segment in self.text.strip("/").split("/"):
            kinds = [part.kind for part in parse_pattern("/" + segment) if part.text != "/"]
            worst = max(kinds, default=STATIC)
            ranks.append((worst, -sum(kind == STATIC for kind in kinds)))
        return tuple(ranks) + ((PATH + 1, 0),)

    def match(self, path):
        """Converted parameters if the whole path matches, else None."""
        found = self.regex.fullmatch(path)
        if found is None:
            return None
        params = {}
        for part in self.parts:
            if part.kind == STATIC:
                continue
            try:
                params[part.text] = part.converter.parse(found.group(part.text))
            except ValueError:
                return None
        return params

    def build(self, params):
        """The encoded path for ``params``. Raises BuildError if one is missing or does not fit."""
        out = []
        for part in self.parts:
            if part.kind == STATIC:
                out.append(encode(part.text, PATH_SAFE))
                continue
            if part.text not in params:
                raise BuildError(f"missing parameter {part.text!r} for {self.text!r}")
            value = params[part.text]
            try:
                text = part.converter.format(value)
            except (TypeError, ValueError) as error:
                raise BuildError(f"bad value {value!r} for {part.text!r}: {error}") from error
            if not re.fullmatch(part.converter.regex, text):
                raise BuildError(f"bad value {value!r} for {part.text!r} in {self.text!r}")
            out.append(encode(text, part.converter.safe))
        return "".join(out)

    def __repr__(self):
        return f"Pattern({self.text!r})"


def decode_path(path):
    """A path from a request, decoded for matching."""
    return decode(path)
