"""Git objects made from bytes, without running git.

A fresh workspace needs one commit, a patch needs two trees: both are a few hashes, and cost less than starting
git once. Formats: ``gitformat-pack(5)``, ``gitformat-index(5)``, ``git-hash-object(1)``.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha1
from pathlib import Path
from typing import NamedTuple

REGULAR, EXECUTABLE, SYMLINK, _TREE = 0o100644, 0o100755, 0o120000, 0o40000
_PACK_TYPE = {"commit": 1, "tree": 2, "blob": 3}


class Entry(NamedTuple):
    """A file as git sees it: its mode, and its bytes (a symlink's target)."""

    mode: int
    data: bytes


@dataclass(slots=True)
class Objects:
    """A set of objects by binary id."""

    content: dict[bytes, tuple[str, bytes]] = field(default_factory=dict)

    def add(self, kind: str, data: bytes) -> bytes:
        """Add an object of ``kind`` (blob, tree, commit); its id."""
        name = sha1(b"%s %d\0" % (kind.encode(), len(data)), usedforsecurity=False)
        name.update(data)
        self.content[name.digest()] = (kind, data)
        return name.digest()

    def add_tree(self, files: Mapping[str, Entry]) -> bytes:
        """Add the tree of ``files`` (path -> entry) and all that is in it; its id."""
        root: dict[bytes, object] = {}
        for path, entry in files.items():
            *folders, name = path.encode("utf-8", "surrogateescape").split(b"/")
            node = root
            for folder in folders:
                child = node.setdefault(folder, {})
                if not isinstance(child, dict):
                    raise ValueError(f"{path!r} is below a file")
                node = child
            node[name] = entry
        return self._add_node(root)

    def _add_node(self, node: dict[bytes, object]) -> bytes:
        rows: list[tuple[bytes, bytes]] = []
        for name, child in node.items():
            if isinstance(child, Entry):
                rows.append((name, b"%o %s\0%s" % (child.mode, name, self.add("blob", child.data))))
            elif isinstance(child, dict):  # git sorts folders as if their name ended in a slash
                rows.append((name + b"/", b"%o %s\0%s" % (_TREE, name, self._add_node(child))))
        return self.add("tree", b"".join(row for _, row in sorted(rows)))

    def write_loose(self, folder: Path) -> None:
        """Write each object as a file below ``folder`` (``.git/objects``)."""
        for name, (kind, data) in self.content.items():
            path = folder / name.hex()[:2] / name.hex()[2:]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(zlib.compress(b"%s %d\0%s" % (kind.encode(), len(data), data), 1))

    def pack(self) -> tuple[str, bytes, bytes]:
        """All objects as one pack: its name, the ``.pack`` and the ``.idx`` (version 2) file."""
        pack = bytearray(struct.pack(">4sLL", b"PACK", 2, len(self.content)))
        offsets: dict[bytes, tuple[int, int]] = {}
        for name, (kind, data) in self.content.items():
            raw = _pack_header(_PACK_TYPE[kind], len(data)) + zlib.compress(data, 1)
            offsets[name] = (zlib.crc32(raw), len(pack))
            pack += raw
        pack += _sha1(pack)
        names = sorted(offsets)
        fanout = [0] * 256
        for name in names:
            fanout[name[0]] += 1
        for i in range(1, 256):
            fanout[i] += fanout[i - 1]
        if len(pack) >= 1 << 31:
            raise ValueError("a workspace of more than 2 GB")
        index = bytearray(b"\xfftOc" + struct.pack(">L256L", 2, *fanout) + b"".join(names))
        index += b"".join(struct.pack(">L", offsets[name][0]) for name in names)
        index += b"".join(struct.pack(">L", offsets[name][1]) for name in names)
        index += pack[-20:]
        index += _sha1(index)
        return _sha1(b"".join(names)).hex(), bytes(pack), bytes(index)


def index_file(files: Mapping[str, tuple[Entry, os.stat_result]], owner: tuple[int, int]) -> bytes:
    """``.git/index`` (version 2) that stages ``files``, each with the status of the file on disk, so that git
    finds nothing changed. ``owner``: user and group as they appear where git will run."""
    out = bytearray(struct.pack(">4sLL", b"DIRC", 2, len(files)))
    by_name = {path.encode("utf-8", "surrogateescape"): of for path, of in files.items()}
    for name in sorted(by_name):
        entry, status = by_name[name]
        blob = sha1(b"blob %d\0" % len(entry.data) + entry.data, usedforsecurity=False).digest()
        numbers = (
            *divmod(status.st_ctime_ns, 10**9),
            *divmod(status.st_mtime_ns, 10**9),
            status.st_dev,
            status.st_ino,
            entry.mode,
            *owner,
            status.st_size,
        )
        row = struct.pack(">10L20sH", *(n & 0xFFFFFFFF for n in numbers), blob, min(len(name), 0xFFF)) + name
        out += row + b"\0" * (8 - len(row) % 8)
    return bytes(out + _sha1(out))


def _pack_header(kind: int, size: int) -> bytes:
    """Type and size in the pack's variable-length form: 4 bits, then 7 at a time."""
    byte, size = kind << 4 | size & 15, size >> 4
    out = bytearray()
    while size:
        out.append(byte | 0x80)
        byte, size = size & 0x7F, size >> 7
    out.append(byte)
    return bytes(out)


def _sha1(data: bytes | bytearray) -> bytes:
    return sha1(data, usedforsecurity=False).digest()
