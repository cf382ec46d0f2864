"""A persistent bash session behind any launcher."""

from __future__ import annotations

import os
import secrets
import time
from threading import Lock

from aci_plugins.environment import CommandResult, EnvironmentFailure
from runner.environments import protocol
from runner.environments.channel import QUERY_BYTES, Channel, SessionEnded
from runner.environments.launcher import Launcher
from runner.environments.output import HeadTail, decode
from runner.environments.processes import kill_strays, kill_tree
from runner.environments.protocol import Record
from runner.environments.stopping import Stopper

START_SECONDS = 30.0
QUERY_SECONDS = 120.0


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
        self._state = Record("D", 0, 0, 0, 0, os.fsencode(cwd), b"")
        self._status = 0
        self._lock = Lock()
        self._channel: Channel | None = None
        self._closed = False

    @property
    def cwd(self) -> str:
        """The working directory as of the last command."""
        return os.fsdecode(self._state.cwd)

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
            channel, note = self._ready()
            sink = HeadTail(self._head, self._tail)
            channel.take_background(sink)
            since = time.clock_gettime(time.CLOCK_BOOTTIME)
            job = channel.state.job
            timed_out = exited = started_jobs = False
            try:
                channel.send(protocol.user_line(raw) + channel.next_end(), begin + timeout)
                record = channel.wait(sink, begin + timeout)
                if record is None:
                    timed_out = True
                    record, note = Stopper(channel, self._tag, since).stop(sink)
                started_jobs = channel.state.job != job
                exited = record.kind == "X"
                if exited:
                    note = _join(note, self._restart(channel, record.status))
                self._state = channel.state
                self._status = code = record.status
                channel.idle()
            except SessionEnded:
                self._state = channel.state
                code = self._reap(channel)
                note = _join(note, f"the session ended (status {code}), background jobs too")
                note += "; the next command starts a new one"
        text, lost = sink.text(lambda data: protocol.without_noise(data, started_jobs, exited))
        return CommandResult(
            text, 124 if timed_out else code, timed_out, lost, time.monotonic() - begin, note
        )

    def query(self, command: str) -> tuple[int, bytes]:
        """Run a command of the host's own beside what the agent sees: exit status and whole stdout.

        It runs in a subshell, so it leaves no trace in the session.

        Raises:
            OSError: more than ``QUERY_BYTES`` came.
            EnvironmentFailure: no answer.
        """
        with self._lock:
            channel, _ = self._ready()
            answer = bytearray()
            channel.read_side(bytearray())  # what the launcher or a starting bash had to say
            lines = protocol.query_line(os.fsencode(command)) + channel.next_end()
            deadline = time.monotonic() + QUERY_SECONDS
            try:
                channel.send(lines + protocol.status_line(self._status), deadline)
                record = channel.wait(channel.background, deadline, answer)
                if record is None or record.kind != "D":
                    raise SessionEnded
            except SessionEnded as error:
                self._reap(channel)
                raise EnvironmentFailure(f"no answer to {command!r}") from error
            # The data was written before the record, and a pipe keeps its order.
            channel.read_side(answer)
            channel.idle()
        if len(answer) > QUERY_BYTES:
            raise OSError(f"the answer is larger than {QUERY_BYTES >> 20} MB")
        return record.status, bytes(answer)

    def close(self) -> None:
        """Kill every process of the session. Safe to call twice, and while a command runs."""
        self._closed = True
        channel = self._channel
        if channel is not None and channel.process.returncode is None:
            kill_tree(channel.process.pid, self._tag)
        with self._lock:
            if self._channel is not None:
                self._reap(self._channel)

    def _ready(self) -> tuple[Channel, str]:
        """The session, started if there is none; the note says so when there was one."""
        if self._closed:
            raise EnvironmentFailure("the environment is closed")
        note = ""
        channel = self._channel
        if channel is not None and channel.process.poll() is not None:
            self._reap(channel)
            channel = None
            note = "the session had died and was restarted"
        if channel is None:
            channel = self._start()
        channel.busy()
        return channel, note

    def _start(self) -> Channel:
        self._word = secrets.token_hex(8)
        self._generation = 0
        try:
            process = self._launcher.start(protocol.supervisor(self._limits, self._word))
        except OSError as error:
            raise EnvironmentFailure(f"the session cannot be started: {error}") from error
        self._channel = channel = Channel(process, self._word, self._state)
        try:
            self._set_up(channel)
        except SessionEnded as error:
            complaint = bytearray()
            channel.read_side(complaint)
            code = self._reap(channel)
            words = decode(bytes(complaint[-2000:])).strip()
            raise EnvironmentFailure(f"the shell did not start (status {code}): {words}") from error
        if self._closed:  # close() came while the process was being started and did not see it
            self._reap(channel)
            raise EnvironmentFailure("the environment is closed")
        return channel

    def _set_up(self, channel: Channel) -> None:
        """Make a new bash ready, in the directory and with the exported variables of the one before."""
        lines = protocol.setup(self._word)
        if channel.state.exports:
            lines += b"builtin eval " + protocol.quote(channel.state.exports) + b"\n"
        lines += b"builtin cd -- " + protocol.quote(channel.state.cwd) + b"\n"
        deadline = time.monotonic() + START_SECONDS
        channel.send(lines + channel.next_end(), deadline)
        if channel.wait(channel.background, deadline) is None:
            raise SessionEnded

    def _restart(self, channel: Channel, status: int) -> str:
        """The supervisor offers a new bash after the last one ended."""
        self._generation += 1
        go = b"GO %s %d\n" % (self._word.encode(), self._generation)
        channel.send(go, time.monotonic() + START_SECONDS)
        self._set_up(channel)
        return (
            f"the shell exited (status {status}) and was restarted in the same directory "
            "with the same exported variables"
        )

    def _reap(self, channel: Channel) -> int:
        """Kill what is left of a session, free its pipes; its exit status as a shell would say it."""
        channel.busy()
        if channel.process.poll() is None:
            kill_tree(channel.process.pid, self._tag)
        elif not self._closed:  # otherwise close() has seen to it
            kill_strays(self._tag)
        code = channel.process.wait()
        channel.close()
        self._channel = None
        return 128 - code if code < 0 else code


def _join(first: str, second: str) -> str:
    return f"{first}; {second}" if first else second
