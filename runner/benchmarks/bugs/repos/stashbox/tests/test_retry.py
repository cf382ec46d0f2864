import unittest

from stashbox import Backoff, BreakerOpen, CircuitBreaker, ManualClock, RetryError, poll, retry


class Flaky:
    """Fails ``failures`` times, then returns "ok"."""

    def __init__(self, failures, error=ConnectionError):
        self.failures = failures
        self.error = error
        self.calls = 0

    def __call__(self):
        self.calls += 1
        if self.calls <= self.failures:
            raise self.error("down")
        return "ok"


class RetryTest(unittest.TestCase):
    def setUp(self):
        self.clock = ManualClock()

    def call(self, function, **options):
        return retry(clock=self.clock, **options)(lambda: function())()

    def test_success_after_failures(self):
        self.assertEqual(self.call(Flaky(2)), "ok")
        self.assertEqual(self.clock.slept, [0.1, 0.2])

    def test_giving_up(self):
        flaky = Flaky(10)
        with self.assertRaises(RetryError) as caught:
            self.call(flaky, attempts=4)
        self.assertEqual(caught.exception.attempts, 4)
        self.assertEqual(flaky.calls, 4)
        self.assertIsInstance(caught.exception.__cause__, ConnectionError)

    def test_other_errors_pass(self):
        flaky = Flaky(1, ValueError)
        with self.assertRaises(ValueError):
            self.call(flaky, errors=(ConnectionError,))
        self.assertEqual(flaky.calls, 1)

    def test_deadline(self):
        flaky = Flaky(10)
        with self.assertRaises(RetryError):
            self.call(flaky, attempts=10, delay=1, deadline=4)
        self.assertEqual(self.clock.slept, [1, 2])

    def test_bad_results(self):
        results = iter([None, 5])
        self.assertEqual(self.call(lambda: next(results), bad=lambda result: result is None), 5)

    def test_poll(self):
        results = iter([0, 0, 3])
        self.assertEqual(poll(lambda: next(results), interval=2, clock=self.clock), 3)
        self.assertEqual(self.clock.slept, [2, 2])
        with self.assertRaises(RetryError):
            poll(lambda: 0, interval=2, timeout=5, clock=self.clock)
        self.assertEqual(self.clock.slept[2:], [2, 2, 1])

    def test_backoff(self):
        self.assertEqual(Backoff(1, 3).waits(4), [1, 3, 9])
        self.assertEqual(Backoff(1, 2).total(3), 3)


class BreakerTest(unittest.TestCase):
    def setUp(self):
        self.clock = ManualClock()
        self.breaker = CircuitBreaker(threshold=2, cooldown=10, clock=self.clock)

    def fail(self, times=1):
        for _ in range(times):
            with self.assertRaises(ConnectionError):
                self.breaker.call(Flaky(1))

    def test_opens(self):
        self.fail(2)
        self.assertEqual(self.breaker.state, "open")
        with self.assertRaises(BreakerOpen) as caught:
            self.breaker.call(Flaky(0))
        self.assertEqual(caught.exception.retry_after, 10)

    def test_closes_after_a_success(self):
        self.fail(2)
        self.clock.advance(10)
        self.assertEqual(self.breaker.state, "half-open")
        self.breaker.call(Flaky(0))
        self.assertEqual(self.breaker.state, "closed")

    def test_opens_again(self):
        self.fail(2)
        self.clock.advance(11)
        self.fail()
        self.assertEqual(self.breaker.state, "open")


if __name__ == "__main__":
    unittest.main()
