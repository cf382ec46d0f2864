import unittest
import uuid

from waypost import BuildError, MethodNotAllowed, NotFound, Pattern, PatternError, RedirectRequired, Router


class PatternTest(unittest.TestCase):
    def test_match(self):
        self.assertEqual(Pattern("/users/{id:int}").match("/users/42"), {"id": 42})
        self.assertIsNone(Pattern("/users/{id:int}").match("/users/x"))

    def test_uuid(self):
        text = "12345678-1234-5678-1234-567812345678"
        self.assertEqual(Pattern("/{id:uuid}").match("/" + text), {"id": uuid.UUID(text)})

    def test_errors(self):
        for text in ("users", "/{a}/{a}", "/{a:nope}", "/{a"):
            with self.assertRaises(PatternError):
                Pattern(text)

    def test_build(self):
        self.assertEqual(Pattern("/f/{p:path}").build({"p": "a/b c"}), "/f/a/b%20c")
        with self.assertRaises(BuildError):
            Pattern("/u/{id:int}").build({"id": "x"})


class RouterTest(unittest.TestCase):
    def setUp(self):
        self.router = Router()
        self.router.add("/", "home")
        self.router.add("/users/", "users", methods=["get", "post"])
        self.router.add("/users/{id:int}", "user", methods=["GET"])
        self.router.add("/files/{path:path}", "file")

    def test_match(self):
        self.assertEqual(self.router.match("/").name, "home")
        match = self.router.match("/users/7?x=1")
        self.assertEqual((match.name, match.params), ("user", {"id": 7}))
        self.assertEqual(self.router.match("/files/a%20b/c").params, {"path": "a b/c"})

    def test_not_found(self):
        with self.assertRaises(NotFound):
            self.router.match("/nope")

    def test_methods(self):
        with self.assertRaises(MethodNotAllowed) as caught:
            self.router.match("/users/7", "DELETE")
        self.assertEqual(caught.exception.allowed, ["GET", "HEAD"])
        self.assertEqual(self.router.allowed_methods("/users/"), ["GET", "HEAD", "POST"])

    def test_redirect(self):
        with self.assertRaises(RedirectRequired) as caught:
            self.router.match("/users?a=1")
        self.assertEqual(caught.exception.location, "/users/?a=1")

    def test_build(self):
        self.assertEqual(self.router.build("user", id=7, tab="x"), "/users/7?tab=x")
        with self.assertRaises(BuildError):
            self.router.build("user")

    def test_static_wins(self):
        self.router.add("/users/{name}", "by_name")
        self.router.add("/users/me", "me")
        self.assertEqual(self.router.match("/users/me").name, "me")

    def test_mount(self):
        api = Router()
        api.add("/ping", "ping")
        self.router.mount("/api/", api, "api")
        self.assertEqual(self.router.match("/api/ping").name, "api.ping")

    def test_decorator(self):
        @self.router.route("/hello/{name}")
        def hello(name):
            return name

        self.assertIs(self.router.match("/hello/x").target, hello)


if __name__ == "__main__":
    unittest.main()
