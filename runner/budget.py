"""What an episode may spend, and what it and the whole sweep have spent."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from runner.models.base import Completion

if TYPE_CHECKING:
    from runner.compose.schema import Budget


class Spending:
    """The known cost of a whole sweep, over all threads."""

    def __init__(self, limit: float | None) -> None:
        self.limit = limit
        self.cost = 0.0
        self.tokens = 0
        self._lock = threading.Lock()

    def add(self, cost: float, tokens: int) -> None:
        """Count one answer."""
        with self._lock:
            self.cost += cost
            self.tokens += tokens

    @property
    def exhausted(self) -> bool:
        """Whether the total limit is reached: no episode may start, running ones end at their next step."""
        return self.limit is not None and self.cost >= self.limit


@dataclass
class Meter:
    """What one episode has spent. Every billed answer is counted, also malformed and blocked ones."""

    budget: Budget
    sweep: Spending
    started: float = field(default_factory=time.monotonic)
    calls: int = 0
    cost: float = 0.0
    cost_known: bool = True
    input_tokens: int = 0
    output_tokens: int = 0
    tokens_known: bool = True

    def charge(self, completion: Completion) -> None:
        """Count one answer, as billed."""
        self.calls += 1
        usage = completion.usage
        if usage.input_tokens is None or usage.output_tokens is None:
            self.tokens_known = False
        self.input_tokens += usage.input_tokens or 0
        self.output_tokens += usage.output_tokens or 0
        if completion.cost is None:
            self.cost_known = False
        self.cost += completion.cost or 0.0
        self.sweep.add(completion.cost or 0.0, (usage.input_tokens or 0) + (usage.output_tokens or 0))

    @property
    def seconds(self) -> float:
        """Wall time since the episode began."""
        return time.monotonic() - self.started

    def exhausted(self) -> str | None:
        """The exit status of the first limit that is reached (sum >= limit), or None."""
        budget = self.budget
        limits = (
            ("exit_steps", self.calls, budget.steps),
            ("exit_cost", self.cost, budget.cost),
            ("exit_tokens", self.input_tokens + self.output_tokens, budget.tokens),
            ("exit_tokens", self.input_tokens, budget.input_tokens),
            ("exit_tokens", self.output_tokens, budget.output_tokens),
            ("exit_time", self.seconds, budget.seconds),
        )
        for status, spent, limit in limits:
            if limit is not None and spent >= limit:
                return status
        return None
