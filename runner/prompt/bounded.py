"""Jinja2's sandbox, with an end: a template of a shared config may neither hang nor fill the memory.

Jinja2's own sandbox bounds ``range`` only. Here every loop, call, filter, ``*``, ``**``, ``+``, ``~`` and ``{{ }}`` of
one rendering counts, so that the same template is refused on every machine, however fast. (A clock would not do: what
renders in time here may not elsewhere.)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from jinja2 import Environment, StrictUndefined, Template, TemplateError, nodes
from jinja2.nodes import EvalContext
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

STEPS = 100_000
"""Rounds of loops and calls in one rendering."""
CHARS = 10_000_000
"""Characters that one rendering may print, or one expression may make. (An observation has 100,000.)"""
NUMBER = 100_000
"""The largest number that a filter or function is given: a width, a count."""
BITS = 10_000
"""Of a whole number that an expression makes."""


class TooMuch(TemplateError):
    """A template asks for more than a prompt needs."""


@dataclass
class _Used:
    steps: int = 0
    chars: int = 0


_used: ContextVar[_Used | None] = ContextVar("used", default=None)  # None while a template is compiled


@cache
def template(text: str) -> Template:
    """``text`` compiled.

    Raises:
        jinja2.TemplateError: it is no template. What else an expression can raise: :data:`BAD_TEMPLATE`.
    """
    return ENVIRONMENT.from_string(text)


def render(text: str, values: Mapping[str, Any]) -> str:
    """``text`` rendered with ``values``.

    Raises:
        jinja2.TemplateError: an undefined name, something that the sandbox forbids, or more work than any prompt
            needs (:class:`TooMuch`). What else an expression can raise: :data:`BAD_TEMPLATE`.
    """
    compiled = template(text)
    token = _used.set(_Used())
    try:
        return compiled.render(values)
    finally:
        _used.reset(token)


BAD_TEMPLATE = (
    TemplateError,
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What a template can raise while it is compiled or renders."""


def _step() -> None:
    if used := _used.get():
        used.steps += 1
        if used.steps > STEPS:
            raise TooMuch(f"more than {STEPS:,} rounds of loops and calls")


def _items(items: Iterable[Any]) -> Iterable[Any]:
    """What a loop goes through, counted; what has a length keeps it (``loop.length``, ``loop.last``)."""
    if isinstance(items, Sized):
        if (used := _used.get()) and used.steps + len(items) > STEPS:
            raise TooMuch(f"more than {STEPS:,} rounds of loops and calls")
        items = list(items)
        if used:
            used.steps += len(items)
        return items
    return _counted(items)


def _counted(items: Iterable[Any]) -> Iterator[Any]:
    for item in items:
        _step()
        yield item


def _joined(*parts: Any) -> str:
    texts = [str(part) for part in parts]
    _check_chars(sum(map(len, texts)))
    return "".join(texts)


def _printed(value: Any) -> Any:
    """The text of a ``{{ }}``."""
    _weight(value)
    text = value if isinstance(value, str) else str(value)
    if used := _used.get():
        used.chars += len(text)
        _check_chars(used.chars)
    return text


def _check_chars(count: int) -> None:
    if count > CHARS:
        raise TooMuch(f"more than {CHARS:,} characters")


