"""From a Hydra config to a frozen :class:`Cell`, and from cells to a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def run_cells(configs: Sequence[tuple[Any, Any]]) -> list[dict[str, Any]]:
    """Validate all ``configs`` (pairs of a job's config and its ``hydra`` node), then run them as one sweep.

    Returns one summary per cell.

    Raises:
        runner.errors.UserError: before anything ran.
        runner.errors.Incomplete: after everything ran, if some episodes ended in an infrastructure failure.
    """
    from runner.compose.cell import compose_cells
    from runner.sweep import run_sweep

    return run_sweep(compose_cells(configs))
