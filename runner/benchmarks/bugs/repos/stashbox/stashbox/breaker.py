"""Not trying, for a while, what keeps failing."""

from functools import wraps

from .clock import SystemClock
from .errors import StashError

CLOSED = "closed"
OPEN = "open"
HALF_OPEN = "half-open"


class BreakerOpen(StashError):
    """The call was not made. ``retry_after`` is the number of seconds until one will be."""

    def __init__(self, retry_after):
        super().__init__(f"circuit is open, try again in {retry_after:g} s")
        self.retry_after = retry_after


class CircuitBreaker:
    """Opens after ``threshold`` failures in a row, and lets calls through again after ``cooldown`` seconds.

    Then it is half open: ``probes`` calls must succeed to close it, and one failure opens it for another cooldown.
    """

    def __init__(self, threshold=5, cooldown=30.0, probes=1, errors=(Exception,), clock=None):
        if threshold < 1 or probes < 1:
            raise ValueError("threshold and probes must be at least 1")
        self.threshold = threshold
        self.cooldown = cooldown
        self.probes = probes
        self.errors = tuple(errors)
        self.clock = clock or SystemClock()
        self._failures = 0
        self._successes = 0
        self._opened = None

    @property
    def state(self):
        if self._opened is None:
            return CLOSED
        if self.clock.now() - self._opened >= self.cooldown:
            return HALF_OPEN
        return OPEN

    def _open(self):
        self._opened = self.clock.now()
        self._successes = 0

    def reset(self):
        """Close it and forget all failures."""
        self._failures = 0
        self._successes = 0
        self._opened = None

    def record_success(self):
        if self.state == HALF_OPEN:
            self._successes += 1
            if self._successes < self.probes:
                return
        self.reset()

    def record_failure(self):
        self._failures += 1
        if self.state == HALF_OPEN or self._failures >= self.threshold:
            self._open()

    def call(self, function, *args, **kwargs):
        """Call ``function`` unless the circuit is open; then raise BreakerOpen."""
        if self.state == OPEN:
            raise BreakerOpen(self._opened + self.cooldown - self.clock.now())
        try:
            result = function(*args, **kwargs)
        except self.errors:
            self.record_failure()
            raise
        self.record_success()
        return result

    def __call__(self, function):
        """Use as a decorator."""

        @wraps(function)
        def wrapper(*args, **kwargs):
            return self.call(function, *args, **kwargs)

        wrapper.breaker = self
        return wrapper
