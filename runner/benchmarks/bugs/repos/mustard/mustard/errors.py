"""Exceptions of mustard."""


class MustardError(Exception):
    """Base class."""


class TemplateSyntaxError(MustardError):
    """A template cannot be parsed. ``line`` counts from 1."""

    def __init__(self, message, line, name="<template>"):
        super().__init__(f"{name}:{line}: {message}")
        self.message = message
        self.line = line
        self.name = name


class TemplateNotFound(MustardError, LookupError):
    """There is no template of this name."""


class UndefinedError(MustardError):
    """A name that does not exist was used in strict mode."""


class RenderError(MustardError):
    """An operation failed while rendering, such as dividing by zero."""
