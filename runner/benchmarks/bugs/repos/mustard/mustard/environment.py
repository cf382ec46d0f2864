"""Environments hold templates, filters and settings."""

from .context import Context
from .errors import MustardError, TemplateNotFound
from .filters import FILTERS
from .parser import Parser

MAX_DEPTH = 20


class Template:
    """A parsed template."""

    def __init__(self, source, env, name="<template>"):
        parser = Parser(source, env, name)
        self.env = env
        self.name = name
        self.body = parser.parse()
        self.parent = parser.parent
        self.blocks = parser.blocks

    def render(self, variables=None, **more):
        """The text of the template. Keyword arguments win over ``variables``."""
        context = Context({**(variables or {}), **more}, self.env.strict, self.env.functions)
        blocks = {}
        template = self
        for _ in range(MAX_DEPTH):
            for name, block in template.blocks.items():
                blocks.setdefault(name, []).append(block.body)
            if template.parent is None:
                break
            template = self.env.get(template.parent.evaluate(context, self.env))
        else:
            raise MustardError(f"{self.name} extends more than {MAX_DEPTH} templates")
        context.set("__blocks__", blocks)
        out = []
        template.body.render(context, self.env, out)
        return "".join(out)


class Environment:
    """Settings that templates share.

    ``templates`` maps names to sources. ``strict`` makes undefined names an error. ``filters`` and ``functions`` add
    to what templates can use.
    """

    def __init__(self, templates=None, autoescape=True, strict=False, filters=None, functions=None):
        self.sources = dict(templates or {})
        self.autoescape = autoescape
        self.strict = strict
        self.filters = {**FILTERS, **(filters or {})}
        self.functions = {"range": range, **(functions or {})}
        self._cache = {}

    def add(self, name, source):
        """Add or replace a template."""
        self.sources[name] = source
        self._cache.pop(name, None)

    def has(self, name):
        return name in self.sources

    def get(self, name):
        """The template of this name, parsed once. Raises TemplateNotFound."""
        if name not in self._cache:
            if name not in self.sources:
                raise TemplateNotFound(f"no template {name!r}")
            self._cache[name] = Template(self.sources[name], self, name)
        return self._cache[name]

    def from_string(self, source):
        """A template without a name."""
        return Template(source, self)

    def render(self, name, variables=None, **more):
        return self.get(name).render(variables, **more)
