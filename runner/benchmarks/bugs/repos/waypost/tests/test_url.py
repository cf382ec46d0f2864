import unittest

from waypost import Query, Url, UrlError, decode, encode
from waypost.url import remove_dots


class PercentTest(unittest.TestCase):
    def test_encode(self):
        self.assertEqual(encode("a b/ü"), "a%20b%2F%C3%BC")
        self.assertEqual(encode("a/b", "/"), "a/b")

    def test_decode(self):
        self.assertEqual(decode("a%20b%2f%C3%BC"), "a b/ü")
        self.assertEqual(decode("100%"), "100%")


class QueryTest(unittest.TestCase):
    def test_parse(self):
        query = Query.parse("?a=1&b=x+y&a=2&c")
        self.assertEqual(query.all("a"), ["1", "2"])
        self.assertEqual(query.get("b"), "x y")
        self.assertEqual(query.get("c"), "")
        self.assertEqual(query.names(), ["a", "b", "c"])

    def test_typed(self):
        query = Query.parse("page=2&size=x")
        self.assertEqual(query.get("page", 1, int), 2)
        self.assertEqual(query.get("size", 10, int), 10)

    def test_change(self):
        query = Query.parse("a=1&b=2&a=3")
        self.assertEqual(str(query.with_(a=5, c=True)), "a=5&b=2&c=true")
        self.assertEqual(str(query.with_(b=None)), "a=1&a=3")
        self.assertEqual(str(query.without("a")), "b=2")

    def test_quoting(self):
        self.assertEqual(str(Query({"q": "a&b =c"})), "q=a%26b+%3Dc")


class UrlTest(unittest.TestCase):
    def test_parts(self):
        url = Url.parse("HTTP://me:secret@Example.ORG:8080/a/b?x=1#top")
        self.assertEqual((url.scheme, url.host, url.port, url.path), ("http", "example.org", 8080, "/a/b"))
        self.assertEqual((url.user, url.password, url.fragment), ("me", "secret", "top"))
        self.assertEqual(url.text, "http://me:secret@example.org:8080/a/b?x=1#top")

    def test_bad_port(self):
        with self.assertRaises(UrlError):
            Url.parse("http://a:99999/")

    def test_dots(self):
        self.assertEqual(remove_dots("/a/b/../c/./d"), "/a/c/d")
        self.assertEqual(remove_dots("/a/b/.."), "/a/")

    def test_join(self):
        base = Url.parse("http://a/b/c/d?q")
        self.assertEqual(base.join("g").text, "http://a/b/c/g")
        self.assertEqual(base.join("../g").text, "http://a/b/g")
        self.assertEqual(base.join("/g").text, "http://a/g")
        self.assertEqual(base.join("?y=1").text, "http://a/b/c/d?y=1")
        self.assertEqual(base.join("//g").text, "http://g")

    def test_normalize(self):
        self.assertEqual(Url.parse("http://a:80/%7eb/../c").normalize().text, "http://a/c")
        self.assertEqual(Url.parse("https://a").normalize().text, "https://a/")

    def test_relative(self):
        base = Url.parse("http://a/b/c/d")
        self.assertEqual(Url.parse("http://a/b/x").relative_to(base).text, "../x")
        self.assertEqual(Url.parse("http://a/b/c/y/z").relative_to(base).text, "y/z")

    def test_child(self):
        self.assertEqual(Url.parse("http://a/b/").child("c d", "e/f").text, "http://a/b/c%20d/e%2Ff")


if __name__ == "__main__":
    unittest.main()
