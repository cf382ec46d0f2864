import unittest

from gridtext import align_lines, align_text, display_width, strip_ansi, truncate, wrap
from gridtext.align import align_decimals, parse_alignments

RED = "\x1b[31m"
RESET = "\x1b[0m"


class WidthTest(unittest.TestCase):
    def test_colours_take_no_room(self):
        self.assertEqual(display_width(f"{RED}ab{RESET}"), 2)
        self.assertEqual(strip_ansi(f"{RED}ab{RESET}"), "ab")

    def test_wide_and_combining(self):
        self.assertEqual(display_width("日本"), 4)
        self.assertEqual(display_width("e\u0301"), 1)

    def test_truncate(self):
        self.assertEqual(truncate("abc", 3), "abc")
        self.assertEqual(truncate("abcdef", 3, ellipsis=""), "abc")


class AlignTest(unittest.TestCase):
    def test_sides(self):
        self.assertEqual(align_text("a", 3), "a  ")
        self.assertEqual(align_text("a", 3, "r"), "  a")
        self.assertEqual(align_text("a", 3, "c"), " a ")

    def test_too_wide(self):
        self.assertEqual(align_text("abc", 2), "abc")

    def test_decimals(self):
        self.assertEqual(align_decimals(["1.5", "12", "3.25"]), [" 1.5 ", "12   ", " 3.25"])

    def test_lines(self):
        self.assertEqual(align_lines(["a"], 3, "b"), ["", "", "a"])
        self.assertEqual(align_lines(["a"], 3, "m"), ["", "a", ""])

    def test_parse(self):
        self.assertEqual(parse_alignments("lr", 3), ["l", "r", "r"])
        self.assertEqual(parse_alignments("", 2), ["l", "l"])
        with self.assertRaises(ValueError):
            parse_alignments("x", 1)


class WrapTest(unittest.TestCase):
    def test_words(self):
        self.assertEqual(wrap("the quick brown fox", 10), ["the quick", "brown fox"])

    def test_paragraphs(self):
        self.assertEqual(wrap("a\n\nb", 5), ["a", "", "b"])

    def test_sticking_out(self):
        self.assertEqual(wrap("a extraordinary b", 5, break_long=False), ["a", "extraordinary", "b"])

    def test_indent(self):
        self.assertEqual(wrap("aa bb cc", 5, indent="  "), ["aa bb", "  cc"])


if __name__ == "__main__":
    unittest.main()
