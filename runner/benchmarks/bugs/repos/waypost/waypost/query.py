"""Query strings: ordered, with repeated names."""

from .percent import decode, encode

#: Characters that need no escape in a name or value of a query.
QUERY_SAFE = "!$'()*,:;@/?"


class Query:
    """Pairs of name and value, in order. Immutable; methods that change something return a new Query."""

    __slots__ = ("_pairs",)

    def __init__(self, pairs=()):
        if isinstance(pairs, Query):
            pairs = pairs.pairs
        elif hasattr(pairs, "items"):
            pairs = _flatten(pairs)
        self._pairs = tuple((str(name), _text(value)) for name, value in pairs)

    @classmethod
    def parse(cls, text):
        """Read ``a=1&b=2&a=3``. A name without ``=`` has an empty value; empty parts are skipped."""
        pairs = []
        for part in text.removeprefix("?").split("&"):
            if not part:
                continue
            name, _, value = part.partition("=")
            pairs.append((decode(name, plus=True), decode(value, plus=True)))
        return cls(pairs)

    @property
    def pairs(self):
        return self._pairs

    # -- reading ----------------------------------------------------------------

    def get(self, name, default=None, type=str):
        """The first value of a name. ``default`` if there is none or ``type`` refuses it with a ValueError."""
        for key, value in self._pairs:
            if key == name:
                try:
                    return type(value)
                except ValueError:
                    return default
        return default

    def all(self, name):
        """All values of a name."""
        return [value for key, value in self._pairs if key == name]

    def names(self):
        """Names in order of their first appearance."""
        return list(dict.fromkeys(name for name, _ in self._pairs))

    def to_dict(self):
        """``{name: [values]}``"""
        found = {}
        for name, value in self._pairs:
            found.setdefault(name, []).append(value)
        return found

    def __contains__(self, name):
        return any(key == name for key, _ in self._pairs)

    def __iter__(self):
        return iter(self._pairs)

    def __len__(self):
        return len(self._pairs)

    def __bool__(self):
        return bool(self._pairs)

    def __eq__(self, other):
        if not isinstance(other, Query):
            return NotImplemented
        return self._pairs == other._pairs

    def __hash__(self):
        return hash(self._pairs)

    def __repr__(self):
        return f"Query.parse({str(self)!r})"

    def __str__(self):
        return "&".join(f"{_quote(name)}={_quote(value)}" for name, value in self._pairs)

    # -- changing ---------------------------------------------------------------

    def with_(self, **values):
        """Set names: the first appearance is replaced, others are dropped, new names come last. None removes a name."""
        pairs = []
        pending = dict(values)
        for name, value in self._pairs:
            if name not in values:
                pairs.append((name, value))
            elif name in pending:
                new = pending.pop(name)
                pairs += [(name, item) for item in _items(new)]
        for name, new in pending.items():
            pairs += [(name, item) for item in _items(new)]
        return Query(pairs)

    def without(self, *names):
        return Query((name, value) for name, value in self._pairs if name not in names)

    def add(self, name, value):
        return Query([*self._pairs, (name, value)])

    def sorted(self):
        """Sorted by name; values of the same name stay in order."""
        return Query(sorted(self._pairs, key=lambda pair: pair[0]))


def _items(value):
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _flatten(mapping):
    return [(name, item) for name, value in mapping.items() for item in _items(value)]


def _text(value):
    if value is True:
        return "true"
    if value is False:
        return "false"
    return str(value)


def _quote(text):
    return encode(text, QUERY_SAFE).replace("%20", "+")
