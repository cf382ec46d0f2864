"""Variables while rendering."""

from collections.abc import Mapping

from .errors import UndefinedError


class Undefined:
    """What a missing name or attribute evaluates to. False, empty, and equal to every other undefined value."""

    def __init__(self, name):
        self.name = name

    def __bool__(self):
        return False

    def __str__(self):
        return ""

    def __iter__(self):
        return iter(())

    def __len__(self):
        return 0

    def __eq__(self, other):
        return isinstance(other, Undefined)

    def __hash__(self):
        return hash(Undefined)

    def __repr__(self):
        return f"Undefined({self.name!r})"


class Context:
    """A stack of scopes. Names are looked up from the innermost scope outwards."""

    def __init__(self, variables=None, strict=False, functions=None):
        self._scopes = [dict(functions or {}), dict(variables or {})]
        self.strict = strict

    def get(self, name):
        """The value of a name; Undefined, or UndefinedError in strict mode, when there is none."""
        for scope in reversed(self._scopes):
            if name in scope:
                return scope[name]
        return self.undefined(name)

    def undefined(self, name):
        if self.strict:
            raise UndefinedError(f"{name!r} is undefined")
        return Undefined(name)

    def set(self, name, value):
        """Set a name in the innermost scope."""
        self._scopes[-1][name] = value

    def push(self, variables=None):
        self._scopes.append(dict(variables or {}))

    def pop(self):
        self._scopes.pop()

    def __contains__(self, name):
        return any(name in scope for scope in self._scopes)

    def attribute(self, value, name):
        """``value.name``: a key of a mapping, else a public attribute."""
        if isinstance(value, Undefined):
            return self.undefined(f"{value.name}.{name}")
        if isinstance(value, Mapping):
            if name in value:
                return value[name]
        elif not name.startswith("_") and hasattr(value, name):
            return getattr(value, name)
        return self.undefined(name)

    def item(self, value, key):
        """``value[key]``; what is missing is undefined, negative indexes count from the end."""
        if isinstance(value, Undefined):
            return self.undefined(f"{value.name}[{key!r}]")
        try:
            return value[key]
        except (KeyError, IndexError):
            return self.undefined(str(key))
        except TypeError:
            if isinstance(key, str):
                return self.attribute(value, key)
            return self.undefined(str(key))
