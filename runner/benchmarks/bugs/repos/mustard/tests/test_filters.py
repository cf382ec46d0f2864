import unittest

from mustard import Environment, Markup, escape
from mustard import filters


class EscapeTest(unittest.TestCase):
    def test_characters(self):
        self.assertEqual(escape("<a href='x'>"), "&lt;a href=&#39;x&#39;&gt;")
        self.assertEqual(escape("\"<"), "&quot;&lt;")

    def test_markup_stays(self):
        self.assertEqual(escape(Markup("<b>")), "<b>")

    def test_autoescape(self):
        self.assertEqual(Environment().from_string("{{ x }}{{ x|safe }}").render(x="<"), "&lt;<")
        self.assertEqual(Environment(autoescape=False).from_string("{{ x }}").render(x="<"), "<")


class TextTest(unittest.TestCase):
    def test_title(self):
        self.assertEqual(filters.title("ada's big DAY"), "Ada's Big Day")

    def test_truncate(self):
        self.assertEqual(filters.truncate("short", 10), "short")
        self.assertEqual(filters.truncate("the quick brown fox", 14), "the quick...")
        self.assertEqual(filters.truncate("the quick brown fox", 14, killwords=True), "the quick b...")

    def test_indent(self):
        self.assertEqual(filters.indent("a\n\nb", 2), "a\n\n  b")

    def test_number(self):
        self.assertEqual(filters.number(1234.5, 2), "1,234.50")
        self.assertEqual(filters.number(1234567, grouping=" "), "1 234 567")


class ListTest(unittest.TestCase):
    def test_join(self):
        self.assertEqual(filters.join([{"n": 1}, {"n": 2}], "-", "n"), "1-2")

    def test_sort(self):
        self.assertEqual(filters.sort(["b", "A", "c"]), ["A", "b", "c"])

    def test_first_and_last(self):
        self.assertEqual((filters.first([1, 2]), filters.last([1, 2])), (1, 2))

    def test_batch(self):
        self.assertEqual(filters.batch([1, 2, 3, 4], 2), [[1, 2], [3, 4]])

    def test_unique(self):
        self.assertEqual(filters.unique([1, 2, 1]), [1, 2])

    def test_default(self):
        self.assertEqual(filters.default(None, 1), 1)
        self.assertEqual(filters.default("x", 1), "x")


if __name__ == "__main__":
    unittest.main()
