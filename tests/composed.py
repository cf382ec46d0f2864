"""Cells composed in this process, for tests that do not need the command line."""

from __future__ import annotations

import pytest
from hydra import compose
from hydra.core.hydra_config import HydraConfig

from runner.compose.app import CONFIG_NAME, composing
from runner.compose.cell import Cell, compose_cells
from runner.errors import UserError


def cell(*overrides: str) -> Cell:
    """The cell that these overrides compose to. Skips the test where an optional package that they need is missing."""
    with composing():
        config = compose(CONFIG_NAME, overrides=list(overrides), return_hydra_config=True)
        HydraConfig.instance().set_config(config)
        try:
            return compose_cells([(config, config.hydra)])[0]
        except UserError as error:
            if "which is not installed" in str(error):
                pytest.skip(str(error))
            raise
