"""Cron expressions in words."""

from .expression import SHORTCUTS, Expression
from .fields import DAY, MONTH, WEEKDAY

MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")

KNOWN = {
    "0 0 1 1 *": "once a year, on January 1 at midnight",
    "0 * * * *": "every hour, on the hour",
    "* * * * *": "every minute",
}


def ordinal(number):
    """``1st``, ``2nd``, ``3rd``, ``11th`` …"""
    if 10 <= number % 100 <= 20:
        suffix = "th"
    else:
        suffix = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"


def join(words):
    """``a``, ``a and b``, ``a, b and c``."""
    words = list(words)
    if len(words) < 2:
        return "".join(words)
    return ", ".join(words[:-1]) + " and " + words[-1]


def runs(values):
    """Consecutive numbers together: ``[1, 2, 3, 7]`` gives ``[(1, 3), (7, 7)]``."""
    found = []
    for value in sorted(values):
        if found and value == found[-1][1] + 1:
            found[-1] = (found[-1][0], value)
        else:
            found.append((value, value))
    return found


def name_values(field):
    """The numbers of a field in words, with ranges of three or more put together."""
    if field.spec is MONTH:
        naming = lambda value: MONTHS[value - 1]  # noqa: E731
    elif field.spec is WEEKDAY:
        naming = lambda value: DAYS[value]  # noqa: E731
    elif field.spec is DAY:
        naming = ordinal
    else:
        naming = str
    words = []
    for first, last in runs(field.values):
        if last - first >= 2:
            words.append(f"{naming(first)} to {naming(last)}")
        else:
            words += [naming(value) for value in range(first, last + 1)]
    return words


def describe_time(expression):
    """The part for minutes and hours."""
    minute, hour = expression.minute, expression.hour
    if minute.star and hour.star:
        return "every minute"
    if minute.text.startswith("*/") and hour.star:
        return f"every {minute.text[2:]} minutes"
    if len(minute.values) == 1 and not hour.star and len(hour.values) <= 4:
        return "at " + join(f"{value:02d}:{minute.first:02d}" for value in sorted(hour.values))
    minutes = "every minute" if minute.star else f"at minute {join(name_values(minute))}"
    hours = "every hour" if hour.star else f"hour {join(name_values(hour))}"
    return f"{minutes} of {hours}"


def describe_days(expression):
    """The part for days and months; empty when every day matches."""
    parts = []
    days = name_values(expression.day)
    if expression.day.last:
        days.append("last day")
    by_month = "" if expression.day.star else f"on the {join(days)} of the month"
    by_week = "" if expression.weekday.star else f"on {join(name_values(expression.weekday))}"
    if by_month and by_week:
        parts.append(f"{by_month} or {by_week}")
    elif by_month or by_week:
        parts.append(by_month or by_week)
    if not expression.month.star:
        parts.append(f"in {join(name_values(expression.month))}")
    return " ".join(parts)


def describe(expression):
    """An expression, or its text, as an English phrase."""
    if isinstance(expression, str):
        expression = Expression(expression)
    text = SHORTCUTS.get(expression.text.lower(), expression.text)
    if text in KNOWN:
        return KNOWN[text]
    days = describe_days(expression)
    time = describe_time(expression)
    return f"{time} {days}" if days else f"{time} every day" if time.startswith("at ") and " of " not in time else time
