"""One policy for calls that fail: what is tried again, after how long, and with which key."""

from __future__ import annotations

import email.utils
import hashlib
import os
import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from runner.models.base import ModelError

T = TypeVar("T")

Verdict = Literal["again", "limited", "bad_key", "give_up"]
"""``again``: try again later (5xx, time-out, connection). ``limited``: so many requests for this key (429).
``bad_key``: this key will not work in this process (401, 403, exhausted quota). ``give_up``: nothing will help."""

INTERRUPT = threading.Event()
"""Set it, and every call that waits between two attempts ends at once."""


class Failure(Exception):
    """One failed attempt, classified. ``error`` is what the caller shall see if there is no further attempt."""

    def __init__(self, verdict: Verdict, error: ModelError, retry_after: float | None = None) -> None:
        super().__init__(str(error))
        self.verdict = verdict
        self.error = error
        self.retry_after = retry_after


class Keys:
    """Which keys rest or are dead: known to the whole process, by digest, never by value."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rest_until: dict[str, float] = {}
        self._dead: set[str] = set()

    def pick(self, names: Sequence[str]) -> tuple[str, float] | None:
        """The variable among ``names`` whose key is free first, and the seconds until then. None: all are dead."""
        now = time.monotonic()
        with self._lock:
            marks = {name: _mark(name) for name in names}
            alive = [name for name in names if marks[name] not in self._dead]
            if not alive:
                return None
            best = min(alive, key=lambda name: max(now, self._rest_until.get(marks[name], now)))
            return best, max(0.0, self._rest_until.get(marks[best], now) - now)

    def rest(self, name: str, seconds: float) -> None:
        """Leave the key of ``name`` alone for a while."""
        with self._lock:
            until = time.monotonic() + seconds
            self._rest_until[_mark(name)] = max(until, self._rest_until.get(_mark(name), until))

    def bury(self, name: str) -> None:
        """Never use the key of ``name`` again."""
        with self._lock:
            self._dead.add(_mark(name))


KEYS = Keys()


@dataclass(frozen=True, slots=True)
class Retry:
    """How often and how long.

    Attributes:
        retries: attempts after the first.
        max_wait: longest pause before an attempt, in seconds, whatever the provider asks for.
        first_wait: pause before the second attempt where the provider asks for none; it doubles each time.
    """

    retries: int
    max_wait: float
    first_wait: float = 1.0

    def call(self, attempt: Callable[[str | None], T], key_names: Sequence[str] = ()) -> tuple[T, int]:
        """``attempt(name of the key's variable, or None)`` until it succeeds; also the number of failed attempts.

        A key that is limited rests while the others go on. A bad key is dead for the process; trying the next
        one does not count as a retry.

        Raises:
            ModelError: of the last attempt, or because all keys are dead, or INTERRUPT was set.
        """
        failed = counted = 0
        wait = 0.0
        while True:
            picked = KEYS.pick(key_names) if key_names else None
            if key_names and picked is None:
                raise ModelError(
                    f"no usable key is left: {', '.join(key_names)} were refused by the provider"
                )
            name, rest = picked or (None, 0.0)
            if INTERRUPT.wait(min(max(wait, rest), self.max_wait)):
                raise ModelError("interrupted while waiting to try again")
            try:
                return attempt(name), failed
            except Failure as failure:
                last = failure
            failed += 1
            wait = 0.0
            if last.verdict == "bad_key" and name is not None:
                KEYS.bury(name)
                continue
            if last.verdict in ("give_up", "bad_key") or counted >= self.retries:
                raise last.error
            pause = self._pause(last, counted)
            counted += 1
            if last.verdict == "limited" and name is not None:
                KEYS.rest(name, pause)
            else:
                wait = pause

    def _pause(self, failure: Failure, counted: int) -> float:
        if failure.retry_after is not None:
            return min(failure.retry_after, self.max_wait)
        # Spread out, so that many episodes do not all come back at the same moment.
        pause: float = min(self.first_wait * 2.0**counted, self.max_wait)
        return pause * random.uniform(0.75, 1.0)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the response asks to wait (``retry-after-ms``; ``retry-after`` in seconds or as a date)."""
    lower = {key.lower(): value for key, value in headers.items()}
    try:
        if "retry-after-ms" in lower:
            return max(0.0, float(lower["retry-after-ms"]) / 1000)
        return max(0.0, float(lower["retry-after"]))
    except KeyError:
        return None
    except ValueError:
        pass  # no number: a date
    try:
        date = email.utils.parsedate_to_datetime(lower.get("retry-after", ""))
    except ValueError:
        return None  # neither: as good as not said
    return max(0.0, date.timestamp() - time.time())


def _mark(name: str) -> str:
    return hashlib.sha256(os.environ.get(name, "").encode()).hexdigest()
