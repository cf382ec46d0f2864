"""Cron expressions: which moments match, and which is the next."""

from calendar import monthrange
from datetime import datetime, timedelta

from .errors import CronError, NeverMatches
from .fields import SPECS, parse_field

SHORTCUTS = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}

#: Leap days can be eight years apart (1896 and 1904), so nothing is found in a longer search either.
SEARCH_YEARS = 8


def last_day(year, month):
    """Number of days of a month."""
    return monthrange(year, month)[1]


def cron_weekday(moment):
    """0 for Sunday … 6 for Saturday."""
    return moment.isoweekday() % 7


class Expression:
    """A parsed cron expression. Seconds of the moments given are ignored."""

    def __init__(self, text):
        self.text = text.strip()
        fields = SHORTCUTS.get(self.text.lower(), self.text).split()
        if len(fields) != len(SPECS):
            raise CronError(f"expected {len(SPECS)} fields, found {len(fields)}")
        parsed = [parse_field(field, spec) for field, spec in zip(fields, SPECS)]
        self.minute, self.hour, self.day, self.month, self.weekday = parsed

    # -- matching ---------------------------------------------------------------

    def _day_matches(self, moment):
        in_month = moment.day in self.day or (self.day.last and moment.day == last_day(moment.year, moment.month))
        in_week = cron_weekday(moment) in self.weekday
        if self.day.star or self.weekday.star:
            return in_month and in_week
        return in_month or in_week

    def matches(self, moment):
        """True if the job should run in the minute of ``moment``."""
        return (
            moment.minute in self.minute
            and moment.hour in self.hour
            and moment.month in self.month
            and self._day_matches(moment)
        )

    # -- walking ----------------------------------------------------------------

    def next(self, moment):
        """The first match after ``moment``. A match in the minute of ``moment`` itself does not count.

        Raises NeverMatches.
        """
        current = moment.replace(second=0, microsecond=0) + timedelta(minutes=1)
        limit = current.year + SEARCH_YEARS
        while current.year <= limit:
            if current.month not in self.month:
                current = self._next_month(current)
                continue
            if not self._day_matches(current):
                current = self._midnight(current) + timedelta(days=1)
                continue
            if current.hour not in self.hour:
                hour = self.hour.after(current.hour)
                if hour is None:
                    current = self._midnight(current) + timedelta(days=1)
                else:
                    current = current.replace(hour=hour, minute=0)
                continue
            if current.minute not in self.minute:
                minute = self.minute.after(current.minute)
                if minute is None:
                    current = current.replace(minute=0) + timedelta(hours=1)
                else:
                    current = current.replace(minute=minute)
                continue
            return current
        raise NeverMatches(f"{self.text!r} never matches")

    def previous(self, moment):
        """The last match before the minute of ``moment``. Raises NeverMatches."""
        current = moment.replace(second=0, microsecond=0) - timedelta(minutes=1)
        limit = current.year - SEARCH_YEARS
        while current.year >= limit:
            if current.month not in self.month:
                current = self._midnight(current.replace(day=1)) - timedelta(minutes=1)
                continue
            if not self._day_matches(current):
                current = self._midnight(current) - timedelta(minutes=1)
                continue
            if current.hour not in self.hour:
                hour = self.hour.before(current.hour)
                if hour is None:
                    current = self._midnight(current) - timedelta(minutes=1)
                else:
                    current = current.replace(hour=hour, minute=59)
                continue
            if current.minute not in self.minute:
                minute = self.minute.before(current.minute)
                if minute is None:
                    current = current.replace(minute=0) - timedelta(minutes=1)
                else:
                    current = current.replace(minute=minute)
                continue
            return current
        raise NeverMatches(f"{self.text!r} never matches")

    @staticmethod
    def _midnight(moment):
        return moment.replace(hour=0, minute=0)

    @staticmethod
    def _next_month(moment):
        if moment.month == 12:
            return datetime(moment.year + 1, 1, 1)
        return datetime(moment.year, moment.month + 1, 1)

    def upcoming(self, moment, count):
        """The next ``count`` matches after ``moment``."""
        found = []
        for _ in range(count):
            moment = self.next(moment)
            found.append(moment)
        return found

    def between(self, start, end):
        """All matches from ``start`` to ``end``, both included."""
        found = []
        moment = start - timedelta(minutes=1)
        while True:
            moment = self.next(moment)
            if moment > end:
                return found
            found.append(moment)

    def __eq__(self, other):
        if not isinstance(other, Expression):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self):
        return hash(self._key())

    def _key(self):
        fields = (self.minute, self.hour, self.day, self.month, self.weekday)
        return tuple((field.values, field.star, field.last) for field in fields)

    def __repr__(self):
        return f"Expression({self.text!r})"
