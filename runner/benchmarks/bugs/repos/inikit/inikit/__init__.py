"""Typed, nested INI files: parse, look up, merge, check and write them."""

from .document import Config, load, loads
from .errors import (
    ConfigError,
    MissingOption,
    MissingSection,
    ParseError,
    ReferenceLoop,
    SchemaError,
    ValueTypeError,
)
from .merge import merge, with_environment
from .schema import Field, Schema
from .writer import dumps

__version__ = "2.1"

__all__ = [
    "Config",
    "ConfigError",
    "Field",
    "MissingOption",
    "MissingSection",
    "ParseError",
    "ReferenceLoop",
    "Schema",
    "SchemaError",
    "ValueTypeError",
    "dumps",
    "load",
    "loads",
    "merge",
    "with_environment",
]
