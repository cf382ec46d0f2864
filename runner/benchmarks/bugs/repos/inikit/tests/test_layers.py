import unittest

import inikit
from inikit import Config, Field, Schema, SchemaError
from inikit.merge import difference


class MergeTest(unittest.TestCase):
    def test_later_wins(self):
        merged = inikit.merge(Config({"a": 1, "s": {"b": 2, "c": 3}}), Config({"s": {"b": 5}}))
        self.assertEqual(merged.to_dict(), {"a": 1, "s": {"b": 5, "c": 3}})

    def test_environment(self):
        config = inikit.with_environment(Config({"server": {"port": 1}}), {"APP_SERVER__PORT": "80", "X": "1"}, "app")
        self.assertEqual(config["server.port"], 80)

    def test_difference(self):
        changes = difference(Config({"a": 1, "b": 2}), Config({"a": 1, "b": 3, "c": 4}))
        self.assertEqual(changes, {"b": (2, 3), "c": (None, 4)})


class SchemaTest(unittest.TestCase):
    schema = Schema(
        {
            "name": Field("str", required=True),
            "server.port": Field("int", default=80, minimum=1, maximum=65535),
            "server.mode": Field("str", default="fast", choices=("fast", "safe")),
            "hosts": Field("list", default=(), item_type="str"),
            "labels.*": Field("str"),
        }
    )

    def test_defaults(self):
        config = self.schema.apply(Config({"name": "x"}))
        self.assertEqual(config["server.port"], 80)
        self.assertEqual(config["hosts"], [])

    def test_all_problems_are_reported(self):
        bad = Config({"server": {"port": 70000, "mode": "slow"}, "hosts": ["a", 1], "zzz": 1})
        with self.assertRaises(SchemaError) as caught:
            self.schema.apply(bad)
        self.assertEqual(len(caught.exception.problems), 5)

    def test_limits_are_inclusive(self):
        self.schema.apply(Config({"name": "x", "server": {"port": 1}}))
        self.schema.apply(Config({"name": "x", "server": {"port": 65535}}))

    def test_wildcard(self):
        self.schema.apply(Config({"name": "x", "labels": {"team": "a"}}))


class WriterTest(unittest.TestCase):
    def test_round_trip(self):
        config = Config({"a": 1, "t": "x y", "q": "1", "s": {"l": [1, "a,b", None], "d": {"e": True}}})
        self.assertEqual(inikit.loads(inikit.dumps(config)), config)

    def test_wide_list(self):
        config = Config({"names": ["a" * 30, "b" * 30, "c" * 30]})
        text = inikit.dumps(config)
        self.assertEqual(len(text.splitlines()), 5)
        self.assertEqual(inikit.loads(text), config)

    def test_sorted(self):
        self.assertEqual(inikit.dumps(Config({"b": 1, "a": 2}), sort=True), "a = 2\nb = 1\n")


if __name__ == "__main__":
    unittest.main()
