"""What happens to a command whose time is up."""

from __future__ import annotations

import signal
import time

from runner.environments.channel import Channel, SessionEnded
from runner.environments.output import HeadTail
from runner.environments.processes import (
    alive,
    descendants,
    host_pid,
    kill,
    lineage,
    send,
    send_group,
    tagged,
)
from runner.environments.protocol import Record

GRACE_SECONDS = 1.0  # between SIGINT and SIGKILL


class Stopper:
    """Stops the command of a session that began at ``since`` (boot time, seconds).

    Nothing that the command started outlives it; background jobs of earlier commands do.
    """

    def __init__(self, channel: Channel, tag: str, since: float) -> None:
        self._channel = channel
        self._tag = tag
        self._since = since
        self._root = channel.process.pid
        self._shell = host_pid(self._root, channel.state.pid)

    def stop(self, sink: HeadTail) -> tuple[Record, str]:
        """Interrupt, then kill, in growing severity. How it ended, and a note that says what was needed.

        Raises:
            SessionEnded: even killing the shell did not help.
        """
        record = self._interrupt(sink)
        note = "the time ran out: interrupted (SIGINT)"
        for _ in range(3):
            if record is not None:
                break
            note = "the time ran out: killed (SIGKILL) after SIGINT was ignored"
            kill(self._started())
            self._signal_shell(signal.SIGINT)
            self._channel.ask_again()
            record = self._channel.wait(sink, time.monotonic() + 0.3)
        if record is not None and record.kind == "D" and not self._settle():
            record = None
        kill(self._started())
        if record is None:
            note = "the time ran out: the shell itself had to be killed"
            self._signal_shell(signal.SIGKILL)
            record = self._channel.wait(sink, time.monotonic() + 2.0)
        if record is None:
            raise SessionEnded
        return record, note

    def _interrupt(self, sink: HeadTail) -> Record | None:
        """SIGINT as a terminal's ^C gives it, repeated while the command goes on, for the time of grace."""
        end = time.monotonic() + GRACE_SECONDS
        hit = self._interrupt_from_the_top()
        while True:
            while (now := time.monotonic()) < end:
                if (record := self._channel.wait(sink, min(end, now + 0.06))) is not None:
                    return record
                if not any(alive(pid) for pid in hit):
                    break  # those are gone, yet the shell is busy: a loop of short commands
            if time.monotonic() >= end:
                return None
            hit = self._started()
            if self._shell is not None:
                send_group(self._shell, signal.SIGINT)
            self._channel.ask_again()

    def _interrupt_from_the_top(self) -> list[int]:
        """Interrupt the shell, then what it started.

        The shell is stopped meanwhile, and is hit first: when its child dies of SIGINT it must have its own
        pending already, or it goes on with the next command of the list.
        """
        if self._shell is None:
            return []
        self._signal_shell(signal.SIGSTOP)
        below = descendants(self._shell, self._since)
        send([self._shell, *below], signal.SIGINT)
        self._signal_shell(signal.SIGCONT)
        return below

    def _settle(self) -> bool:
        """Let no-ops take an interrupt that is still on its way: it would hit the next command."""
        for attempt in range(5):
            deadline = time.monotonic() + 0.3 * (attempt + 1)
            self._channel.send(self._channel.next_end(), deadline)
            record = self._channel.wait(self._channel.background, deadline)
            if record is not None:
                return record.kind == "D"
        return False

    def _started(self) -> list[int]:
        """What the command started, daemons too; never the shell or what it stands on."""
        below = set(descendants(self._root, self._since))
        if self._tag:
            below.update(tagged(self._tag, self._since))
        if self._shell is not None:
            below -= lineage(self._shell)
        return sorted(below)

    def _signal_shell(self, number: signal.Signals) -> None:
        if self._shell is not None:
            send([self._shell], number)
