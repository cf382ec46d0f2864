import unittest
from datetime import datetime, timedelta

from cronlet import JobError, Scheduler, every

EIGHT = datetime(2024, 1, 1, 8)


class SchedulerTest(unittest.TestCase):
    def setUp(self):
        self.scheduler = Scheduler(EIGHT)
        self.calls = []

    def add(self, name, schedule, **options):
        return self.scheduler.add(name, schedule, self.calls.append, args=(name,), **options)

    def test_run_until(self):
        self.add("a", "*/20 * * * *")
        runs = self.scheduler.run_until(EIGHT + timedelta(hours=1))
        self.assertEqual([run.due.minute for run in runs], [20, 40, 0])
        self.assertEqual(self.calls, ["a", "a", "a"])

    def test_priority(self):
        self.add("low", every("10m"))
        self.add("high", every("10m"), priority=5)
        self.scheduler.run_until(EIGHT + timedelta(minutes=10))
        self.assertEqual(self.calls, ["high", "low"])

    def test_catch_up(self):
        self.add("all", every("10m"), catch_up="all")
        self.add("last", every("10m"))
        self.add("skip", every("10m"), catch_up="skip")
        self.scheduler.advance(EIGHT + timedelta(minutes=35))
        self.assertEqual(sorted(self.calls), ["all", "all", "all", "last"])

    def test_failures_pause(self):
        def fail():
            raise RuntimeError("no")

        job = self.scheduler.add("bad", every("1m"), fail, max_failures=2)
        self.scheduler.run_until(EIGHT + timedelta(minutes=10))
        self.assertEqual(len(job.runs), 2)
        self.assertTrue(job.paused)
        self.assertEqual(len(self.scheduler.history(failed=True)), 2)

    def test_names_are_unique(self):
        self.add("a", "@daily")
        with self.assertRaises(JobError):
            self.add("a", "@daily")

    def test_remove(self):
        self.add("a", "@hourly")
        self.scheduler.remove("a")
        self.assertIsNone(self.scheduler.next_due())

    def test_agenda(self):
        self.add("a", "0,30 * * * *")
        self.add("b", "15 * * * *")
        agenda = self.scheduler.agenda(EIGHT + timedelta(minutes=45))
        self.assertEqual([name for _, name in agenda], ["b", "a"])

    def test_end(self):
        job = self.add("a", every("10m"), end=EIGHT + timedelta(minutes=20))
        self.scheduler.run_until(EIGHT + timedelta(hours=1))
        self.assertEqual(len(job.runs), 2)

    def test_resume(self):
        job = self.add("a", every("10m"))
        self.scheduler.pause("a")
        self.scheduler.run_until(EIGHT + timedelta(minutes=30))
        self.scheduler.resume("a")
        self.scheduler.run_until(EIGHT + timedelta(minutes=40))
        self.assertEqual(len(job.runs), 1)


if __name__ == "__main__":
    unittest.main()
