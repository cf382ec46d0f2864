"""Fixed intervals: "every 15 minutes"."""

import re
from datetime import timedelta

from .errors import IntervalError

UNITS = {
    "s": 1,
    "m": 60,
    "h": 3600,
    "d": 86400,
    "w": 604800,
}

LONG_UNITS = {
    "second": "s",
    "seconds": "s",
    "sec": "s",
    "minute": "m",
    "minutes": "m",
    "min": "m",
    "hour": "h",
    "hours": "h",
    "day": "d",
    "days": "d",
    "week": "w",
    "weeks": "w",
}

PART = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z]+)\s*")


def parse_duration(text):
    """A timedelta from ``"90s"``, ``"1h30m"``, ``"1.5 hours"`` or ``"2 days 4 h"``. Raises IntervalError."""
    body = text.strip().lower()
    total = 0.0
    position = 0
    while position < len(body):
        match = PART.match(body, position)
        if match is None:
            raise IntervalError(f"cannot read {text!r} at {body[position:]!r}")
        amount, unit = match.groups()
        unit = LONG_UNITS.get(unit, unit)
        if unit not in UNITS:
            raise IntervalError(f"unknown unit {unit!r} in {text!r}")
        total += float(amount) * UNITS[unit]
        position = match.end()
    if total <= 0:
        raise IntervalError(f"duration must be positive: {text!r}")
    return timedelta(seconds=total)


def format_duration(delta):
    """The shortest text that :func:`parse_duration` reads back: ``"1h30m"``."""
    rest = int(delta.total_seconds())
    if rest <= 0:
        return "0s"
    out = []
    for unit in ("w", "d", "h", "m", "s"):
        amount, rest = divmod(rest, UNITS[unit])
        if amount:
            out.append(f"{amount}{unit}")
    return "".join(out)


class Interval:
    """Moments ``anchor + n * step``. Without an anchor, the first moment asked about becomes the anchor."""

    def __init__(self, step, anchor=None):
        if step <= timedelta(0):
            raise IntervalError("step must be positive")
        self.step = step
        self.anchor = anchor

    def _anchored(self, moment):
        if self.anchor is None:
            self.anchor = moment
        return self.anchor

    def next(self, moment):
        """The first moment of the interval after ``moment``."""
        anchor = self._anchored(moment)
        count = (moment - anchor) // self.step + 1
        return anchor + count * self.step

    def previous(self, moment):
        """The last moment of the interval before ``moment``."""
        anchor = self._anchored(moment)
        count = -((anchor - moment) // self.step) - 1
        return anchor + count * self.step

    def matches(self, moment):
        return (moment - self._anchored(moment)) % self.step == timedelta(0)

    def __repr__(self):
        return f"every({format_duration(self.step)!r})"


def every(text, anchor=None):
    """Shorthand for an Interval from text."""
    return Interval(parse_duration(text), anchor)
