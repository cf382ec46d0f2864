"""The scheduler: which job is due when."""

import heapq
from datetime import timedelta

from .errors import JobError
from .expression import Expression
from .job import ALL, SKIP, Job

#: A run that starts at most this late is not counted as missed.
GRACE = timedelta(minutes=1)


class Scheduler:
    """Runs jobs when ``advance`` or ``run_until`` says that time has passed.

    Jobs that are due at the same moment run in order of their priority, the highest first, and then in the order in
    which they were added.
    """

    def __init__(self, start, grace=GRACE):
        self.now = start
        self.grace = grace
        self._jobs = {}
        self._queue = []
        self._counter = 0

    # -- jobs -------------------------------------------------------------------

    def add(self, name, schedule, action, **options):
        """Add a job; ``schedule`` is a cron expression as text, or anything with ``next(moment)``.

        Raises JobError if the name is taken.
        """
        if name in self._jobs:
            raise JobError(f"there is a job {name!r} already")
        if isinstance(schedule, str):
            schedule = Expression(schedule)
        job = Job(name, schedule, action, **options)
        self._counter += 1
        job.number = self._counter
        self._jobs[name] = job
        self._push(job, self.now)
        return job

    def remove(self, name):
        """Forget a job; what it has in the queue is dropped."""
        job = self.get(name)
        del self._jobs[name]
        self._queue = [item for item in self._queue if item[-1] is not job]
        heapq.heapify(self._queue)
        return job

    def get(self, name):
        try:
            return self._jobs[name]
        except KeyError:
            raise JobError(f"there is no job {name!r}") from None

    def pause(self, name):
        """Keep the job but do not run it."""
        self.get(name).paused = True

    def resume(self, name):
        """Let a paused job run again from now on; what it missed while it was paused is not made up for."""
        job = self.get(name)
        if not job.paused:
            return
        job.paused = False
        job.failures = 0
        self._queue = [item for item in self._queue if item[-1] is not job]
        heapq.heapify(self._queue)
        self._push(job, self.now)

    @property
    def jobs(self):
        """All jobs in the order in which they were added."""
        return list(self._jobs.values())

    # -- queue ------------------------------------------------------------------

    def _push(self, job, moment):
        due = job.next(moment)
        if due is None:
            return
        heapq.heappush(self._queue, (due, -job.priority, job.number, job))

    def next_due(self):
        """The moment of the next run, or None when nothing is left to do."""
        waiting = [item[0] for item in self._queue if not item[-1].paused]
        return min(waiting) if waiting else None

    def agenda(self, until):
        """``(moment, name)`` of all runs up to and including ``until``, in order, without running anything."""
        found = []
        for job in self._jobs.values():
            if job.paused:
                continue
            moment = job.next(self.now)
            while moment is not None and moment <= until:
                found.append((moment, -job.priority, job.number, job.name))
                moment = job.next(moment)
        return [(moment, name) for moment, _, _, name in sorted(found)]

    # -- running ----------------------------------------------------------------

    def run_until(self, end):
        """Go through time up to and including ``end``, running each job when it is due. Returns the runs."""
        runs = []
        while self._queue and self._queue[0][0] <= end:
            due, _, _, job = heapq.heappop(self._queue)
            self.now = max(self.now, due)
            if not job.paused:
                runs.append(job.execute(due, self.now))
            self._push(job, due)
        self.now = max(self.now, end)
        return runs

    def advance(self, now):
        """Jump to ``now``, as after the computer was asleep, and do what ``catch_up`` of the jobs says.

        Runs that are at most ``grace`` late are never counted as missed.
        """
        if now < self.now:
            raise ValueError("time does not run backwards")
        self.now = now
        due_by_job = {}
        while self._queue and self._queue[0][0] <= now:
            due, _, _, job = heapq.heappop(self._queue)
            due_by_job.setdefault(job.name, []).append(due)
            self._push(job, due)
        runs = []
        for job, due in self._chosen(due_by_job, now):
            if not job.paused:
                runs.append(job.execute(due, now))
        return runs

    def _chosen(self, due_by_job, now):
        """Which of the due runs take place, in order."""
        chosen = []
        for name, moments in due_by_job.items():
            job = self._jobs[name]
            if job.catch_up == ALL:
                kept = moments
            elif job.catch_up == SKIP:
                kept = [moment for moment in moments if now - moment <= self.grace]
            else:
                kept = moments[-1:]
            chosen += [(moment, -job.priority, job.number, job) for moment in kept]
        chosen.sort(key=lambda item: item[:3])
        return [(item[-1], item[0]) for item in chosen]

    # -- asking -----------------------------------------------------------------

    def history(self, name=None, failed=False):
        """Runs of one job or of all, in the order of their start; only failed ones if ``failed``."""
        jobs = [self.get(name)] if name is not None else self.jobs
        runs = [run for job in jobs for run in job.runs if not (failed and run.ok)]
        return sorted(runs, key=lambda run: (run.started, run.due))
