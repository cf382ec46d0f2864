import unittest

from stashbox import Cache, ManualClock


class CacheTest(unittest.TestCase):
    def setUp(self):
        self.clock = ManualClock()

    def cache(self, **options):
        return Cache(clock=self.clock, **options)

    def test_get_and_set(self):
        cache = self.cache()
        cache.set("a", 1)
        self.assertEqual(cache.get("a"), 1)
        self.assertEqual(cache.get("b", 2), 2)
        self.assertEqual((cache.stats.hits, cache.stats.misses), (1, 1))
        self.assertEqual(cache.stats.hit_rate, 0.5)

    def test_ttl(self):
        cache = self.cache(ttl=10)
        cache.set("a", 1)
        self.clock.advance(9)
        self.assertIn("a", cache)
        self.clock.advance(2)
        self.assertNotIn("a", cache)
        self.assertEqual(cache.stats.expirations, 1)

    def test_own_ttl(self):
        cache = self.cache(ttl=10)
        cache.set("a", 1, ttl=None)
        cache.set("b", 1, ttl=100)
        self.clock.advance(50)
        self.assertEqual(cache.keys(), ["a", "b"])
        self.assertEqual(cache.ttl_of("b"), 50)

    def test_lru(self):
        cache = self.cache(max_size=2)
        cache.set("a", 1)
        cache.set("b", 2)
        cache.get("a")
        cache.set("c", 3)
        self.assertEqual(sorted(cache.keys()), ["a", "c"])

    def test_fifo(self):
        cache = self.cache(max_size=2, policy="fifo")
        cache.set_many({"a": 1, "b": 2})
        cache.get("a")
        cache.set("c", 3)
        self.assertEqual(cache.keys(), ["b", "c"])

    def test_on_evict(self):
        gone = []
        cache = self.cache(max_size=1, on_evict=lambda key, value: gone.append((key, value)))
        cache.set("a", 1)
        cache.set("b", 2)
        self.assertEqual(gone, [("a", 1)])

    def test_get_or_set(self):
        cache = self.cache()
        self.assertEqual(cache.get_or_set("a", lambda: 5), 5)
        self.assertEqual(cache.get_or_set("a", lambda: 6), 5)

    def test_tags(self):
        cache = self.cache()
        cache.set("a", 1, tags=["x", "y"])
        cache.set("b", 2, tags=["x"])
        cache.set("c", 3)
        self.assertEqual(cache.invalidate_tag("x"), 2)
        self.assertEqual(cache.keys(), ["c"])

    def test_pop_and_delete(self):
        cache = self.cache()
        cache.set("a", 1)
        self.assertEqual(cache.pop("a"), 1)
        self.assertFalse(cache.delete("a"))

    def test_bad_options(self):
        with self.assertRaises(ValueError):
            self.cache(max_size=0)
        with self.assertRaises(ValueError):
            self.cache(policy="random")


if __name__ == "__main__":
    unittest.main()
