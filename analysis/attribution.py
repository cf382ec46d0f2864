"""What differs between two cells, and whether their comparison is controlled.

Digests decide *whether* something differs (``cell.yaml`` holds one per axis, per control, and per part of the ACI
and of the prompt); option names and config values only say *what* it is. A part of the ACI that changes also
changes what the prompt renders to; that is a consequence, not a second change, and the prompt's digest, taken
before rendering, stays the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

AXES = ("model", "prompt", "aci", "environment")
CONTROLS = ("benchmark", "agent", "budget")

Meta = Mapping[str, Any]
"""The content of a ``cell.yaml``."""


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that differs.

    Attributes:
        axis: the axis or control it belongs to.
        key: as on the command line: ``aci/editor``, ``model.temperature``, or an axis (``aci``).
        before, after: option or value in the first and in the second cell.
        detail: what else there is to say, "" if nothing.
    """

    axis: str
    key: str
    before: str
    after: str
    detail: str = ""

    def __str__(self) -> str:
        what = f"{self.key}: {self.before} → {self.after}" if self.before or self.after else self.key
        return f"{what} ({self.detail})" if self.detail else what

    @property
    def override(self) -> str:
        """The command-line override that makes the change, or the nearest thing to one."""
        return f"{self.key}={self.after}" if self.after else f"{self.key} ({self.detail})"


def differences(first: Meta, second: Meta) -> list[Change]:
    """Everything that differs from ``first`` to ``second``, by axis and control; [] for the same cell.

    An option of a whole axis (``aci=bash_only``) is one change, whatever parts it brings. Otherwise each part
    of an axis that differs is one change.
    """
    return [
        change
        for axis in (*AXES, *CONTROLS)
        if first["digests"].get(axis) != second["digests"].get(axis)
        for change in _axis(axis, first, second)
    ]


def confounded(changes: list[Change]) -> bool:
    """True when more than one thing differs, so that a difference in results has no single cause."""
    return len(changes) > 1


def comparable(first: Meta, second: Meta) -> bool:
    """Cells of different benchmarks are never compared."""
    return bool(first["digests"].get("benchmark") == second["digests"].get("benchmark"))


def name(meta: Meta, axis: str) -> str:
    """The human-readable name of a cell's axis, without its digest."""
    named = str(meta.get("tuple", {}).get(axis) or meta["choices"].get(axis, axis))
    stem, at, digest = named.rpartition("@")
    return stem if at and all(c in "0123456789abcdef" for c in digest) else named


def _axis(axis: str, first: Meta, second: Meta) -> list[Change]:
    parts = [
        key.removeprefix(f"{axis}.")
        for key in {**_parts(first), **_parts(second)}
        if key.startswith(f"{axis}.") and _parts(first).get(key) != _parts(second).get(key)
    ]
    if first["choices"].get(axis) != second["choices"].get(axis):
        return [Change(axis, axis, name(first, axis), name(second, axis), ", ".join(parts))]
    told = [(part, _part(axis, part, first, second)) for part in parts]
    changes = [change for _, change in told if change]
    if not parts:
        leaves = _leaves(axis, _config(first, axis), _config(second, axis))
        changes = [_joined(axis, axis, leaves)] if leaves else []
    silent = [part for part, change in told if change is None]
    if silent or not changes:
        where = f" of {', '.join(silent)}" if silent else ""
        digests = f"{_digest(first, axis)} to {_digest(second, axis)}"
        changes.append(Change(axis, axis, "", "", f"source or versions{where} changed, {digests}"))
    return changes


def _part(axis: str, part: str, first: Meta, second: Meta) -> Change | None:
    """The change of one part; None when neither its option nor its config says what changed."""
    group = f"{axis}/{part}"
    before, after = first["choices"].get(group), second["choices"].get(group)
    if before != after:
        return Change(axis, group, str(before), str(after))
    if (axis, part) == ("prompt", "templates"):  # everything of the prompt that is no part of its own
        leaves = _leaves(axis, _outside(first, axis), _outside(second, axis))
        return _joined(axis, axis, leaves) if leaves else None
    prefix = f"{axis}.{part}"
    leaves = _leaves(prefix, _config(first, axis).get(part), _config(second, axis).get(part))
    return _joined(group, prefix, leaves) if leaves else None


def _joined(key: str, prefix: str, leaves: list[Change]) -> Change:
    """Several values of one node as one change."""
    if len(leaves) == 1:
        return leaves[0]
    told = (f"{c.key.removeprefix(f'{prefix}.')} {c.before} → {c.after}" for c in leaves)
    return Change(leaves[0].axis, key, "", "", ", ".join(told))


def _leaves(prefix: str, before: Any, after: Any) -> list[Change]:
    """The values that differ below a config node."""
    axis = prefix.split(".")[0]
    left, right = dict(_flat(before, prefix)), dict(_flat(after, prefix))
    return [
        Change(axis, key, *_shown(left.get(key), right.get(key)))
        for key in {**left, **right}
        if left.get(key) != right.get(key) and not key.endswith("._target_")
    ]


def _flat(node: Any, prefix: str) -> Iterator[tuple[str, Any]]:
    if isinstance(node, Mapping):
        for key, value in node.items():
            yield from _flat(value, f"{prefix}.{key}")
    else:
        yield prefix, node


def _shown(before: Any, after: Any) -> tuple[str, str]:
    """Two values as text; long texts are only said to differ."""
    texts = ["null" if value is None else str(value) for value in (before, after)]
    if any(len(text) > 60 or "\n" in text for text in texts):
        return "one text", "another"
    return texts[0], texts[1]


def _parts(meta: Meta) -> Mapping[str, str]:
    parts: Mapping[str, str] = meta["digests"].get("parts") or {}
    return parts


def _config(meta: Meta, axis: str) -> Mapping[str, Any]:
    node = (meta.get("config") or {}).get(axis)
    return node if isinstance(node, Mapping) else {}


def _outside(meta: Meta, axis: str) -> dict[str, Any]:
    """The axis's config without the nodes that are parts of it."""
    parts = {key.removeprefix(f"{axis}.") for key in _parts(meta) if key.startswith(f"{axis}.")}
    return {key: value for key, value in _config(meta, axis).items() if key not in parts}


def _digest(meta: Meta, axis: str) -> str:
    return str(meta["digests"].get(axis, "none"))[:6]
