"""The fields of a cron expression: from text to sets of numbers."""

from dataclasses import dataclass

from .errors import CronError

MONTH_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
DAY_NAMES = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")

LAST = "L"


@dataclass(frozen=True)
class Spec:
    """What a field may hold: its smallest and largest number, and names for its numbers from ``low`` on."""

    name: str
    low: int
    high: int
    names: tuple = ()

    def number(self, text):
        """A number or a name of this field. Raises CronError."""
        lowered = text.lower()
        if lowered in self.names:
            return self.low + self.names.index(lowered)
        if not text.isdigit():
            raise CronError(f"{text!r} is not a number", self.name)
        value = int(text)
        if not self.low <= value <= self.high:
            raise CronError(f"{value} is not between {self.low} and {self.high}", self.name)
        return value


MINUTE = Spec("minute", 0, 59)
HOUR = Spec("hour", 0, 23)
DAY = Spec("day of month", 1, 31)
MONTH = Spec("month", 1, 12, MONTH_NAMES)
WEEKDAY = Spec("day of week", 0, 7, DAY_NAMES)

SPECS = (MINUTE, HOUR, DAY, MONTH, WEEKDAY)


@dataclass(frozen=True)
class Field:
    """A parsed field.

    ``values`` are the numbers that match. ``star`` is true when the field does not restrict anything. ``last`` is
    true when the last day of the month matches as well.
    """

    spec: Spec
    text: str
    values: frozenset
    star: bool = False
    last: bool = False

    def __contains__(self, value):
        return value in self.values

    def after(self, value):
        """The smallest matching number that is greater than ``value``, or None."""
        later = [candidate for candidate in self.values if candidate > value]
        return min(later) if later else None

    def before(self, value):
        """The greatest matching number that is less than ``value``, or None."""
        earlier = [candidate for candidate in self.values if candidate < value]
        return max(earlier) if earlier else None

    @property
    def first(self):
        return min(self.values)

    @property
    def final(self):
        return max(self.values)


def parse_step(text, spec):
    """The number after a slash."""
    if not text.isdigit() or int(text) == 0:
        raise CronError(f"step {text!r} is not a positive number", spec.name)
    return int(text)


def parse_part(part, spec):
    """Numbers of one item of a list: ``*``, ``5``, ``1-5``, each with an optional ``/step``.

    ``5/15`` means from 5 to the end of the field. A range of days may wrap around the week (``fri-mon``).
    """
    body, slash, step_text = part.partition("/")
    step = parse_step(step_text, spec) if slash else 1
    high = spec.high if spec is not WEEKDAY else 6
    if body == "*":
        return set(range(spec.low, high + 1, step))
    if "-" in body:
        first_text, _, last_text = body.partition("-")
        first = spec.number(first_text)
        last = spec.number(last_text)
        if first > last:
            if spec is not WEEKDAY:
                raise CronError(f"range {body!r} runs backwards", spec.name)
            last += 7
        return set(range(first, last + 1, step))
    value = spec.number(body)
    if slash:
        return set(range(value, high + 1, step))
    return {value}


def parse_field(text, spec):
    """A Field from text such as ``1,5-10,*/20``. Raises CronError."""
    if not text:
        raise CronError("is empty", spec.name)
    values = set()
    last = False
    for part in text.split(","):
        if not part:
            raise CronError(f"empty item in {text!r}", spec.name)
        if part.upper() == LAST and spec is DAY:
            last = True
            continue
        values |= parse_part(part, spec)
    if spec is WEEKDAY:
        values = {value % 7 for value in values}
    return Field(spec, text, frozenset(values), star=text == "*", last=last)
