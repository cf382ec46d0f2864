"""Keys from the arguments of a call."""

from inspect import Parameter, signature


def freeze(value):
    """A hashable stand-in for a value: lists, sets and dicts are turned into tuples and frozensets.

    Equal values have equal stand-ins, whatever the order of the keys of a dict.
    """
    if isinstance(value, dict):
        return ("dict", frozenset((key, freeze(item)) for key, item in value.items()))
    if isinstance(value, list):
        return ("list", tuple(freeze(item) for item in value))
    if isinstance(value, tuple):
        return tuple(freeze(item) for item in value)
    if isinstance(value, (set, frozenset)):
        return ("set", frozenset(freeze(item) for item in value))
    return value


def bind(function, args, kwargs):
    """All arguments of a call by name, with defaults filled in, so that ``f(1)`` and ``f(a=1)`` are the same.

    Extra positional arguments are under ``*``; extra keyword arguments under their own names.
    """
    bound = signature(function).bind(*args, **kwargs)
    bound.apply_defaults()
    named = {}
    for name, parameter in bound.signature.parameters.items():
        value = bound.arguments[name]
        if parameter.kind is Parameter.VAR_POSITIONAL:
            named["*"] = value
        elif parameter.kind is Parameter.VAR_KEYWORD:
            named.update(value)
        else:
            named[name] = value
    return named


def make_key(function, args, kwargs, ignore=(), typed=False):
    """A hashable key for a call of ``function``.

    Arguments named in ``ignore`` do not matter. With ``typed``, ``1`` and ``1.0`` and ``True`` are different.
    """
    named = bind(function, args, kwargs)
    parts = []
    for name in sorted(named):
        if name in ignore:
            continue
        frozen = freeze(named[name])
        parts.append((name, type(named[name]).__name__, frozen) if typed else (name, frozen))
    return (function.__module__, function.__qualname__, tuple(parts))
