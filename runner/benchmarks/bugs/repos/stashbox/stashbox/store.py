"""Caches to JSON files and back.

A file keeps how long each entry has left, not when it expires, since monotonic clocks mean nothing in another process.
"""

import json
from pathlib import Path

from .cache import Cache
from .errors import StoreError

VERSION = 2


def encode_key(key):
    """A key as JSON: tuples are marked, so that they come back as tuples."""
    if isinstance(key, tuple):
        return {"tuple": [encode_key(part) for part in key]}
    if key is None or isinstance(key, (str, int, float)):
        return key
    raise StoreError(f"cannot store a key of type {type(key).__name__}")


def decode_key(data):
    if isinstance(data, dict):
        return tuple(decode_key(part) for part in data["tuple"])
    return data


def dump(cache, path):
    """Write all entries that have not expired. Raises StoreError for values that JSON does not know."""
    entries = []
    for key, value, remaining in cache.items():
        entries.append({"key": encode_key(key), "value": value, "ttl": remaining})
    document = {"version": VERSION, "entries": entries}
    try:
        text = json.dumps(document, indent=1)
    except TypeError as error:
        raise StoreError(f"cannot store the cache: {error}") from error
    Path(path).write_text(text, encoding="utf-8")
    return len(entries)


def load(path, cache=None, **options):
    """Read entries into ``cache``, or into a new one made with ``options``. A missing file gives an empty cache."""
    if cache is None:
        cache = Cache(**options)
    path = Path(path)
    if not path.exists():
        return cache
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise StoreError(f"{path}: not JSON: {error}") from error
    if document.get("version") != VERSION:
        raise StoreError(f"{path}: version {document.get('version')!r} is not supported")
    for entry in document["entries"]:
        cache.set(decode_key(entry["key"]), entry["value"], ttl=entry["ttl"])
    return cache
