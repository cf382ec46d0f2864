"""A cell: one composed configuration as frozen objects, with its digests and its fingerprint."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import MissingMandatoryValue, OmegaConfBaseException
from pydantic import ValidationError

from aci_plugins.aci import ACI
from aci_plugins.plugin import PluginError, build, explained, suggest
from runner.compose.fingerprint import axis_digests, fingerprint
from runner.compose.mentions import check_format, check_mentions, check_tools
from runner.compose.schema import Budget, CellConfig
from runner.compose.where import Where
from runner.errors import UserError
from runner.secrets import is_secret_name

if TYPE_CHECKING:
    from runner.agents.loop import Loop
    from runner.benchmarks.base import Benchmark
    from runner.environments.base import EnvironmentSpec
    from runner.models.base import Model
    from runner.prompt import Prompt

PLUGINS = ("model", "prompt", "aci", "environment", "benchmark", "agent", "tracking")
AXES = ("model", "prompt", "aci", "environment")


@dataclass(frozen=True)
class Cell:
    """Tuple + controls, ready to run.

    Attributes:
        config: the composed config as plain data, secrets only as names of environment variables.
        choices: the option chosen in every config group, e.g. ``{"aci/editor": "lint"}``.
        overrides: what this cell's command line changed.
        digests: by axis, control and part of the ACI (``parts``); see ``docs/fingerprints.md``.
        fingerprint: 64 hex digits over all digests.
        sweep: id shared by the cells that were started together.
        label: what this cell changes within its sweep, in a few words.
    """

    model: Model
    prompt: Prompt
    aci: ACI
    environment: EnvironmentSpec
    benchmark: Benchmark
    agent: Loop
    tracking: Any
    budget: Budget
    workers: int | None
    repeats: int
    experiment: str
    outputs: Path
    config: dict[str, Any]
    choices: dict[str, str]
    overrides: tuple[str, ...]
    digests: dict[str, Any]
    fingerprint: str
    sweep: str
    label: str = "baseline"

    @property
    def folder(self) -> Path:
        """Where the cell's records are."""
        return self.outputs / self.experiment / self.fingerprint[:12]

    @property
    def tuple(self) -> dict[str, str]:
        """The four axes by name: the option, and six digits of the digest."""
        names = {axis: self.choices.get(axis, axis) for axis in AXES} | {"model": self.model.name}
        return {axis: f"{names[axis]}@{self.digests[axis][:6]}" for axis in AXES}


def compose_cells(configs: Sequence[tuple[Any, Any]]) -> list[Cell]:
    """Validate and build all cells. Cells that come out equal are given once.

    Raises:
        UserError: for the first broken cell, with the number of further ones.
    """
    cells: dict[str, Cell] = {}
    errors: list[UserError] = []
    built: dict[str, Any] = {}
    for config, hydra in configs:
        try:
            cell = _compose(config, hydra, built)
        except UserError as error:
            errors.append(error)
            continue
        cells.setdefault(cell.fingerprint, cell)
    if errors:
        others = {str(e) for e in errors} - {str(errors[0])}
        more = f" (and {len(others)} more broken cells; nothing was run)" if others else ""
        raise UserError(f"{errors[0]}{more}")
    return _labelled(list(cells.values()))


def _labelled(cells: list[Cell]) -> list[Cell]:
    found = labels([cell.overrides for cell in cells])
    return [replace(cell, label=label) for cell, label in zip(cells, found, strict=True)]


def labels(overrides: Sequence[Sequence[str]]) -> list[str]:
    """For each cell of a sweep, the overrides that not all cells share, in a few words."""
    shared = set(overrides[0]).intersection(*overrides)
    return [" ".join(o for o in own if o not in shared) or "baseline" for own in overrides]


@dataclass(frozen=True)
class Composed:
    """A composed config as plain and as typed data, where its keys come from, and the plugins that were asked for."""

    choices: dict[str, str]
    overrides: tuple[str, ...]
    where: Where
    plain: dict[str, Any]
    typed: CellConfig
    parts: dict[str, Any]


