"""What a person sees while episodes run: a bar with cost and time left on a terminal, lines elsewhere."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from runner.episode import Outcome

if TYPE_CHECKING:
    from runner.budget import Spending
    from runner.compose.cell import Cell


class Progress:
    """Used as a context manager around a sweep."""

    def __init__(self, cells: Sequence[Cell], total: int, done: int, spending: Spending) -> None:
        self.console = Console(file=sys.stderr)
        self.labels = {cell.fingerprint: cell.label for cell in cells}
        self.spending = spending
        self.resolved = self.errors = 0
        self.left = Counter[str]()
        self.bar = Bar(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[facts]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=self.console,
            disable=not self.console.is_terminal,
        )
        self.task = self.bar.add_task("episodes", total=total, completed=done, facts="")
        self.total, self.done, self.shown = total, done, done

    def __enter__(self) -> Progress:
        self.bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.bar.stop()

    def advance(self, outcome: Outcome) -> None:
        """Count one finished episode."""
        self.done += 1
        self.resolved += outcome.resolved is True
        self.errors += outcome.resolved is None
        facts = f"now: resolved {self.resolved}  errors {self.errors}  ${self.spending.cost:.2f}"
        self.bar.update(self.task, completed=self.done, facts=facts)
        if outcome.resolved is None:
            self.note(f"{outcome.instance_id}: {outcome.exit_status}: {outcome.message}")
        if not self.console.is_terminal and (
            self.done - self.shown >= self.total / 10 or self.done == self.total
        ):
            self.shown = self.done
            self.note(f"{self.done}/{self.total} episodes  {facts}")

    def note(self, text: str) -> None:
        """One line above the bar."""
        self.console.print(text, markup=False, highlight=False, soft_wrap=True)
