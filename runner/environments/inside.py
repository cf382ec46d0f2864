"""File operations done by the environment itself, through its shell: for every path the host must not follow.

Every command is called through ``builtin`` or ``command -p``, so that an agent's aliases, functions and PATH do
not matter.
"""

from __future__ import annotations

import base64
import errno
import os
from shlex import quote
from typing import Literal

from aci_plugins.environment import EnvironmentFailure, Match
from runner.environments.output import decode
from runner.environments.shell import Shell

_ERRORS = {
    61: errno.ENOENT,
    62: errno.EISDIR,
    63: errno.EACCES,
    64: errno.EINVAL,
    65: errno.ENOTDIR,
    66: errno.ENOSPC,
}
_FILE = (
    'builtin [ -e "$p" ] || builtin exit 61; builtin [ ! -d "$p" ] || builtin exit 62; '
    'builtin [ -f "$p" ] || builtin exit 64; '
)


class Inside:
    """The file operations of :class:`aci_plugins.environment.Environment` for absolute paths."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell

    def read(self, path: str) -> bytes:
        return self._ask(path, _FILE + 'command -p cat -- "$p" || builtin exit 63')

    def write(self, path: str, data: bytes) -> None:
        script = (
            'p=$(command -p readlink -m -- "$p"); d=${p%/*}; d=${d:-/}; '
            'builtin [ -d "$d" ] || builtin exit 61; builtin [ ! -d "$p" ] || builtin exit 62; '
            'builtin [ ! -e "$p" ] || builtin [ -f "$p" ] || builtin exit 64; '
            'builtin [ ! -e "$p" ] || builtin [ -w "$p" ] || builtin exit 63; '
            't=$(command -p mktemp -p "$d" .XXXXXXXXXXXX.part) || builtin exit 63; '
            'if builtin [ -e "$p" ]; then command -p chmod --reference="$p" -- "$t"; '
            'else command -p chmod 644 -- "$t"; fi; '
            f'command -p base64 -d <<< "{base64.b64encode(data).decode()}" > "$t" '
            '&& command -p mv -fT -- "$t" "$p" || { command -p rm -f -- "$t"; builtin exit 66; }'
        )
        self._ask(path, script)

    def remove(self, path: str) -> None:
        script = (
            'builtin [ -e "$p" ] || builtin [ -L "$p" ] || builtin exit 61; '
            'builtin [ -L "$p" ] || builtin [ ! -d "$p" ] || builtin exit 62; '
            'command -p rm -f -- "$p" || builtin exit 63'
        )
        self._ask(path, script)

    def exists(self, path: str) -> Literal["file", "directory"] | None:
        script = (
            'if builtin [ -d "$p" ]; then builtin echo d; elif builtin [ -e "$p" ]; then builtin echo f; fi'
        )
        answer = self._ask(path, script)
        return "directory" if answer == b"d\n" else "file" if answer == b"f\n" else None

    def resolve(self, path: str) -> str:
        return os.fsdecode(self._ask(path, 'command -p readlink -nm -- "$p"'))

    def files(self, directory: str, name: str) -> list[str]:
        """Regular files below; ``directory`` itself may be a symlink, others are not followed."""
        script = f'builtin [ -d "$p" ] || builtin exit 65; command -p find -H "$p" -type f -name {quote(name)} -print0'
        found = self._ask(directory, script, accept=(0, 1))  # 1: a folder could not be read
        return sorted(os.fsdecode(path) for path in found.split(b"\0") if path)

    def grep(self, pattern: str, path: str, recursive: bool) -> list[Match]:
        """Raises ``ValueError`` with grep's own words when ``pattern`` is no regular expression."""
        if recursive:
            command = "command -p grep -rsnIHZ --exclude='.*' --exclude-dir='.*' -e "
            script = f'builtin cd -- "$p" || builtin exit 63; {command}{quote(pattern)}'
        else:
            script = f'command -p grep -snIHZ -e {quote(pattern)} -- "$p"'
        code, found = self._shell.query(_with_path(path, script))
        if code in _ERRORS:
            raise _error(code, path)
        if code > 1 and not found:
            _, words = self._shell.query(f"command -p grep -e {quote(pattern)} 2>&1")
            if words:
                raise ValueError(decode(words).removeprefix("grep: ").strip())
        matches = [_match(line, path if recursive else "") for line in _lines(found)]
        return sorted(matches, key=lambda match: (match.path, match.line))

    def _ask(self, path: str, script: str, accept: tuple[int, ...] = (0,)) -> bytes:
        code, answer = self._shell.query(_with_path(path, script))
        if code in _ERRORS:
            raise _error(code, path)
        if code not in accept:
            raise EnvironmentFailure(f"status {code} of an internal command on {path!r}")
        return answer


def _with_path(path: str, script: str) -> str:
    return f"p={quote(path)}; {script}"


def _error(code: int, path: str) -> OSError:
    return OSError(_ERRORS[code], os.strerror(_ERRORS[code]), path)


def _lines(found: bytes) -> list[tuple[bytes, bytes, bytes]]:
    """``path NUL number : text`` lines. A path may hold anything but NUL, a text anything but a newline."""
    rows: list[tuple[bytes, bytes, bytes]] = []
    at = 0
    while at < len(found):
        path_end = found.index(b"\0", at)
        number_end = found.index(b":", path_end)
        line_end = found.find(b"\n", number_end)
        line_end = len(found) if line_end < 0 else line_end
        rows.append((found[at:path_end], found[path_end + 1 : number_end], found[number_end + 1 : line_end]))
        at = line_end + 1
    return rows


def _match(row: tuple[bytes, bytes, bytes], folder: str) -> Match:
    path, number, text = row
    name = os.fsdecode(path)
    return Match(f"{folder.rstrip('/')}/{name}" if folder else name, int(number), decode(text))
