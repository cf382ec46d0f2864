"""Jobs and the record of their runs."""

from dataclasses import dataclass
from datetime import datetime

ALL = "all"
LAST = "last"
SKIP = "skip"

CATCH_UP = (ALL, LAST, SKIP)


@dataclass(frozen=True)
class Run:
    """One run of a job. ``error`` is None if it went well."""

    job: str
    due: datetime
    started: datetime
    error: Exception | None = None

    @property
    def ok(self):
        return self.error is None

    @property
    def delay(self):
        """How late it started."""
        return self.started - self.due


class Job:
    """Something to do according to a schedule.

    ``schedule`` has ``next(moment)``. ``catch_up`` says what happens with runs that were missed: ``"all"`` are made up
    for, only the ``"last"`` one, or they are skipped. After ``max_failures`` failures in a row the job is paused. ``number`` is given by the
    scheduler, in the order in which jobs are added.
    """

    def __init__(self, name, schedule, action, args=(), priority=0, catch_up=LAST, max_failures=None, end=None):
        if catch_up not in CATCH_UP:
            raise ValueError(f"catch_up must be one of {', '.join(CATCH_UP)}, not {catch_up!r}")
        self.name = name
        self.schedule = schedule
        self.action = action
        self.args = tuple(args)
        self.priority = priority
        self.catch_up = catch_up
        self.max_failures = max_failures
        self.end = end
        self.number = 0
        self.paused = False
        self.failures = 0
        self.runs = []

    def next(self, moment):
        """When the job is due next, or None after its end."""
        due = self.schedule.next(moment)
        if self.end is not None and due > self.end:
            return None
        return due

    def execute(self, due, now):
        """Run the action and record it; exceptions are kept in the record."""
        error = None
        try:
            self.action(*self.args)
        except Exception as caught:
            error = caught
        run = Run(self.name, due, now, error)
        self.runs.append(run)
        if run.ok:
            self.failures = 0
        else:
            self.failures += 1
            if self.max_failures is not None and self.failures >= self.max_failures:
                self.paused = True
        return run

    def success_rate(self):
        """Share of runs that went well, between 0 and 1; None before the first run."""
        if not self.runs:
            return None
        return sum(run.ok for run in self.runs) / len(self.runs)

    @property
    def last_run(self):
        return self.runs[-1] if self.runs else None

    def __repr__(self):
        return f"Job({self.name!r}, {self.schedule!r})"
