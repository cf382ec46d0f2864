"""URLs and routes, without a web framework around them."""

from .errors import BuildError, MethodNotAllowed, NotFound, PatternError, RedirectRequired, UrlError, WaypostError
from .negotiate import best_match, parse_accept
from .pattern import Pattern, register_converter
from .percent import decode, encode
from .query import Query
from .router import Match, Route, Router
from .url import Url

__version__ = "4.2.0"

__all__ = [
    "BuildError",
    "Match",
    "MethodNotAllowed",
    "NotFound",
    "Pattern",
    "PatternError",
    "Query",
    "RedirectRequired",
    "Route",
    "Router",
    "Url",
    "UrlError",
    "WaypostError",
    "best_match",
    "decode",
    "encode",
    "parse_accept",
    "register_converter",
]
