import unittest
from datetime import datetime

from cronlet import CronError, Expression, NeverMatches, describe
from cronlet.fields import DAY, HOUR, MINUTE, MONTH, WEEKDAY, parse_field


class FieldTest(unittest.TestCase):
    def test_star(self):
        self.assertEqual(parse_field("*", HOUR).values, frozenset(range(24)))
        self.assertTrue(parse_field("*", HOUR).star)

    def test_list_and_range(self):
        self.assertEqual(parse_field("1,5-7", HOUR).values, {1, 5, 6, 7})

    def test_step(self):
        self.assertEqual(parse_field("*/20", MINUTE).values, {0, 20, 40})
        self.assertEqual(parse_field("10-50/20", MINUTE).values, {10, 30, 50})

    def test_names(self):
        self.assertEqual(parse_field("jan,DEC", MONTH).values, {1, 12})
        self.assertEqual(parse_field("mon-fri", WEEKDAY).values, {1, 2, 3, 4, 5})

    def test_last(self):
        self.assertTrue(parse_field("15,L", DAY).last)

    def test_errors(self):
        for text in ("60", "a", "5-1", "*/0", "1,,2", ""):
            with self.assertRaises(CronError):
                parse_field(text, MINUTE)


class NextTest(unittest.TestCase):
    def check(self, text, start, expected):
        self.assertEqual(Expression(text).next(datetime(*start)), datetime(*expected))

    def test_minutes(self):
        self.check("*/15 * * * *", (2024, 1, 1, 8, 5), (2024, 1, 1, 8, 15))

    def test_not_the_same_minute(self):
        self.check("0 8 * * *", (2024, 1, 1, 8, 0), (2024, 1, 2, 8, 0))

    def test_weekday(self):
        self.check("30 8 * * mon", (2024, 1, 2, 0, 0), (2024, 1, 8, 8, 30))

    def test_month(self):
        self.check("0 0 1 6 *", (2024, 7, 1), (2025, 6, 1))

    def test_leap_day(self):
        self.check("0 0 29 2 *", (2024, 3, 1), (2028, 2, 29))

    def test_shortcut(self):
        self.check("@daily", (2024, 1, 31, 12), (2024, 2, 1))

    def test_never(self):
        with self.assertRaises(NeverMatches):
            Expression("0 0 30 2 *").next(datetime(2024, 1, 1))

    def test_previous(self):
        found = Expression("0 8 * * *").previous(datetime(2024, 3, 1, 7))
        self.assertEqual(found, datetime(2024, 2, 29, 8))

    def test_between(self):
        found = Expression("0 */6 * * *").between(datetime(2024, 1, 1), datetime(2024, 1, 1, 12))
        self.assertEqual([moment.hour for moment in found], [0, 6, 12])

    def test_wrong_number_of_fields(self):
        with self.assertRaises(CronError):
            Expression("* * * *")


class DescribeTest(unittest.TestCase):
    def test_phrases(self):
        self.assertEqual(describe("30 8 * * mon-fri"), "at 08:30 on Monday to Friday")
        self.assertEqual(describe("*/5 * * * *"), "every 5 minutes")
        self.assertEqual(describe("0 0 1,L * *"), "at 00:00 on the 1st and last day of the month")
        self.assertEqual(describe("0 6,18 * * *"), "at 06:00 and 18:00 every day")


if __name__ == "__main__":
    unittest.main()
