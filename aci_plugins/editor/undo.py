"""The edits of an episode, so that the last one of a file can be taken back.

What an edit replaced is kept in the session, which is written into every step: only the bytes that differ,
compressed, and only as many edits as fit.
"""

from __future__ import annotations

import base64
import hashlib
import zlib
from typing import Any

from aci_plugins.session import Session
from aci_plugins.tool import Context

_KEY = "edits"
_ROOM = 64 << 10  # characters, all edits together


def remember(session: Session, path: str, before: bytes | None, after: bytes | None) -> None:
    """Keep what is needed to take back an edit. ``before`` is None if the file was made by it, ``after`` if it was
    deleted."""
    edit: dict[str, Any] = {"path": path, "digest": _digest(after)}
    if before is not None:
        start = _common(before, after or b"")
        end = _common(before[start:][::-1], (after or b"")[start:][::-1])
        old = zlib.compress(before[start : len(before) - end], 9)
        edit |= {"start": start, "end": end, "old": base64.b64encode(old).decode()}
    if len(edit.get("old", "")) > _ROOM:
        edit = {"path": path, "digest": edit["digest"], "lost": True}
    edits = [*session.extra.get(_KEY, []), edit]
    while len(edits) > 1 and sum(len(e.get("old", "")) for e in edits) > _ROOM:
        edits.pop(0)
    session.extra[_KEY] = edits


def undo(context: Context, path: str) -> tuple[str, bytes | None, bytes]:
    """Take back the last edit of ``path``: its resolved name, its content now (None: it was removed), and before.

    Raises:
        LookupError: with the reason why not, for the model.
    """
    where = context.env.resolve(path)
    edits = list(context.session.extra.get(_KEY, []))
    place = next((i for i in reversed(range(len(edits))) if edits[i]["path"] == where), None)
    if place is None:
        raise LookupError(f"There is no edit of {path} that could be taken back.")
    edit = edits[place]
    if "lost" in edit:
        raise LookupError(f"The last edit of {path} was too large to be kept; it cannot be taken back.")
    edited = context.env.read(where) if context.env.exists(where) == "file" else None
    if _digest(edited) != edit["digest"]:
        raise LookupError(
            f"{path} was changed by something else since its last edit. Nothing was taken back."
        )
    before: bytes | None = None
    edited = edited or b""
    if "old" in edit:
        old = zlib.decompress(base64.b64decode(edit["old"]))
        before = edited[: edit["start"]] + old + edited[len(edited) - edit["end"] :]
        context.env.write(where, before)
    else:
        context.env.remove(where)
        if context.session.open_file == where:
            context.session.open_file = ""
    del edits[place]
    context.session.extra[_KEY] = edits
    return where, before, edited


def _common(a: bytes, b: bytes) -> int:
    """How many bytes at the beginning are the same."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _digest(data: bytes | None) -> str:
    """Of a content; "" of a file that is not there."""
    if data is None:
        return ""
    return hashlib.sha256(data).hexdigest()[:16]
