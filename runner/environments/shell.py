"""A persistent bash session behind any launcher."""

from __future__ import annotations

import os
import secrets
import select
import signal
import subprocess
import time
from contextlib import suppress
from threading import Lock

from aci_plugins.environment import CommandResult, EnvironmentFailure
from runner.environments import protocol
from runner.environments.drain import drain
from runner.environments.launcher import Launcher
from runner.environments.output import HeadTail, decode
from runner.environments.processes import (
    alive,
    descendants,
    host_pid,
    kill_strays,
    kill_tree,
    lineage,
    send,
    send_group,
    tagged,
)
from runner.environments.protocol import Record

START_SECONDS = 30.0
GRACE_SECONDS = 1.0  # between SIGINT and SIGKILL
QUERY_SECONDS = 120.0
QUERY_BYTES = 64 << 20
_BACKGROUND_BYTES = 4096  # kept of what background jobs write while no command runs, at each end


class SessionEnded(Exception):
    """The whole process tree of the session is gone."""


class Shell:
    """One bash that commands are given to, one after the other.

    The process starts with the first command. Calls from several threads wait for each other, but
    :meth:`close` ends a running command at once.
    """

    def __init__(
        self,
        launcher: Launcher,
        *,
        cwd: str,
        limits: str = "",
        head: int = 64 << 10,
        tail: int = 64 << 10,
        tag: str = "",
    ) -> None:
        """``cwd``: where the shell begins; ``limits``: bash commands that set resource limits;
        ``head``/``tail``: bytes of output that are kept of a command; ``tag``: a variable of this session alone
        (NAME=value), needed where daemons do not stay below the session's first process."""
        self._launcher = launcher
        self._limits = limits
        self._head, self._tail = head, tail
        self._tag = tag
        self._cwd = os.fsencode(cwd)
        self._exports = b""
        self._status = 0
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._draining = False
        self._closed = False

    @property
    def cwd(self) -> str:
        """The working directory as of the last command."""
        return os.fsdecode(self._cwd)

    def run(self, command: str, timeout: float) -> CommandResult:
        """Run ``command``; see :class:`CommandResult`.

        Raises:
            EnvironmentFailure: no shell can be started.
        """
        begin = time.monotonic()
        raw = command.encode("utf-8", "surrogatepass")
        if b"\0" in raw:
            return CommandResult("the command contains a NUL byte and was not run\n", 2)
        with self._lock:
            note = self._ensure_started()
            sink = self._take_background()
            since = time.clock_gettime(time.CLOCK_BOOTTIME)
            record, timed_out = None, False
            try:
                self._send(protocol.user_line(raw) + self._next_end(), begin + timeout)
                record = self._wait(sink, begin + timeout)
                if record is None:
                    timed_out = True
                    record, note = self._stop(sink, since)
                exited = record.kind == "X"
                if exited:
                    note = _join(note, self._restart(record.status))
            except SessionEnded:
                code = self._reap()
                ended = f"the session ended (status {code}), background jobs too; the next command starts a new one"
                return self._result(
                    sink, 124 if timed_out else code, timed_out, _join(note, ended), begin, ()
                )
            self._status = record.status
            self._idle()
            code = 124 if timed_out else record.status
            return self._result(sink, code, timed_out, note, begin, record.jobs, exited)

    def query(self, command: str) -> tuple[int, bytes]:
        """Run a command of the host's own beside what the agent sees: exit status and whole stdout.

        It runs in a subshell, so it leaves no trace in the session.

        Raises:
            OSError: more than ``QUERY_BYTES`` came.
            EnvironmentFailure: no answer.
        """
        with self._lock:
            self._ensure_started()
            self._busy()
            answer = bytearray()
            self._read_side(bytearray())  # what the launcher or a starting bash had to say
            lines = protocol.query_line(os.fsencode(command)) + self._next_end()
            try:
                deadline = time.monotonic() + QUERY_SECONDS
                self._send(lines + protocol.status_line(self._status), deadline)
                record = self._wait(self._background, deadline, answer)
            except SessionEnded as error:
                raise EnvironmentFailure(
                    f"the session ended (status {self._reap()}) during {command!r}"
                ) from error
            if record is None or record.kind != "D":
                self._reap()
                raise EnvironmentFailure(f"no answer to {command!r}")
            # The data was written before the record, and a pipe keeps its order.
            self._read_side(answer)
            self._idle()
        if len(answer) > QUERY_BYTES:
            raise OSError(f"the answer is larger than {QUERY_BYTES >> 20} MB")
        return record.status, bytes(answer)

    def close(self) -> None:
        """Kill every process of the session. Safe to call twice, and while a command runs."""
        self._closed = True
        process = self._process
        if process is not None and process.returncode is None:
            kill_tree(process.pid, self._tag)
        with self._lock:
            if self._process is not None:
                self._reap()

    # ---- life of the process tree ------------------------------------------------------------------------

    def _ensure_started(self) -> str:
        """Start the session if there is none; the note says so when there was one."""
        if self._closed:
            raise EnvironmentFailure("the environment is closed")
        if self._process is not None and self._process.poll() is None:
            return ""
        died = self._process is not None
        if died:
            self._reap()
        self._start()
        return "the session had died and was restarted" if died else ""

    def _start(self) -> None:
        self._word = secrets.token_hex(8)
        self._generation = self._sequence = 0
        self._reader = protocol.Reader(self._word)
        self._background = HeadTail(_BACKGROUND_BYTES, _BACKGROUND_BYTES)
        self._waiting: list[Record] = []
        try:
            process = self._launcher.start(protocol.supervisor(self._limits, self._word))
        except OSError as error:
            raise EnvironmentFailure(f"the session cannot be started: {error}") from error
        assert process.stdin and process.stdout and process.stderr
        self._process = process
        self._stdin, self._out, self._side = (
            pipe.fileno() for pipe in (process.stdin, process.stdout, process.stderr)
        )
        for fd in (self._stdin, self._out, self._side):
            os.set_blocking(fd, False)
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)
        try:
            self._set_up()
        except SessionEnded as error:
            complaint = bytearray()
            self._read_side(complaint)
            code = self._reap()
            raise EnvironmentFailure(
                f"the shell did not start (status {code}): {decode(bytes(complaint[-2000:]))}"
            ) from error
        if self._closed:  # close() came while the process was being started and did not see it
            self._reap()
            raise EnvironmentFailure("the environment is closed")

    def _set_up(self) -> None:
        """Make a new bash ready, in the directory and with the exported variables of the one before."""
        lines = protocol.setup(self._word)
        if self._exports:
            lines += b"builtin eval " + protocol.quote(self._exports) + b"\n"
        lines += b"builtin cd -- " + protocol.quote(self._cwd) + b"\n"
        deadline = time.monotonic() + START_SECONDS
        self._send(lines + self._next_end(), deadline)
        if self._wait(self._background, deadline) is None:
            raise SessionEnded
        self._host_pid: int | None = None

    def _restart(self, status: int) -> str:
        """The supervisor offers a new bash after the last one ended."""
        self._generation += 1
        self._send(b"GO %s %d\n" % (self._word.encode(), self._generation), time.monotonic() + START_SECONDS)
        self._set_up()
        return (
            f"the shell exited (status {status}) and was restarted in the same directory "
            "with the same exported variables"
        )

    def _reap(self) -> int:
        """Kill what is left, free the pipes; the exit status as a shell would say it."""
        process = self._process
        assert process is not None
        if self._draining:
            drain().remove(self._out)
            self._draining = False
        if process.poll() is None:
            kill_tree(process.pid, self._tag)
        elif not self._closed:  # then close() has seen to it
            kill_strays(self._tag)
        code = process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()
        self._process = None
        return 128 - code if code < 0 else code

    # ---- talking -----------------------------------------------------------------------------------------

    def _next_end(self) -> bytes:
        self._sequence += 1
        return protocol.end_line(self._sequence)

    def _send(self, data: bytes, deadline: float) -> None:
        view = memoryview(data)
        writable: select.poll | None = None
        while view:
            try:
                view = view[os.write(self._stdin, view) :]
            except BlockingIOError:
                if writable is None:
                    writable = select.poll()
                    writable.register(self._stdin, select.POLLOUT)
                # A shell that does not read in time is met again, and stopped, in the wait for its answer.
                if not writable.poll(max(0.0, deadline - time.monotonic()) * 1000):
                    return
            except BrokenPipeError as error:
                raise SessionEnded from error

    def _wait(self, sink: HeadTail, deadline: float, answer: bytearray | None = None) -> Record | None:
        """Read until the current command has ended (D) or its shell has (X); None when time runs out.

        ``answer`` collects what comes in on the side channel meanwhile.
        """
        poll = self._poll
        if answer is not None:
            poll = select.poll()
            poll.register(self._out, select.POLLIN)
            poll.register(self._side, select.POLLIN)
        while True:
            for fd, _ in poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
                if fd == self._side and answer is not None:
                    self._read_side(answer)
                    continue
                try:
                    data = os.read(self._out, 1 << 18)
                except BlockingIOError:
                    continue
                if not data:
                    raise SessionEnded
                for record in self._reader.feed(data, sink):
                    if (ended := self._take(record)) is not None:
                        return ended
            if time.monotonic() >= deadline:
                return None

    def _take(self, record: Record) -> Record | None:
        if record.kind == "X":
            return record
        self._cwd, self._exports, self._pid = record.cwd, record.exports, record.pid
        return record if record.kind == "D" and record.sequence == self._sequence else None

    def _read_side(self, answer: bytearray) -> None:
        """Everything that is in the side channel now. Beyond the limit it is read, but not kept."""
        with suppress(BlockingIOError):
            while data := os.read(self._side, 1 << 18):
                if len(answer) <= QUERY_BYTES:
                    answer += data

    # ---- between commands --------------------------------------------------------------------------------

    def _idle(self) -> None:
        drain().add(self._out, self._on_background)
        self._draining = True

    def _busy(self) -> None:
        if self._draining:
            drain().remove(self._out)
            self._draining = False

    def _on_background(self, data: bytes) -> None:
        self._reader.feed(data, self._background)

    def _take_background(self) -> HeadTail:
        """A sink for the next command that begins with what background jobs wrote since the last, as on a
        terminal."""
        self._busy()
        sink = HeadTail(self._head, self._tail)
        if self._background.total:
            text, _ = self._background.text()
            sink.add(text.encode("utf-8", "surrogatepass"))
            self._background = HeadTail(_BACKGROUND_BYTES, _BACKGROUND_BYTES)
        return sink

    # ---- the time is up ----------------------------------------------------------------------------------

    def _stop(self, sink: HeadTail, since: float) -> tuple[Record, str]:
        """Interrupt the command that began at ``since`` (boot time), then kill, in growing severity.

        Nothing that the command started outlives it; background jobs of earlier commands do.
        """
        record = self._interrupt(sink, since)
        note = "the time ran out: interrupted (SIGINT)"
        for _ in range(3):
            if record is not None:
                break
            note = "the time ran out: killed (SIGKILL) after SIGINT was ignored"
            send(self._started_since(since), signal.SIGKILL)
            self._interrupt_shell()
            self._ask_again()
            record = self._wait(sink, time.monotonic() + 0.3)
        if record is not None and record.kind == "D" and not self._settle():
            record = None
        send(self._started_since(since), signal.SIGKILL)
        if record is None:
            note = "the time ran out: the shell itself had to be killed"
            if (shell := self._shell()) is not None:
                send([shell], signal.SIGKILL)
            record = self._wait(sink, time.monotonic() + 2.0)
        if record is None:
            raise SessionEnded
        return record, note

    def _interrupt(self, sink: HeadTail, since: float) -> Record | None:
        """SIGINT as a terminal's ^C gives it, repeated while the command goes on, for the time of grace."""
        end = time.monotonic() + GRACE_SECONDS
        hit = self._interrupt_below(since)
        while True:
            while (now := time.monotonic()) < end:
                if (record := self._wait(sink, min(end, now + 0.06))) is not None:
                    return record
                if not any(alive(pid) for pid in hit):
                    break  # those are gone, yet the shell is busy: a loop of short commands
            if time.monotonic() >= end:
                return None
            hit = self._started_since(since)
            if (shell := self._shell()) is not None:
                send_group(shell, signal.SIGINT)
            self._ask_again()

    def _interrupt_below(self, since: float) -> list[int]:
        """Interrupt the shell, then what it started.

        The shell is stopped meanwhile, and is hit first: when its child dies of SIGINT it must have its own
        pending already, or it goes on with the next command of the list.
        """
        shell = self._shell()
        if shell is None:
            return []
        send([shell], signal.SIGSTOP)
        below = descendants(shell, since)
        send([shell, *below], signal.SIGINT)
        send([shell], signal.SIGCONT)
        return below

    def _interrupt_shell(self) -> None:
        if (shell := self._shell()) is not None:
            send([shell], signal.SIGINT)

    def _ask_again(self) -> None:
        """An interrupt may have eaten the line that asks for the record."""
        self._send(protocol.end_line(self._sequence), time.monotonic())

    def _settle(self) -> bool:
        """Let no-ops take an interrupt that is still on its way: it would hit the next command."""
        for attempt in range(5):
            end = self._next_end()
            deadline = time.monotonic() + 0.3 * (attempt + 1)
            self._send(end, deadline)
            record = self._wait(self._background, deadline)
            if record is not None:
                return record.kind == "D"
        return False

    def _started_since(self, since: float) -> list[int]:
        """What the command started, daemons too; never the shell or what it stands on."""
        assert self._process is not None
        below = set(descendants(self._process.pid, since))
        if self._tag:
            below.update(tagged(self._tag, since))
        if (shell := self._shell()) is not None:
            below -= lineage(shell)
        return sorted(below)

    def _shell(self) -> int | None:
        """The process id of bash on the host."""
        assert self._process is not None
        if self._host_pid is None:
            self._host_pid = host_pid(self._process.pid, self._pid)
        return self._host_pid

    # ---- the result --------------------------------------------------------------------------------------

    def _result(
        self,
        sink: HeadTail,
        code: int,
        timed_out: bool,
        note: str,
        begin: float,
        jobs: tuple[int, ...],
        exited: bool = False,
    ) -> CommandResult:
        text, lost = sink.text(lambda data: protocol.without_noise(data, jobs, exited))
        return CommandResult(text, code, timed_out, lost, time.monotonic() - begin, note)


def _join(first: str, second: str) -> str:
    return f"{first}; {second}" if first else second
