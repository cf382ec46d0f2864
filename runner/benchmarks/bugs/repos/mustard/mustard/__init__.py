"""A small text template engine."""

from .environment import Environment, Template
from .errors import MustardError, RenderError, TemplateNotFound, TemplateSyntaxError, UndefinedError
from .filters import Markup, escape

__version__ = "1.6.0"

__all__ = [
    "Environment",
    "Markup",
    "MustardError",
    "RenderError",
    "Template",
    "TemplateNotFound",
    "TemplateSyntaxError",
    "UndefinedError",
    "escape",
]
