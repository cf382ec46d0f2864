"""The config object: a tree of sections with typed look-ups."""

from pathlib import Path

from .errors import MissingOption, MissingSection, ParseError, ValueTypeError
from .interpolation import Resolver
from .scanner import Header, scan
from .values import BadValue, parse_duration, parse_size, parse_value

_REQUIRED = object()


def split_path(name):
    """Section path and key of a dotted name: ``"a.b.c"`` is ``(["a", "b"], "c")``."""
    *sections, key = name.split(".")
    return sections, key


class Config:
    """A section of a configuration, and by that a whole one.

    ``data`` is a dict whose values are plain values or dicts (sections). Look-ups take dotted names and replace
    references; ``raw`` does not replace them.
    """

    def __init__(self, data=None):
        self._data = {} if data is None else data
        self._resolver = Resolver(self.raw)

    # -- walking ----------------------------------------------------------------

    def _section(self, parts, create=False):
        node = self._data
        for index, part in enumerate(parts):
            child = node.get(part)
            if child is None and create:
                child = node[part] = {}
            if not isinstance(child, dict):
                raise MissingSection(".".join(parts[: index + 1]))
            node = child
        return node

    def raw(self, name):
        """The value as it stands in the file. Raises MissingSection or MissingOption."""
        sections, key = split_path(name)
        node = self._section(sections)
        if key not in node or isinstance(node[key], dict):
            raise MissingOption(name)
        return node[key]

    def has_section(self, name):
        try:
            self._section(name.split("."))
        except MissingSection:
            return False
        return True

    def sections(self):
        """Names of the sections directly below this one, in order."""
        return [key for key, value in self._data.items() if isinstance(value, dict)]

    def section(self, name):
        """The section ``name`` as a Config of its own; changes go both ways.

        References in it are resolved within it.
        """
        return Config(self._section(name.split(".")))

    def options(self, section=""):
        """Keys with a plain value in ``section``, in order."""
        node = self._section(section.split(".")) if section else self._data
        return [key for key, value in node.items() if not isinstance(value, dict)]

    def flatten(self):
        """All options as ``{dotted name: raw value}``, in order."""
        flat = {}

        def walk(node, prefix):
            for key, value in node.items():
                if isinstance(value, dict):
                    walk(value, f"{prefix}{key}.")
                else:
                    flat[prefix + key] = value

        walk(self._data, "")
        return flat

    def to_dict(self, resolve=False):
        """A deep copy as plain dicts; with references replaced if ``resolve``."""

        def copy(node):
            out = {}
            for key, value in node.items():
                if isinstance(value, dict):
                    out[key] = copy(value)
                elif resolve:
                    out[key] = self._resolver.resolve(value)
                else:
                    out[key] = list(value) if isinstance(value, list) else value
            return out

        return copy(self._data)

    def __contains__(self, name):
        try:
            self.raw(name)
        except (MissingOption, MissingSection):
            return False
        return True

    def __len__(self):
        return len(self.flatten())

    def __eq__(self, other):
        if not isinstance(other, Config):
            return NotImplemented
        return self._data == other._data

    __hash__ = None

    def __repr__(self):
        return f"Config({self._data!r})"

    # -- reading ----------------------------------------------------------------

    def get(self, name, default=_REQUIRED):
        """The value of ``name`` with references replaced.

        ``default`` is returned when the option or any section on the way to it is missing. Without it the error is
        raised.
        """
        try:
            raw = self.raw(name)
        except (MissingOption, MissingSection):
            if default is _REQUIRED:
                raise
            return default
        return self._resolver.resolve(raw, (name,))

    def __getitem__(self, name):
        return self.get(name)

    def get_str(self, name, default=_REQUIRED):
        value = self.get(name, default)
        if value is default:
            return value
        if not isinstance(value, str):
            raise ValueTypeError(name, "text", value)
        return value

    def get_int(self, name, default=_REQUIRED):
        """An integer. A boolean is none."""
        value = self.get(name, default)
        if value is default:
            return value
        if not isinstance(value, int) or isinstance(value, bool):
            raise ValueTypeError(name, "an integer", value)
        return value

    def get_float(self, name, default=_REQUIRED):
        """A number; integers are converted."""
        value = self.get(name, default)
        if value is default:
            return value
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise ValueTypeError(name, "a number", value)
        return float(value)

    def get_bool(self, name, default=_REQUIRED):
        value = self.get(name, default)
        if value is default:
            return value
        if not isinstance(value, bool):
            raise ValueTypeError(name, "true or false", value)
        return value

    def get_list(self, name, default=_REQUIRED):
        """A list. A plain text is split at its commas, so that ``a, b`` works without brackets."""
        value = self.get(name, default)
        if value is default:
            return value
        if isinstance(value, str):
            return [item.strip() for item in value.split(",") if item.strip()]
        if not isinstance(value, list):
            raise ValueTypeError(name, "a list", value)
        return list(value)

    def _get_quantity(self, name, default, parse, expected):
        value = self.get(name, default)
        if value is default:
            return value
        if isinstance(value, bool) or not isinstance(value, (int, float, str)):
            raise ValueTypeError(name, expected, value)
        try:
            return parse(str(value))
        except BadValue:
            raise ValueTypeError(name, expected, value) from None

    def get_duration(self, name, default=_REQUIRED):
        """Seconds; the file may say ``90``, ``1.5m``, ``2h`` or ``1d``."""
        return self._get_quantity(name, default, parse_duration, "a duration")

    def get_size(self, name, default=_REQUIRED):
        """Bytes; the file may say ``4096``, ``64k``, ``10 MB`` or ``1g``."""
        return self._get_quantity(name, default, parse_size, "a size")

    # -- writing ----------------------------------------------------------------

    def set(self, name, value):
        """Set an option; sections on the way are made."""
        sections, key = split_path(name)
        node = self._section(sections, create=True)
        if isinstance(node.get(key), dict):
            raise ValueTypeError(name, "an option", node[key])
        node[key] = value

    def __setitem__(self, name, value):
        self.set(name, value)

    def pop(self, name, default=_REQUIRED):
        """Remove an option and return its raw value."""
        try:
            value = self.raw(name)
        except (MissingOption, MissingSection):
            if default is _REQUIRED:
                raise
            return default
        sections, key = split_path(name)
        del self._section(sections)[key]
        return value


def loads(text):
    """Parse ``text``. Raises ParseError."""
    root = {}
    node = root
    for item in scan(text):
        if isinstance(item, Header):
            node = root
            for part in item.parts:
                child = node.setdefault(part, {})
                if not isinstance(child, dict):
                    raise ParseError(f"{part!r} is an option already, not a section", item.line)
                node = child
            continue
        if item.key in node:
            raise ParseError(f"duplicate key {item.key!r}", item.line)
        try:
            node[item.key] = parse_value(item.raw)
        except BadValue as error:
            raise ParseError(str(error), item.line) from error
    return Config(root)


def load(path, encoding="utf-8"):
    """Parse a file."""
    return loads(Path(path).read_text(encoding=encoding))
