"""The typed form of a composed config, outside its plugins."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

YEAR = 31_536_000.0
"""Seconds. Clocks of the operating system overflow with more than some centuries."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Budget(_Strict):
    """Limits of one episode; None means no limit. A limit is reached when the sum is >= the limit."""

    steps: int | None = Field(default=40, ge=1)
    cost: float | None = Field(default=None, gt=0)
    tokens: int | None = Field(default=None, ge=1)
    input_tokens: int | None = Field(default=None, ge=1)
    output_tokens: int | None = Field(default=None, ge=1)
    seconds: float | None = Field(default=None, gt=0)
    command_seconds: float = Field(default=30, gt=0, le=YEAR)
    command_timeouts: int | None = Field(default=3, ge=1)
    total_cost: float | None = Field(default=None, gt=0)


class Executor(_Strict):
    """How many episodes run at once."""

    workers: int | None = Field(default=None, ge=1, le=10_000)


class Paths(_Strict):
    """Where things are written."""

    outputs: str


class CellConfig(_Strict):
    """A whole composed config. Nodes of plugins stay mappings here; they are built by ``_target_``."""

    model: dict[str, Any]
    prompt: dict[str, Any]
    aci: dict[str, Any]
    environment: dict[str, Any]
    benchmark: dict[str, Any]
    agent: dict[str, Any]
    budget: Budget
    executor: Executor
    tracking: dict[str, Any]
    experiment_name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=200)
    repeats: int = Field(ge=1, le=10_000)
    paths: Paths