def compose_parts(
    config: DictConfig, hydra: Any, names: Sequence[str], built: dict[str, Any] | None = None
) -> Composed:
    """Validate ``config`` as a whole, and build the plugins ``names`` of it (``aci``, ``environment`` …).

    Raises:
        UserError: with the file or the override that is wrong.
    """
    choices = {str(k): str(v) for k, v in hydra.runtime.choices.items() if not str(k).startswith("hydra")}
    overrides = tuple(str(o) for o in hydra.overrides.task)
    where = Where(choices, overrides, [str(s.path) for s in hydra.runtime.config_sources if s.path])
    plain = {k: v for k, v in _container(config, where).items() if k != "experiment"}
    try:
        typed = CellConfig.model_validate(plain)
    except ValidationError as error:
        raise UserError(_schema_error(error, where)) from error
    kept = {} if built is None else built
    parts = {name: _build(name, getattr(typed, name), where, kept) for name in names}
    if "aci" in parts:
        check_tools(parts["aci"], where)
        check_format(parts["aci"], where)
    return Composed(choices, overrides, where, plain, typed, parts)


def _compose(config: DictConfig, hydra: Any, built: dict[str, Any]) -> Cell:
    composed = compose_parts(config, hydra, PLUGINS, built)
    where, plain, typed, parts = composed.where, composed.plain, composed.typed, composed.parts
    choices, overrides = composed.choices, composed.overrides
    check_mentions(parts["prompt"], parts["aci"], where)
    try:
        digests = axis_digests(plain, parts)
    except PluginError as error:  # a _target_ in a place where nothing is built
        raise UserError(f"{error.key}: {error}") from error
    return Cell(
        **parts,
        budget=typed.budget,
        workers=typed.executor.workers,
        repeats=typed.repeats,
        experiment=typed.experiment_name,
        outputs=Path(typed.paths.outputs),
        config=plain,
        choices=choices,
        overrides=tuple(o for o in overrides if o.split("=")[0] not in _PLUMBING),
        digests=digests,
        fingerprint=fingerprint(digests),
        sweep=Path(str(hydra.sweep.dir)).name,
    )


_PLUMBING = frozenset(
    {"experiment", "paths.outputs", "tracking", "tracking.uri", "executor.workers", "experiment_name"}
)
"""Keys that name no part of a cell: they would only clutter its label."""


def _container(config: DictConfig, where: Where) -> dict[str, Any]:
    """Plain data, interpolations resolved (environment variables hold no secrets here: keys are given by name)."""
    if "hydra" in config:
        HydraConfig.instance().set_config(config)
        config = OmegaConf.masked_copy(config, [str(k) for k in config if k != "hydra"])
    for key, value in _strings(OmegaConf.to_container(config, resolve=False), ""):
        for name in re.findall(r"oc\.env:\s*(\w+)", value):
            if is_secret_name(name):
                raise UserError(
                    f"{where(key)}: {key} would write the value of {name}, a secret, into the records"
                )
    try:
        plain = OmegaConf.to_container(config, resolve=True, throw_on_missing=True)
    except MissingMandatoryValue as error:
        key = str(error.full_key or error.key)
        raise UserError(f"{where(key)}: {key} has no value: give {key}=…") from error
    except OmegaConfBaseException as error:
        raise UserError(f"{error.full_key}: {' '.join(str(error).split())}") from error
    assert isinstance(plain, dict)
    return {str(key): value for key, value in plain.items()}


def _strings(node: Any, key: str) -> Iterator[tuple[str, str]]:
    if isinstance(node, Mapping):
        for name, value in node.items():
            yield from _strings(value, f"{key}.{name}" if key else str(name))
    elif isinstance(node, list):
        for value in node:
            yield from _strings(value, key)
    elif isinstance(node, str):
        yield key, node


def _build(axis: str, node: Mapping[str, Any], where: Where, built: dict[str, Any]) -> Any:
    """Build a plugin; equal nodes of one sweep share one object (datasets are read once)."""
    key = f"{axis}:{node!r}"
    if key not in built:
        try:
            built[key] = build(node)
        except PluginError as error:
            full = f"{axis}.{error.key}" if error.key else axis
            raise UserError(f"{where(full, error.line)}: {full}: {error}") from error
    return built[key]


def _schema_error(error: ValidationError, where: Where) -> str:
    first = error.errors()[0]
    key = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        parent = key.rpartition(".")[0]
        model = CellConfig if not parent else CellConfig.model_fields[parent].annotation
        names = list(getattr(model, "model_fields", {}))
        return f"{where(key)}: {key}: unknown key{suggest(key.rpartition('.')[2], names)}"
    return f"{where(key)}: {key}: {explained(first)}"
