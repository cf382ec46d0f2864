"""Layers of configuration on top of each other."""

from .document import Config
from .values import parse_value


def _merge_into(target, layer):
    for key, value in layer.items():
        if isinstance(value, dict) and isinstance(target.get(key), dict):
            _merge_into(target[key], value)
        else:
            target[key] = value
    return target


def merge(*configs):
    """A new Config in which later ones win, option by option.

    The configs given are not changed, now or when the result is changed later.
    """
    result = {}
    for config in configs:
        _merge_into(result, config.to_dict())
    return Config(result)


def with_environment(config, environ, prefix):
    """``config`` overridden by variables such as ``APP_SERVER__PORT=80`` for the prefix ``APP``.

    Two underscores separate sections, names are lower case, and values are written as in a file.
    """
    overrides = Config()
    start = prefix.upper() + "_"
    for variable in sorted(environ):
        if not variable.startswith(start):
            continue
        name = variable[len(start):].lower().replace("__", ".")
        if name:
            overrides.set(name, parse_value(environ[variable].strip()))
    return merge(config, overrides)


def difference(old, new):
    """What changed: ``{name: (old value, new value)}`` with None for "not there"."""
    before = old.flatten()
    after = new.flatten()
    changes = {}
    for name in [*before, *(name for name in after if name not in before)]:
        if before.get(name) != after.get(name) or (name in before) != (name in after):
            changes[name] = (before.get(name), after.get(name))
    return changes
