"""The host's end of the three pipes of a session."""

from __future__ import annotations

import os
import select
import subprocess
import time
from contextlib import suppress

from runner.environments import protocol
from runner.environments.drain import drain
from runner.environments.output import HeadTail
from runner.environments.protocol import Record

QUERY_BYTES = 64 << 20
_BACKGROUND_BYTES = 4096  # kept of what background jobs write while no command runs, at each end


class SessionEnded(Exception):
    """The whole process tree of the session is gone, or does not answer."""


class Channel:
    """Sends lines, and tells output, records and side answers apart. Used under the lock of its shell.

    Attributes:
        process: what the launcher started.
        state: what bash reported last, also that of an earlier session.
    """

    def __init__(self, process: subprocess.Popen[bytes], word: str, state: Record) -> None:
        assert process.stdin and process.stdout and process.stderr
        self.process = process
        self.state = state
        self._reader = protocol.Reader(word)
        self._sequence = 0
        self._in, self._out, self._side = (
            pipe.fileno() for pipe in (process.stdin, process.stdout, process.stderr)
        )
        for fd in (self._in, self._out, self._side):
            os.set_blocking(fd, False)
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)
        self._poll_both = select.poll()
        self._poll_both.register(self._out, select.POLLIN)
        self._poll_both.register(self._side, select.POLLIN)
        self._draining = False
        self.background = HeadTail(_BACKGROUND_BYTES, _BACKGROUND_BYTES)

    def next_end(self) -> bytes:
        """The line that ends the next command."""
        self._sequence += 1
        return protocol.end_line(self._sequence)

    def ask_again(self) -> None:
        """Repeat that line: an interrupt may have eaten it."""
        self.send(protocol.end_line(self._sequence), time.monotonic())

    def send(self, data: bytes, deadline: float) -> None:
        """Write ``data``. A shell that does not read in time is met again in the wait for its answer."""
        view = memoryview(data)
        writable: select.poll | None = None
        while view:
            try:
                view = view[os.write(self._in, view) :]
            except BlockingIOError:
                if writable is None:
                    writable = select.poll()
                    writable.register(self._in, select.POLLOUT)
                if not writable.poll(_milliseconds(deadline)):
                    return
            except BrokenPipeError as error:
                raise SessionEnded from error

    def wait(self, sink: HeadTail, deadline: float, answer: bytearray | None = None) -> Record | None:
        """Read until the current command has ended (D) or its shell has (X); None when time runs out.

        ``answer`` collects what comes in on the side meanwhile.
        """
        poll = self._poll if answer is None else self._poll_both
        while True:
            for fd, _ in poll.poll(_milliseconds(deadline)):
                if fd == self._side and answer is not None:
                    self.read_side(answer)
                    continue
                try:
                    data = os.read(self._out, 1 << 18)
                except BlockingIOError:
                    continue
                if not data:
                    raise SessionEnded
                for record in self._reader.feed(data, sink):
                    if record.kind == "X":
                        return record
                    self.state = record
                    if record.kind == "D" and record.sequence == self._sequence:
                        return record
            if time.monotonic() >= deadline:
                return None

    def read_side(self, answer: bytearray) -> None:
        """Everything that is on the side now. Beyond the limit it is read, but not kept."""
        with suppress(BlockingIOError):
            while data := os.read(self._side, 1 << 18):
                if len(answer) <= QUERY_BYTES:
                    answer += data

    def idle(self) -> None:
        """No command runs: keep reading what background jobs write."""
        drain().add(self._out, self._on_background)
        self._draining = True

    def busy(self) -> None:
        """A command is about to run."""
        if self._draining:
            drain().remove(self._out)
            self._draining = False

    def _on_background(self, data: bytes) -> None:
        self._reader.feed(data, self.background)

    def take_background(self, sink: HeadTail) -> None:
        """Begin ``sink`` with what background jobs wrote since the last command, as on a terminal."""
        if self.background.total:
            sink.add(self.background.text()[0].encode("utf-8", "surrogatepass"))
            self.background = HeadTail(_BACKGROUND_BYTES, _BACKGROUND_BYTES)

    def close(self) -> None:
        """Free the pipes of a process that has ended."""
        self.busy()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()


def _milliseconds(deadline: float) -> float:
    return max(0.0, deadline - time.monotonic()) * 1000
