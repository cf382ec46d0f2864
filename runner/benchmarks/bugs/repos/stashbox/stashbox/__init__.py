"""Caches, memoizing, retries and circuit breakers."""

from .breaker import BreakerOpen, CircuitBreaker
from .cache import Cache, Stats
from .clock import ManualClock, SystemClock
from .errors import RetryError, StashError, StoreError
from .keys import make_key
from .memo import memoize
from .policy import make_policy
from .retry import Backoff, poll, retry
from .store import dump, load

__version__ = "2.3.0"

__all__ = [
    "Backoff",
    "BreakerOpen",
    "Cache",
    "CircuitBreaker",
    "ManualClock",
    "RetryError",
    "StashError",
    "Stats",
    "StoreError",
    "SystemClock",
    "dump",
    "load",
    "make_key",
    "make_policy",
    "memoize",
    "poll",
    "retry",
]