def _weight(value: Any) -> int:
    """Characters and items in ``value``: a list of two lists of two lists … is small, but not when it is printed."""
    if isinstance(value, str):
        return len(value)
    weight, waiting = 0, [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            weight += len(item)
        elif isinstance(item, dict):
            waiting += [*item.keys(), *item.values()]
        elif isinstance(item, list | tuple):
            waiting += item
        weight += 1
        _check_chars(weight)
    return weight


MULTIPLYING = frozenset({"indent", "do_indent", "expandtabs"})
"""Functions that put a number of characters into many places."""


def _check_call(name: str, target: Any, arguments: Sequence[Any]) -> None:
    """Before a function or filter runs: its work and its result grow at most with the product of what it is given."""
    product = max(1, _weight(target))
    for value in arguments:
        if isinstance(value, int | float):
            if abs(value) > NUMBER:
                raise TooMuch(f"a number above {NUMBER:,}")
            product *= max(1, int(value)) if name in MULTIPLYING else 1
        else:
            product *= max(1, _weight(value))
    for value in (target, *arguments):
        _check_format(value)
    if product > CHARS * 100:
        raise TooMuch("arguments that are too large together")


_WIDTH = re.compile(r"[%:.<>^=+ #-]\d{6,}")


def _check_format(value: Any) -> None:
    """``'%9999999999d'`` and ``'{:>9999999999}'`` ask for that many characters."""
    if isinstance(value, str) and ("%" in value or "{" in value) and _WIDTH.search(value):
        raise TooMuch(f"a width above {NUMBER:,}")


def _check_operation(operator: str, left: Any, right: Any) -> None:
    if operator == "%":
        _check_format(left)
        if isinstance(left, str) and "*" in left:
            _check_call("%", left, right if isinstance(right, tuple) else [right])
    elif isinstance(left, int) and isinstance(right, int):
        bits = (
            max(1, left.bit_length()) * abs(right)
            if operator == "**"
            else left.bit_length() + right.bit_length()
        )
        if bits > BITS:
            raise TooMuch("a number that is too large")
    elif operator == "*":
        _check_chars(_size(left) * _size(right))
    elif operator == "+":
        _check_chars(_size(left) + _size(right))


def _size(value: Any) -> int:
    return len(value) if isinstance(value, str | list | tuple) else value if isinstance(value, int) else 1


def _bounded(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A filter that counts as a call."""

    def bounded(*args: Any, **kwargs: Any) -> Any:
        _step()
        given = [a for a in args if not isinstance(a, Context | EvalContext | Environment)]
        _check_call(name, given[0] if given else None, [*given[1:], *kwargs.values()])
        return function(*args, **kwargs)

    # How Jinja2 knows that a filter wants the context or the environment.
    vars(bounded).update(getattr(function, "__dict__", {}))
    return bounded


class Bounded(ImmutableSandboxedEnvironment):
    """The environment of all our templates."""

    intercepted_binops = frozenset({"*", "**", "+", "%"})
    _items = staticmethod(_items)
    _joined = staticmethod(_joined)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        """The syntax tree, in which every loop takes its items, and every ``~`` its text, through us."""
        tree = super()._parse(source, name, filename)
        for loop in tree.find_all(nodes.For):
            if loop.recursive:
                raise TooMuch("recursive loops are not allowed")
            loop.iter = _call("_items", [cast(nodes.Expr, loop.iter)], loop.lineno)
        for parent in list(tree.find_all(nodes.Node)):
            for field, child in list(parent.iter_fields()):
                if isinstance(child, nodes.Concat):
                    setattr(parent, field, _call("_joined", child.nodes, child.lineno))
                elif isinstance(child, list):
                    child[:] = [
                        _call("_joined", item.nodes, item.lineno) if isinstance(item, nodes.Concat) else item
                        for item in child
                    ]
        return tree

    def call(self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        if __obj in (_items, _joined):
            return __obj(*args)
        _step()
        name = getattr(__obj, "__name__", "")
        _check_call(
            name, getattr(getattr(__obj, "__wrapped__", __obj), "__self__", None), [*args, *kwargs.values()]
        )
        return super().call(__context, __obj, *args, **kwargs)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        _check_operation(operator, left, right)
        return super().call_binop(context, operator, left, right)


def _call(name: str, arguments: list[nodes.Expr], line: int) -> nodes.Call:
    """A call of ours, which no ``{% set %}`` can replace."""
    return nodes.Call(nodes.EnvironmentAttribute(name, lineno=line), arguments, [], None, None, lineno=line)


ENVIRONMENT = Bounded(
    undefined=StrictUndefined,
    keep_trailing_newline=True,
    trim_blocks=True,
    lstrip_blocks=True,
    autoescape=False,
    finalize=_printed,
)
ENVIRONMENT.filters = {name: _bounded(name, function) for name, function in ENVIRONMENT.filters.items()}
del ENVIRONMENT.globals["lipsum"]  # chapters of it are one call
