"""How the host and the persistent bash of a session talk over three pipes.

stdin carries the commands, one line each. stdout carries what commands write and, after each command, one
record: marks made with a random word around sequence number, exit status, process ids of the shell and of its last
background job, working directory and exported variables. stderr carries what the launcher has to say, and the answers
to the host's own questions (:meth:`runner.environments.shell.Shell.query`), which background jobs must not mix into.

The bash is interactive (``-i``) though there is no terminal: only then does SIGINT abort a whole command list
and keep the working directory, variables and functions. A supervisor starts another one in the same sandbox
when it ends, so that ``exit`` costs neither the files in /tmp nor the background jobs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from runner.environments.output import HeadTail

OUT, SIDE = 198, 199  # high numbers: commands may use 3 to 9 for themselves
_LONGEST_RECORD = 1 << 22

# {limits} is run once; everything below the supervisor inherits it.
_SUPERVISOR = r"""
{limits}
trap : INT QUIT
i=0
while :; do
  bash --noprofile --norc --noediting -i
  builtin printf '\036%s:X 0 %s 0 0\037\037:%s\036' "$1" "$?" "$1"
  i=$((i+1))
  while :; do IFS= builtin read -r l || builtin exit 0; [ "$l" = "GO $1 $i" ] && break; done
done
"""

# __aci_e ends a command: it must be a line of its own and a plain call, because after an unfinished quote or an
# unset variable under `set -u` bash drops the rest of the line. It ignores SIGINT, undoes `set -eux` (which
# would end an interactive shell sooner or later), reports, and returns the status so that $? is right.
# At exit the descriptor may be closed by a redirection, hence the supervisor's stdout through /proc.
_SETUP = r"""exec {OUT}>&1 {SIDE}>&2 >/dev/null 2>&1
PS1= PS2= PS0= PS4='+ '
builtin unset PROMPT_COMMAND MAILCHECK TMOUT HISTFILE
builtin set +H +o history
__aci_r() {{
builtin printf '\036{word}:%s %s %s %s 0%s\037%s\037' "$1" "$2" "$3" $$ "$!" "$PWD"
builtin export -p
builtin printf ':{word}\036'
}}
__aci_e() {{
__aci_s=$?
builtin trap '' INT
builtin set +euxv
builtin unset PROMPT_COMMAND PS0
__aci_r D "$1" "$__aci_s" >&{OUT}
builtin trap - INT
builtin return "$__aci_s"
}}
__aci_q() {{ builtin return "$1"; }}
__aci_x() {{
__aci_s=$?
builtin set +euxv
__aci_r E 0 "$__aci_s" >/proc/$PPID/fd/1
}} 2>/dev/null
builtin trap __aci_x EXIT
"""


def supervisor(limits: str, word: str) -> list[str]:
    """The command that a launcher starts. ``limits``: bash commands that set resource limits."""
    return ["bash", "-c", _SUPERVISOR.replace("{limits}", limits), "session", word]


def setup(word: str) -> bytes:
    """The first lines for a new bash."""
    return _SETUP.format(OUT=OUT, SIDE=SIDE, word=word).encode()


def user_line(command: bytes) -> bytes:
    """Run ``command`` at top level (so that ``declare`` and ``cd`` last), with nothing on stdin."""
    redirections = f"</dev/null >&{OUT} 2>&1 {OUT}>&- {SIDE}>&-"
    return b"%s builtin eval %s\n" % (redirections.encode(), quote(command))


def query_line(command: bytes) -> bytes:
    """Run a command of the host's own: what it writes goes to the side channel, complaints nowhere."""
    return b"( builtin eval %s ) </dev/null >&%d 2>/dev/null %d>&- %d>&-\n" % (
        quote(command),
        SIDE,
        OUT,
        SIDE,
    )


def end_line(sequence: int) -> bytes:
    """Ask for the record that ends command ``sequence``."""
    return b"\n__aci_e %d\n" % sequence


def status_line(status: int) -> bytes:
    """Give ``$?`` back the value that the agent's last command left."""
    return b"__aci_q %d\n" % status


def quote(data: bytes) -> bytes:
    """``data`` (no NUL) as one bash word on one line."""
    for plain, escaped in ((b"\\", b"\\\\"), (b"'", b"\\'"), (b"\n", b"\\n"), (b"\r", b"\\r")):
        data = data.replace(plain, escaped)
    return b"$'" + data + b"'"


@dataclass(frozen=True, slots=True)
class Record:
    """What bash reports. ``kind``: D a command ended, E the shell is about to exit, X it is gone.
    ``job``: process id of the last background job, 0 if there was none."""

    kind: str
    sequence: int
    status: int
    pid: int
    job: int
    cwd: bytes
    exports: bytes


class Reader:
    """Splits stdout of a session into output and records."""

    def __init__(self, word: str) -> None:
        self._start = b"\x1e%s:" % word.encode()
        self._end = b":%s\x1e" % word.encode()
        self._rest = b""

    def feed(self, data: bytes, sink: HeadTail) -> list[Record]:
        """Give output to ``sink``; return the records that are complete. A mark may be cut anywhere."""
        data = self._rest + data
        records: list[Record] = []
        while (begin := data.find(self._start)) >= 0:
            end = data.find(self._end, begin)
            if end < 0 and len(data) - begin < _LONGEST_RECORD:
                break
            sink.add(data[:begin])
            record = _parse(data[begin + len(self._start) : end]) if end >= 0 else None
            if record is None:  # not from bash: a command that printed our mark
                sink.add(data[begin : begin + 1])
                data = data[begin + 1 :]
                continue
            records.append(record)
            data = data[end + len(self._end) :]
        if begin < 0:
            begin = data.rfind(b"\x1e", max(0, len(data) - len(self._start) + 1))
            if begin < 0 or not self._start.startswith(data[begin:]):
                begin = len(data)
        sink.add(data[:begin])
        self._rest = data[begin:]
        return records


def _parse(text: bytes) -> Record | None:
    parts = text.split(b"\x1f", 2)
    numbers = parts[0].split()
    if len(parts) != 3 or len(numbers) != 5:
        return None
    try:
        sequence, status, pid, job = (int(n) for n in numbers[1:])
    except ValueError:
        return None
    return Record(numbers[0].decode("ascii", "replace"), sequence, status, pid, job, parts[1], parts[2])


# An interactive bash without a terminal says this when a foreground child dies of a signal.
_NOISE = re.compile(rb"bash: \[\d+: \d+ \(\d+\)\] tcsetattr: Inappropriate ioctl for device\n")
_JOB = re.compile(rb"^\[\d+\] \d+\n", re.MULTILINE)


def without_noise(data: bytes, started_jobs: bool, exited: bool) -> bytes:
    """Output without what only an interactive bash adds: terminal complaints, "[1] 4711" for a new background
    job, and "exit" when it ends."""
    if b"tcsetattr" in data:
        data = _NOISE.sub(b"", data)
    if started_jobs:
        data = _JOB.sub(b"", data)
    if exited and (data == b"exit\n" or data.endswith(b"\nexit\n")):
        data = data[:-5]
    return data
