import unittest

from waypost import best_match, parse_accept


class AcceptTest(unittest.TestCase):
    def test_order(self):
        ranges = parse_accept("text/*;q=0.5, */*;q=0.1, text/html")
        self.assertEqual([(r.type, r.subtype) for r in ranges], [("text", "html"), ("text", "*"), ("*", "*")])

    def test_best(self):
        offers = ["application/json", "text/html"]
        self.assertEqual(best_match(offers, "text/html, application/json;q=0.9"), "text/html")
        self.assertEqual(best_match(offers, None), "application/json")
        self.assertIsNone(best_match(offers, "image/png"))

    def test_malformed(self):
        self.assertEqual(parse_accept("nonsense, text/html;q=x"), [])


if __name__ == "__main__":
    unittest.main()
