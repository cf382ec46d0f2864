import unittest
from datetime import datetime, timedelta

from cronlet import IntervalError, every, parse_duration
from cronlet.interval import format_duration

NOON = datetime(2024, 1, 1, 12)


class DurationTest(unittest.TestCase):
    def test_parse(self):
        self.assertEqual(parse_duration("90s"), timedelta(seconds=90))
        self.assertEqual(parse_duration("1h30m"), timedelta(minutes=90))
        self.assertEqual(parse_duration("1.5 hours"), timedelta(minutes=90))
        self.assertEqual(parse_duration("2 days 4 h"), timedelta(hours=52))

    def test_errors(self):
        for text in ("", "5", "5 parsecs", "0s", "m5"):
            with self.assertRaises(IntervalError):
                parse_duration(text)

    def test_format(self):
        self.assertEqual(format_duration(timedelta(minutes=90)), "1h30m")
        self.assertEqual(format_duration(timedelta(0)), "0s")


class IntervalTest(unittest.TestCase):
    def test_next(self):
        interval = every("15m", anchor=NOON)
        self.assertEqual(interval.next(NOON), NOON + timedelta(minutes=15))
        self.assertEqual(interval.next(NOON + timedelta(minutes=20)), NOON + timedelta(minutes=30))

    def test_previous(self):
        interval = every("15m", anchor=NOON)
        self.assertEqual(interval.previous(NOON + timedelta(minutes=20)), NOON + timedelta(minutes=15))
        self.assertEqual(interval.previous(NOON + timedelta(minutes=15)), NOON)

    def test_matches(self):
        self.assertTrue(every("1h", anchor=NOON).matches(NOON + timedelta(hours=5)))


if __name__ == "__main__":
    unittest.main()
