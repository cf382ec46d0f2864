"""Hydra sweeper: a grid, or around each point of a grid a baseline and one change at a time, which is the form
of every ablation table in the papers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hydra._internal.core_plugins.basic_sweeper import BasicSweeper
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.plugins.sweeper import Sweeper

if TYPE_CHECKING:
    from hydra.core.utils import JobReturn
    from hydra.plugins.launcher import Launcher
    from hydra.types import HydraContext, TaskFunction
    from omegaconf import DictConfig


class AblationSweeper(Sweeper):
    """Expands the command line's choices as Hydra's basic sweeper does, times baseline + ``changes``.

    Args:
        max_batch_size: jobs launched together; None launches all at once.
        params: choices given in a file, ``{key: "x,y"}``; the command line wins.
        changes: variants of each grid point, each one override or several joined by a space.
    """

    def __init__(
        self,
        max_batch_size: int | None = None,
        params: dict[str, Any] | None = None,
        changes: Sequence[str] = (),
    ) -> None:
        self.max_batch_size = max_batch_size
        self.params = dict(params or {})
        self.changes = list(changes)

    def setup(self, *, hydra_context: HydraContext, task_function: TaskFunction, config: DictConfig) -> None:
        from hydra.core.plugins import Plugins

        self.loader = hydra_context.config_loader
        self.launcher: Launcher = Plugins.instance().instantiate_launcher(
            hydra_context=hydra_context, task_function=task_function, config=config
        )

    def sweep(self, arguments: list[str]) -> Any:
        parser = OverridesParser.create(config_loader=self.loader)
        given = [*(f"{key}={value}" for key, value in self.params.items()), *arguments]
        grid = BasicSweeper.split_arguments(parser.parse_overrides(given), None)[0]
        jobs = [job for point in grid for job in (point, *(self._changed(point, c) for c in self.changes))]
        size = self.max_batch_size or max(len(jobs), 1)
        returns: list[JobReturn] = []
        for start in range(0, len(jobs), size):
            batch = jobs[start : start + size]
            self.validate_batch_is_legal(batch)
            returns.extend(self.launcher.launch(batch, initial_job_idx=start))
        return returns

    def validate_batch_is_legal(self, batch: Sequence[Sequence[str]]) -> None:
        """Parse every job's overrides, so that a misspelt change is found before any job starts."""
        parser = OverridesParser.create(config_loader=self.loader)
        for job in batch:
            parser.parse_overrides(list(job))

    @staticmethod
    def _changed(point: Sequence[str], change: str) -> list[str]:
        overrides = change.split()
        keys = {override.split("=", 1)[0].lstrip("+~") for override in overrides}
        return [o for o in point if o.split("=", 1)[0].lstrip("+~") not in keys] + overrides
