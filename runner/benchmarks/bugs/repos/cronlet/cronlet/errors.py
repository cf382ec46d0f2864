"""Exceptions of cronlet."""


class CronError(ValueError):
    """A cron expression is malformed. ``field`` is the name of the field, if it is known."""

    def __init__(self, message, field=""):
        super().__init__(f"{field}: {message}" if field else message)
        self.field = field


class IntervalError(ValueError):
    """A duration is malformed or not positive."""


class NeverMatches(CronError):
    """No moment fits the expression, such as the 30th of February."""


class JobError(LookupError):
    """There is no job of this name, or there is one already."""
