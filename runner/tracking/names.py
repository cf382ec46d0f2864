"""Names and values that MLflow accepts.

MLflow refuses keys with other characters than ``[A-Za-z0-9_./ :-]`` or over 250 of them, and silently cuts params
over 6,000 and tags over 8,000 characters.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Iterator, Mapping
from typing import Any

KEY_LIMIT, PARAM_LIMIT, TAG_LIMIT = 250, 6000, 8000


def key(name: str) -> str:
    """``name`` as MLflow takes it: other characters become one ``_``; long names keep a digest of the rest."""
    clean = re.sub(r"[^A-Za-z0-9_.:/-]+", "_", name)
    clean = clean if clean == name else clean.strip("_") or "_"
    if clean.startswith(("/", ".")) or posixpath.normpath(clean) != clean:  # it may become a file's name
        clean = re.sub(r"^[./]+", "_", clean.replace("/", "_"))
    return clean if len(clean) <= KEY_LIMIT else f"{clean[: KEY_LIMIT - 9]}_{_short(name)}"


def keys(values: Mapping[str, Any]) -> dict[str, Any]:
    """``values`` under acceptable keys. Keys that would fall together get a digest of their own name."""
    result: dict[str, Any] = {}
    for name, value in values.items():
        clean = key(name)
        if clean in result:
            clean = f"{clean[: KEY_LIMIT - 9]}_{_short(name)}"
        result[clean] = value
    return result


def flat(node: Any, prefix: str = "") -> Iterator[tuple[str, str]]:
    """A config as dotted keys and texts; list items count from 0, None is ``null``."""
    if isinstance(node, Mapping) and node:
        for name, value in node.items():
            yield from flat(value, f"{prefix}.{name}" if prefix else str(name))
    elif isinstance(node, list) and any(isinstance(item, Mapping | list) for item in node):
        for number, value in enumerate(node):
            yield from flat(value, f"{prefix}.{number}")
    else:
        yield prefix, "null" if node is None else str(node)


def split_long(values: Mapping[str, str], limit: int) -> tuple[dict[str, str], dict[str, str]]:
    """(values that fit, with a pointer in place of each that does not; the long ones by artifact path)."""
    short: dict[str, str] = {}
    long: dict[str, str] = {}
    for name, value in values.items():
        if len(value) <= limit:
            short[name] = value
        else:
            path = f"params/{name.replace('/', '.')}.txt"
            long[path] = value
            short[name] = f"{len(value)} characters, see artifact {path} (sha256 {_short(value)})"
    return short, long


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]
