"""Where the time comes from."""

import time


class SystemClock:
    """Monotonic time of the machine, in seconds."""

    def now(self):
        return time.monotonic()

    def sleep(self, seconds):
        if seconds > 0:
            time.sleep(seconds)


class ManualClock:
    """Time that passes only when it is told to. ``slept`` records all calls of ``sleep``."""

    def __init__(self, start=0.0):
        self._now = float(start)
        self.slept = []

    def now(self):
        return self._now

    def advance(self, seconds):
        if seconds < 0:
            raise ValueError("time does not run backwards")
        self._now += seconds

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.advance(max(0, seconds))
