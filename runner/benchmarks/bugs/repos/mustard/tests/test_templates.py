import unittest

from mustard import Environment, TemplateNotFound, TemplateSyntaxError


def render(source, **variables):
    return Environment().from_string(source).render(variables)


class TagTest(unittest.TestCase):
    def test_output(self):
        self.assertEqual(render("Hi {{ name }}!", name="Ada"), "Hi Ada!")
        self.assertEqual(render("{{ none }}{{ nothing }}"), "")

    def test_if(self):
        source = "{% if x > 1 %}many{% elif x == 1 %}one{% else %}none{% endif %}"
        self.assertEqual([render(source, x=x) for x in (2, 1, 0)], ["many", "one", "none"])

    def test_for(self):
        self.assertEqual(render("{% for x in xs %}{{ loop.index }}{{ x }}{% endfor %}", xs="ab"), "1a2b")
        self.assertEqual(render("{% for x in xs %}x{% else %}empty{% endfor %}", xs=[]), "empty")

    def test_unpacking(self):
        self.assertEqual(render("{% for k, v in xs %}{{ k }}={{ v }};{% endfor %}", xs=[("a", 1)]), "a=1;")

    def test_loop_variables_end_with_the_loop(self):
        self.assertEqual(render("{% for x in [1] %}{% endfor %}{{ x }}", x=5), "5")

    def test_set(self):
        self.assertEqual(render("{% set a = 1 + 1 %}{{ a }}"), "2")

    def test_comment_and_white_space(self):
        self.assertEqual(render("a  {#- {{ x }} -#}  b"), "ab")
        self.assertEqual(render("a {%- if 1 -%} b {% endif %}"), "ab ")

    def test_quotes_hide_delimiters(self):
        self.assertEqual(render("{{ '}}' }}"), "}}")


class ErrorTest(unittest.TestCase):
    def check(self, source, line):
        with self.assertRaises(TemplateSyntaxError) as caught:
            render(source)
        self.assertEqual(caught.exception.line, line)

    def test_lines(self):
        self.check("\n{{ a", 2)
        self.check("a\n\n{% if x %}\n", 3)
        self.check("{% endif %}", 1)
        self.check("a\n{% nope %}", 2)


class InheritanceTest(unittest.TestCase):
    def test_blocks(self):
        env = Environment(
            {
                "base": "<{% block title %}base{% endblock %}|{% block body %}{% endblock %}>",
                "page": "{% extends 'base' %}{% block body %}page{% endblock %}",
                "sub": "{% extends 'page' %}{% block title %}{{ super() }}+{% endblock %}",
            }
        )
        self.assertEqual(env.render("page"), "<base|page>")
        self.assertEqual(env.render("sub"), "<base+|page>")

    def test_include(self):
        env = Environment({"a": "[{% include 'b' %}]", "b": "{{ x }}", "c": "{% include 'no' ignore missing %}"})
        self.assertEqual(env.render("a", x=1), "[1]")
        self.assertEqual(env.render("c"), "")
        with self.assertRaises(TemplateNotFound):
            env.render("no")


if __name__ == "__main__":
    unittest.main()
