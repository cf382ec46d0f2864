"""Cron expressions, intervals and a small in-process scheduler."""

from .describe import describe
from .errors import CronError, IntervalError, JobError, NeverMatches
from .expression import Expression
from .interval import Interval, every, parse_duration
from .job import Job, Run
from .scheduler import Scheduler

__version__ = "1.4.1"

__all__ = [
    "CronError",
    "Expression",
    "Interval",
    "IntervalError",
    "Job",
    "JobError",
    "NeverMatches",
    "Run",
    "Scheduler",
    "describe",
    "every",
    "parse_duration",
]
