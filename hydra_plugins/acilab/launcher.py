"""Hydra launcher: every cell is composed and validated before the first token is spent, then the episodes of
all cells run through one pool, so that no worker idles at the tail of a cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hydra.core.utils import JobReturn, JobStatus, filter_overrides, setup_globals
from hydra.plugins.launcher import Launcher

if TYPE_CHECKING:
    from hydra.types import HydraContext, TaskFunction
    from omegaconf import DictConfig


class PoolLauncher(Launcher):
    """Hands all jobs of a batch to :func:`runner.compose.run_cells` at once."""

    def setup(self, *, hydra_context: HydraContext, task_function: TaskFunction, config: DictConfig) -> None:
        self.hydra_context = hydra_context
        self.config = config

    def launch(self, job_overrides: Sequence[Sequence[str]], initial_job_idx: int) -> Sequence[JobReturn]:
        from omegaconf import open_dict

        from runner.compose import run_cells

        setup_globals()
        configs = []
        for number, overrides in enumerate(job_overrides, initial_job_idx):
            config = self.hydra_context.config_loader.load_sweep_config(self.config, list(overrides))
            with open_dict(config):
                config.hydra.job.id = config.hydra.job.num = number
            configs.append((config, config.hydra))
        summaries = run_cells(configs)
        return [
            JobReturn(
                overrides=filter_overrides(list(overrides)),
                cfg=config,
                _return_value=summary,
                status=JobStatus.COMPLETED,
            )
            for overrides, (config, _), summary in zip(job_overrides, configs, summaries, strict=True)
        ]
