"""Digests of what a cell is made of.

An axis digest is SHA-256 over canonical JSON of its resolved config and of the source of the plugins it uses.
Source enters by its syntax tree, so comments and formatting do not count (docstrings do: a tool's docstring is
what the model reads). ``docs/fingerprints.md`` lists what is not part of a fingerprint.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from aci_plugins.plugin import allowed_packages, find

UNSEEN: dict[str, frozenset[str]] = {
    "model": frozenset({"timeout", "retries", "max_retry_wait", "api_key_env"}),
    "benchmark": frozenset({"path", "slice", "ids", "filter"}),
    "prompt": frozenset(),
    "aci": frozenset(),
    "environment": frozenset(),
    "agent": frozenset(),
}
"""Keys that choose which or how long, but do not change what one episode is. Which instances ran is recorded per
episode, with a digest of each instance."""

OFFERED = frozenset({"python", "packages", "image"})
"""Facts of an environment that a command inside can tell apart, unlike the mechanism that isolates it."""

SWEEP_LIMITS = frozenset({"total_cost"})


def digest(value: Any) -> str:
    """SHA-256 (hex) over canonical JSON: sorted keys, no white space, UTF-8."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def axis_digests(config: Mapping[str, Any], parts: Mapping[str, Any]) -> dict[str, Any]:
    """Digests by axis and control, and of the parts within the ACI and the prompt (under ``parts``)."""
    digests: dict[str, Any] = {axis: _node(config[axis], UNSEEN[axis]) for axis in UNSEEN}
    offered = {k: v for k, v in parts["environment"].facts().items() if k in OFFERED}
    digests["environment"] = digest([digests["environment"], offered])
    digests["prompt"] = digest([digests["prompt"], parts["prompt"].demonstration_digest()])
    digests["budget"] = digest({k: v for k, v in config["budget"].items() if k not in SWEEP_LIMITS})
    inner = {
        f"aci.{name}": _node(node, frozenset())
        for name, node in config["aci"].items()
        if isinstance(node, Mapping)
    }
    own = {k: v for k, v in config["prompt"].items() if k != "demonstration"}
    inner["prompt.demonstration"] = digest(
        [config["prompt"].get("demonstration"), parts["prompt"].demonstration_digest()]
    )
    inner["prompt.templates"] = digest(own)
    digests["parts"] = inner
    return digests


def fingerprint(digests: Mapping[str, Any]) -> str:
    """The digest of all digests (the parts are already in their axes)."""
    return digest({k: v for k, v in digests.items() if k != "parts"})


def _node(node: Mapping[str, Any], unseen: frozenset[str]) -> str:
    seen = {k: _ordered(v) for k, v in node.items() if k not in unseen}
    return digest([seen, [source_digest(find(t).__module__) for t in sorted(set(_targets(node)))]])


def _ordered(node: Any) -> Any:
    """``node`` with each mapping of several plugins (the links of a chain) as pairs: their order has a meaning, which
    a digest of keys in order of the alphabet would lose."""
    if isinstance(node, list):
        return [_ordered(value) for value in node]
    if not isinstance(node, Mapping):
        return node
    inner = {name: _ordered(value) for name, value in node.items()}
    plugins = all(isinstance(value, Mapping) and "_target_" in value for value in node.values())
    return [[name, value] for name, value in inner.items()] if plugins and len(node) > 1 else inner


def _targets(node: Any) -> Iterator[str]:
    if isinstance(node, Mapping):
        if "_target_" in node:
            yield str(node["_target_"])
        for value in node.values():
            yield from _targets(value)
    elif isinstance(node, list):
        for value in node:
            yield from _targets(value)


@cache
def source_digest(module: str) -> str:
    """Digest of a module's syntax tree and of those it imports from its own sub-package and from
    ``aci_plugins``, transitively."""
    return digest({name: _tree(name) for name in sorted(_closure(module))})


def _closure(module: str) -> set[str]:
    top = module.split(".")[0]
    family = ".".join(module.split(".")[:2]) if top == "runner" else top
    seen: set[str] = set()
    todo = [module]
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        todo.extend(
            found
            for found in _imports(name)
            if found == family or found.startswith((family + ".", "aci_plugins."))
        )
    return seen


@cache
def _imports(module: str) -> tuple[str, ...]:
    names = []
    for node in ast.walk(_parse(module)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    ours = [n for n in names if n.split(".")[0] in {p.split(".")[0] for p in allowed_packages()}]
    return tuple(sorted({n for n in ours if _path(n)}))


@cache
def _tree(module: str) -> str:
    return hashlib.sha256(ast.dump(_parse(module)).encode()).hexdigest()


@cache
def _parse(module: str) -> ast.Module:
    path = _path(module)
    assert path is not None
    return ast.parse(path.read_text("utf-8"))


@cache
def _path(module: str) -> Path | None:
    try:
        spec = importlib.util.find_spec(module)
    except ModuleNotFoundError:  # `from package.module import name`: name is no module
        return None
    return Path(spec.origin) if spec and spec.origin and spec.origin.endswith(".py") else None
