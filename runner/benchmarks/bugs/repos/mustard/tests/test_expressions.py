import unittest

from mustard import Environment, RenderError, TemplateSyntaxError, UndefinedError
from mustard.context import Context, Undefined
from mustard.expressions import parse_expression

ENV = Environment()


def evaluate(source, strict=False, **variables):
    return parse_expression(source, ENV).evaluate(Context(variables, strict), ENV)


class ExpressionTest(unittest.TestCase):
    def test_literals(self):
        self.assertEqual(evaluate("1"), 1)
        self.assertEqual(evaluate("1.5"), 1.5)
        self.assertEqual(evaluate(r'"a\"b\n"'), 'a"b\n')
        self.assertEqual(evaluate("[1, 'x', none]"), [1, "x", None])

    def test_precedence(self):
        self.assertEqual(evaluate("1 + 2 * 3"), 7)
        self.assertEqual(evaluate("(1 + 2) * 3"), 9)
        self.assertEqual(evaluate("-2 * 3 + 1"), -5)
        self.assertIs(evaluate("not 1 == 2"), True)

    def test_access(self):
        self.assertEqual(evaluate("a.b[0]", a={"b": [5]}), 5)
        self.assertEqual(evaluate("a['b'].real", a={"b": 7}), 7)

    def test_private_attributes_are_hidden(self):
        self.assertIsInstance(evaluate("a.__class__", a=1), Undefined)

    def test_comparison(self):
        self.assertIs(evaluate("1 < 2 <= 2"), True)
        self.assertIs(evaluate("3 in [1, 2]"), False)
        self.assertIs(evaluate("3 not in [1, 2]"), True)

    def test_conditional(self):
        self.assertEqual(evaluate("'a' if x else 'b'", x=0), "b")
        self.assertEqual(evaluate("'a' if x", x=0), "")

    def test_join(self):
        self.assertEqual(evaluate("'a' ~ 1 + 1"), "a2")

    def test_undefined(self):
        self.assertEqual(str(evaluate("x.y.z")), "")
        with self.assertRaises(UndefinedError):
            evaluate("x", strict=True)
        self.assertEqual(evaluate("x|default(3)", strict=True), 3)

    def test_errors(self):
        for source in ("1 +", "a b", "(1", "x|nope", "$"):
            with self.assertRaises(TemplateSyntaxError):
                evaluate(source)
        with self.assertRaises(RenderError):
            evaluate("1 / 0")

    def test_call(self):
        self.assertEqual(evaluate("f(1, 2 + 3)", f=lambda a, b: a * b), 5)


if __name__ == "__main__":
    unittest.main()
