"""A template of a shared config can neither hang nor fill the memory, and what a prompt needs stays possible."""

from __future__ import annotations

import time

import pytest

from runner.prompt.bounded import BAD_TEMPLATE, TooMuch, render

ENDLESS = {
    "range": "{% for i in range(10**12) %}x{% endfor %}",
    "nested loops": "{% for i in range(9999) %}{% for j in range(9999) %}{% endfor %}{% endfor %}",
    "loops over a text": "{% for a in x %}{% for b in x %}{% endfor %}{% endfor %}",
    "loops over a filter": "{% for i in x|map('upper') %}{% for j in x|map('upper') %}{% endfor %}{% endfor %}",
    "recursive loop": "{% for i in [1] recursive %}{{ loop([1, 2]) }}{% endfor %}",
    "macro": "{% macro f(n) %}{% if n %}{{ f(n-1) }}{{ f(n-1) }}{% endif %}{% endmacro %}{{ f(99) }}",
    "power": "{{ 2 ** (10 ** 9) }}",
    "product": "{{ 'a' * 10**10 }}",
    "width": "{{ 'a'|center(10**11) }}",
    "format": "{{ '{:>9999999999}'.format(1) }}",
    "format by argument": "{{ '{:>{}}'.format(1, 9999999999) }}",
    "percent": "{{ '%9999999999d' % 1 }}",
    "percent by argument": "{{ '%*d' % (9999999999, 1) }}",
    "replace": "{{ ('a' * 100000)|replace('a', 'b' * 100000) }}",
    "indent": "{{ ('a\n' * 100000)|indent(100000) }}",
    "doubling by ~": "{% set n = namespace(x='ab') %}{% for i in range(60) %}{% set n.x = n.x ~ n.x %}{% endfor %}",
    "doubling by +": "{% set n = namespace(x='ab') %}{% for i in range(60) %}{% set n.x = n.x + n.x %}{% endfor %}",
    "doubling by printing": "{% set n = namespace(x='ab') %}{% for i in range(60) %}{% set t %}{{ n.x }}{{ n.x }}"
    "{% endset %}{% set n.x = t %}{% endfor %}",
    "doubling by nesting": "{% set n = namespace(x=['ab']) %}{% for i in range(60) %}{% set n.x = [n.x, n.x] %}"
    "{% endfor %}{{ n.x }}",
}


@pytest.mark.parametrize("text", ENDLESS.values(), ids=ENDLESS.keys())
def test_endless_templates_end(text: str) -> None:
    before = time.process_time()
    with pytest.raises(TooMuch):
        render(text, {"x": "a" * 5000})
    assert time.process_time() - before < 5


@pytest.mark.parametrize("text", ["{{" + "(" * 3000 + "1" + ")" * 3000 + "}}", "{{ " + "9" * 5000 + " }}"])
def test_what_cannot_be_compiled_is_a_bad_template(text: str) -> None:
    with pytest.raises(BAD_TEMPLATE):
        render(text, {})


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("{% for i in ['a', 'b'] %}{{ loop.index }}/{{ loop.length }}{{ i }} {% endfor %}", "1/2a 2/2b "),
        ("{% for k, v in {'a': 1}.items() %}{{ k }}={{ v }}{% endfor %}", "a=1"),
        ("{% for i in range(3) if i %}{{ i }}{% else %}none{% endfor %}", "12"),
        ("{{ nothing|default('b') }} {{ x|length }} {{ x|truncate(30000)|length }}", "b 100000 30000"),
        ("{{ x|replace('a', 'bb')|length }}", "200000"),
        ("{{ 5000000|int }} {{ 'a' ~ 1 ~ ('b' ~ 'c') }} {{ 3 * 4 }} {{ '%s' % 5 }}", "5000000 a1bc 12 5"),
        ("{% macro m() %}<{{ caller() }}>{% endmacro %}{% call m() %}hi{% endcall %}", "<hi>"),
        ("{{ ['a', 'b']|join(', ') }} {{ 'a b'.split()|length }}", "a, b 2"),
    ],
)
def test_what_a_prompt_needs_stays(text: str, shown: str) -> None:
    assert render(text, {"x": "a" * 100_000}) == shown
