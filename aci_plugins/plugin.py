"""The mark of a class that YAML may name in ``_target_``, and how such a node becomes an object.

A shared config is data: it may only build classes that were written to be built from YAML. Those are the
frozen dataclasses marked with :func:`plugin`, in this project or in an installed package that declares the
entry-point group ``acilab.plugins``.
"""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import cache
from importlib.metadata import entry_points
from typing import Any, TypeVar, dataclass_transform

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as pydantic_dataclass

T = TypeVar("T")

OWN_PACKAGES = ("aci_plugins", "runner")
GROUP = "acilab.plugins"


class PluginError(ValueError):
    """A config node that cannot be built. ``key`` is the dotted key below the node ("" for the node itself),
    ``line`` the line within that key's text, from 1 (0: none in particular)."""

    def __init__(self, message: str, key: str = "", line: int = 0) -> None:
        super().__init__(message)
        self.key = key
        self.line = line


@dataclass_transform(frozen_default=True, kw_only_default=True)
def plugin(cls: type[T]) -> type[T]:
    """Make ``cls`` a frozen, keyword-only, validated dataclass that YAML may build by ``_target_``.

    Field types are checked when the object is made (pydantic); unknown keys are refused by :func:`build`.
    """
    config = ConfigDict(extra="forbid", arbitrary_types_allowed=True, allow_inf_nan=False)
    made = pydantic_dataclass(frozen=True, kw_only=True, config=config)(cls)
    made.__acilab_plugin__ = made.__qualname__  # type: ignore[attr-defined]
    return made  # type: ignore[return-value]


@cache
def allowed_packages() -> tuple[str, ...]:
    """Packages whose plugins may be named: ours, and those of the entry-point group ``acilab.plugins``."""
    return (*OWN_PACKAGES, *sorted({point.value.split(":")[0] for point in entry_points(group=GROUP)}))


def find(target: str) -> type[Any]:
    """The plugin class that ``target`` ("package.module.Class") names.

    Raises:
        PluginError: the package is not allowed, there is no such class, or it is no plugin.
    """
    module_name, _, class_name = target.rpartition(".")
    if not any(module_name == p or module_name.startswith(p + ".") for p in allowed_packages()):
        raise PluginError(
            f"_target_ {target!r} is not allowed: only plugins of {', '.join(allowed_packages())} "
            f"(or of packages that declare the entry-point group {GROUP!r}) may be named",
            "_target_",
        )
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        raise PluginError(f"_target_ {target!r}: {error}", "_target_") from error
    found = getattr(module, class_name, None)
    if not isinstance(found, type) or "__acilab_plugin__" not in vars(found):
        names = [n for n, v in vars(module).items() if isinstance(v, type) and "__acilab_plugin__" in vars(v)]
        raise PluginError(f"_target_ {target!r} names no plugin{suggest(class_name, names)}", "_target_")
    return found


def build(node: Mapping[str, Any]) -> Any:
    """Build the plugin that ``node`` describes (``_target_`` and its fields), nested plugins first.

    Raises:
        PluginError: with the dotted key, what is wrong, and the nearest right name.
    """
    if "_target_" not in node:
        raise PluginError("no _target_ given", "_target_")
    cls = find(str(node["_target_"]))
    names = [f.name for f in fields(cls)]
    values: dict[str, Any] = {}
    for key, value in node.items():
        if key == "_target_":
            continue
        if key not in names:
            raise PluginError(f"unknown key {key!r}{suggest(key, names)}", key)
        values[key] = _build_nested(value, key)
    try:
        return TypeAdapter(cls).validate_python(values)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        cause = first.get("ctx", {}).get("error")
        if isinstance(cause, PluginError):  # said by the class itself, in one clear line
            key = f"{where}.{cause.key}".strip(".")
            raise PluginError(str(cause), key, cause.line) from error
        raise PluginError(explained(first), where) from error


def explained(error: Mapping[str, Any]) -> str:
    """One of pydantic's errors in one line: what is wrong and the value that was given, unless it is long."""
    text = str(error["msg"]).removeprefix("Value error, ")
    given = repr(error["input"])
    return text if error["type"] == "missing" or len(given) > 100 else f"{text} (given: {given})"


def _build_nested(value: Any, key: str) -> Any:
    if isinstance(value, Mapping):
        if "_target_" not in value:
            return {name: _build_nested(item, f"{key}.{name}") for name, item in value.items()}
        try:
            return build(value)
        except PluginError as error:
            full = f"{key}.{error.key}" if error.key else key
            raise PluginError(str(error), full, error.line) from error
    if isinstance(value, list):
        return [_build_nested(item, f"{key}.{i}") for i, item in enumerate(value)]
    return value


def suggest(name: str, names: Iterable[str]) -> str:
    """ "; did you mean 'x'?" when a close name exists, else the list of names."""
    known = sorted(names)
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; known: {', '.join(known)}" if known else ""
