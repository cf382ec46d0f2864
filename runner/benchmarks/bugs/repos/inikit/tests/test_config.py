import unittest

import inikit
from inikit import Config, MissingOption, MissingSection, ReferenceLoop, ValueTypeError


class GetTest(unittest.TestCase):
    def setUp(self):
        self.config = inikit.loads("a = 1\n[s]\nb = x, y\nc = true\n")

    def test_missing(self):
        with self.assertRaises(MissingOption):
            self.config.get("nope")
        with self.assertRaises(MissingSection):
            self.config.get("nope.a")

    def test_default(self):
        self.assertEqual(self.config.get("nope", 5), 5)
        self.assertIsNone(self.config.get_int("s.nope", None))

    def test_typed(self):
        self.assertEqual(self.config.get_int("a"), 1)
        self.assertEqual(self.config.get_float("a"), 1.0)
        self.assertEqual(self.config.get_list("s.b"), ["x", "y"])
        self.assertIs(self.config.get_bool("s.c"), True)

    def test_wrong_type(self):
        for getter in (self.config.get_int, self.config.get_float, self.config.get_str):
            with self.assertRaises(ValueTypeError):
                getter("s.c")

    def test_quantities(self):
        config = inikit.loads("a = 1.5m\nb = 30\nc = 64k\nd = x\n")
        self.assertEqual(config.get_duration("a"), 90.0)
        self.assertEqual(config.get_duration("b"), 30.0)
        self.assertEqual(config.get_size("c"), 65536)
        with self.assertRaises(ValueTypeError):
            config.get_size("d")

    def test_contains(self):
        self.assertIn("s.b", self.config)
        self.assertNotIn("s", self.config)

    def test_set_makes_sections(self):
        self.config["x.y.z"] = 3
        self.assertEqual(self.config.section("x.y")["z"], 3)

    def test_pop(self):
        self.assertEqual(self.config.pop("a"), 1)
        self.assertNotIn("a", self.config)


class ReferenceTest(unittest.TestCase):
    def test_text_and_type(self):
        config = inikit.loads('[s]\nport = 80\nurl = "h:${s.port}"\nsame = "${s.port}"\n')
        self.assertEqual(config["s.url"], "h:80")
        self.assertEqual(config["s.same"], 80)

    def test_default(self):
        self.assertEqual(Config({"a": "${b|x}y"})["a"], "xy")

    def test_loop(self):
        with self.assertRaises(ReferenceLoop):
            Config({"a": "${b}", "b": "${a}"}).get("a")

    def test_dollar(self):
        self.assertEqual(Config({"a": "5 $$"})["a"], "5 $")


if __name__ == "__main__":
    unittest.main()
