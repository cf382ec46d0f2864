import os
import tempfile
import unittest

from stashbox import Cache, ManualClock, StoreError, dump, load, memoize
from stashbox.keys import freeze


class MemoTest(unittest.TestCase):
    def setUp(self):
        self.calls = []

    def test_same_arguments(self):
        @memoize
        def add(a, b=2):
            self.calls.append((a, b))
            return a + b

        self.assertEqual([add(1), add(1, 2), add(b=2, a=1), add(2)], [3, 3, 3, 4])
        self.assertEqual(self.calls, [(1, 2), (2, 2)])

    def test_ignore(self):
        @memoize(ignore=("log",))
        def twice(a, log=None):
            self.calls.append(a)
            return 2 * a

        twice(1, log="x")
        twice(1, log="y")
        self.assertEqual(self.calls, [1])

    def test_lists_are_fine(self):
        @memoize
        def total(numbers):
            self.calls.append(numbers)
            return sum(numbers)

        self.assertEqual(total([1, 2]) + total([1, 2]), 6)
        self.assertEqual(len(self.calls), 1)

    def test_invalidate(self):
        @memoize
        def one():
            self.calls.append(1)
            return 1

        one()
        one.invalidate()
        one()
        self.assertEqual(len(self.calls), 2)

    def test_errors(self):
        @memoize(errors=(KeyError,))
        def fail():
            self.calls.append(1)
            raise KeyError("x")

        for _ in range(2):
            with self.assertRaises(KeyError):
                fail()
        self.assertEqual(len(self.calls), 1)

    def test_freeze(self):
        self.assertEqual(freeze({"a": [1], "b": {2}}), freeze({"b": {2}, "a": [1]}))
        self.assertNotEqual(freeze([1]), freeze((1,)))


class StoreTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "cache.json")

    def test_round_trip(self):
        cache = Cache(clock=ManualClock(100))
        cache.set("a", [1, 2])
        cache.set(("b", 1), "x")
        self.assertEqual(dump(cache, self.path), 2)
        again = load(self.path, clock=ManualClock())
        self.assertEqual(again.get("a"), [1, 2])
        self.assertEqual(again.get(("b", 1)), "x")

    def test_missing_file(self):
        self.assertEqual(len(load(self.path)), 0)

    def test_bad_value(self):
        cache = Cache()
        cache.set("a", object())
        with self.assertRaises(StoreError):
            dump(cache, self.path)


if __name__ == "__main__":
    unittest.main()
