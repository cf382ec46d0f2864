import unittest

import inikit
from inikit import ParseError
from inikit.scanner import strip_comment
from inikit.values import parse_value

SAMPLE = """
# a comment
name = "demo"
debug = no

[server]
host = 127.0.0.1
port = 8080          ; the usual one
ratio = 2.5e-1

[server.limits]
sizes = [1, 2,
         3]
"""


class SampleTest(unittest.TestCase):
    def setUp(self):
        self.config = inikit.loads(SAMPLE)

    def test_types(self):
        self.assertEqual(self.config["name"], "demo")
        self.assertIs(self.config["debug"], False)
        self.assertEqual(self.config["server.port"], 8080)
        self.assertEqual(self.config["server.ratio"], 0.25)
        self.assertEqual(self.config["server.host"], "127.0.0.1")

    def test_list_over_lines(self):
        self.assertEqual(self.config["server.limits.sizes"], [1, 2, 3])

    def test_sections(self):
        self.assertEqual(self.config.sections(), ["server"])
        self.assertTrue(self.config.has_section("server.limits"))
        self.assertEqual(self.config.options("server"), ["host", "port", "ratio"])

    def test_len(self):
        self.assertEqual(len(self.config), 6)


class ErrorTest(unittest.TestCase):
    def check(self, text, line):
        with self.assertRaises(ParseError) as caught:
            inikit.loads(text)
        self.assertEqual(caught.exception.line, line)

    def test_no_equals(self):
        self.check("a = 1\nb\n", 2)

    def test_duplicate(self):
        self.check("a = 1\na = 2\n", 2)

    def test_bad_header(self):
        self.check("[a\n", 1)

    def test_open_quote(self):
        self.check('\na = "x\n', 2)

    def test_open_bracket(self):
        self.check("a = [1,\n2\n", 1)


class ValueTest(unittest.TestCase):
    def test_numbers(self):
        self.assertEqual(parse_value("1_000"), 1000)
        self.assertEqual(parse_value("-0x1F"), -31)
        self.assertEqual(parse_value("1e3"), 1000.0)

    def test_strings(self):
        self.assertEqual(parse_value(r'"a\tb"'), "a\tb")
        self.assertEqual(parse_value(r"'a\tb'"), r"a\tb")

    def test_nested_list(self):
        self.assertEqual(parse_value('[[1, 2], ["a, b"], ]'), [[1, 2], ["a, b"]])

    def test_comment(self):
        self.assertEqual(strip_comment("a = b#c # d"), "a = b#c")


if __name__ == "__main__":
    unittest.main()
