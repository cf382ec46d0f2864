"""Trying again."""

from dataclasses import dataclass
from functools import wraps

from .clock import SystemClock
from .errors import RetryError


@dataclass(frozen=True)
class Backoff:
    """How long to wait between attempts.

    The first wait is ``delay`` seconds, each one after that ``factor`` times as long, but never longer than ``limit``.
    ``jitter`` is a function that gets a wait and returns the one to use, so that many clients do not come back at the
    same moment.
    """

    delay: float = 0.1
    factor: float = 2.0
    limit: float | None = None
    jitter: object = None

    def __post_init__(self):
        if self.delay < 0:
            raise ValueError("delay must not be negative")
        if self.factor < 1:
            raise ValueError("factor must be at least 1")

    def wait(self, failures):
        """Seconds to wait after so many failures, from 1."""
        seconds = self.delay * self.factor ** (failures - 1)
        if self.limit is not None:
            seconds = min(seconds, self.limit)
        if self.jitter is not None:
            seconds = self.jitter(seconds)
        return seconds

    def waits(self, attempts):
        """All waits of a call with so many attempts: one less than there are attempts."""
        return [self.wait(number) for number in range(1, attempts)]

    def total(self, attempts):
        """The longest time that is spent waiting."""
        return sum(self.waits(attempts))


class Retrier:
    """Calls functions and tries again when they fail.

    An attempt fails by an exception of ``errors``, or by a result for which ``bad(result)`` is true. Other exceptions
    pass through at once, as do those of ``fatal`` even if they belong to ``errors``. ``deadline`` limits the whole in
    seconds: no wait is begun that would end after it.
    """

    def __init__(
        self,
        attempts=3,
        backoff=None,
        errors=(Exception,),
        fatal=(),
        bad=None,
        deadline=None,
        on_retry=None,
        clock=None,
    ):
        if attempts < 1:
            raise ValueError("attempts must be at least 1")
        self.attempts = attempts
        self.backoff = backoff or Backoff()
        self.errors = tuple(errors)
        self.fatal = tuple(fatal)
        self.bad = bad
        self.deadline = deadline
        self.on_retry = on_retry
        self.clock = clock or SystemClock()

    def call(self, function, *args, **kwargs):
        """The result of the first attempt that does not fail.

        Raises RetryError when all attempts failed or the deadline is reached; its cause is the last exception.
        """
        started = self.clock.now()
        failures = 0
        while True:
            error = None
            try:
                result = function(*args, **kwargs)
            except self.fatal:
                raise
            except self.errors as caught:
                error = caught
            else:
                if self.bad is None or not self.bad(result):
                    return result
                error = ValueError(f"bad result {result!r}")
            failures += 1
            if failures >= self.attempts:
                raise RetryError(failures, error) from error
            seconds = self.backoff.wait(failures)
            if self.deadline is not None:
                elapsed = self.clock.now() - started
                if elapsed + seconds > self.deadline:
                    raise RetryError(failures, error) from error
            if self.on_retry is not None:
                self.on_retry(failures, error, seconds)
            self.clock.sleep(seconds)


def retry(
    attempts=3,
    delay=0.1,
    factor=2.0,
    limit=None,
    errors=(Exception,),
    fatal=(),
    bad=None,
    deadline=None,
    jitter=None,
    on_retry=None,
    clock=None,
):
    """Decorator form of Retrier. The decorated function has ``retrier``."""
    backoff = Backoff(delay, factor, limit, jitter)
    retrier = Retrier(attempts, backoff, errors, fatal, bad, deadline, on_retry, clock)

    def decorate(function):
        @wraps(function)
        def wrapper(*args, **kwargs):
            return retrier.call(function, *args, **kwargs)

        wrapper.retrier = retrier
        return wrapper

    return decorate


def poll(function, ready=bool, interval=1.0, timeout=60.0, factor=1.0, clock=None):
    """Call ``function`` until ``ready(result)`` is true and return that result.

    Waits ``interval`` seconds between calls, each time ``factor`` times as long. Raises RetryError when ``timeout``
    seconds have passed; the last call is made exactly then.
    """
    clock = clock or SystemClock()
    started = clock.now()
    calls = 0
    while True:
        result = function()
        calls += 1
        if ready(result):
            return result
        left = timeout - (clock.now() - started)
        if left <= 0:
            raise RetryError(calls, TimeoutError(f"not ready after {timeout:g} s, last result {result!r}"))
        clock.sleep(min(interval, left))
        interval *= factor
