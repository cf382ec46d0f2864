"""A folder of this machine as the contents of an environment."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote

from aci_plugins.environment import Environment, EnvironmentFailure
from runner.errors import UserError

_PLAIN = 0o644
_SECONDS = 120.0
_COMMIT = (
    "command -v git >/dev/null && git add -A && "
    "GIT_COMMITTER_DATE='1577836800 +0000' git commit -q --amend --no-edit --allow-empty || :"
)


@dataclass(frozen=True)
class Folder:
    """What a copy of a folder is made of, by path relative to it. ``.git`` is no part of it.

    Attributes:
        files: contents.
        modes: permissions of files that are not 0644.
        links: targets of symbolic links.
        empty: folders without anything in them.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    modes: dict[str, int] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    empty: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, path: Path) -> Folder:
        """Raises:
        UserError: it is no folder, or something in it cannot be read.
        """
        if not path.is_dir():
            raise UserError(f"{path}: there is no such folder")
        found = cls()
        try:
            for entry in _walk(str(path)):
                name = os.path.relpath(entry.path, path)
                if entry.is_symlink():
                    found.links[name] = os.readlink(entry.path)  # noqa: PTH115 - the literal target
                elif entry.is_dir():
                    found.empty.append(name)
                elif entry.is_file():
                    found.files[name] = Path(entry.path).read_bytes()
                    mode = stat.S_IMODE(entry.stat().st_mode)
                    if mode != _PLAIN:
                        found.modes[name] = mode
                else:
                    raise UserError(f"{entry.path}: neither a file nor a folder, it cannot be copied")
        except OSError as error:
            raise UserError(f"{error.filename}: {error.strerror}") from error
        return found

    def complete(self, env: Environment) -> None:
        """Give a fresh ``env`` that was started with :attr:`files` everything else, as part of its base commit.

        Raises:
            UserError: the environment knows no symbolic links.
            EnvironmentFailure: it could not be done.
        """
        if env.kind == "simulated":
            for name in self.links:
                raise UserError(f"environment=simulated knows no symbolic links, and {name} is one")
            return
        commands = [f"mkdir -p -- {quote(name)}" for name in self.empty]
        for name, target in self.links.items():
            parent = os.path.dirname(name)  # noqa: PTH120 - a path of the environment
            commands += [f"mkdir -p -- {quote(parent)}"] if parent else []
            commands.append(f"ln -s -- {quote(target)} {quote(name)}")
        commands += [f"chmod {mode:o} -- {quote(name)}" for name, mode in self.modes.items()]
        if not commands:
            return
        script = "\n".join(["(", "set -e", f"cd {quote(str(env.root))}", *commands, _COMMIT, ")"])
        result = env.run(script, timeout=_SECONDS)
        if result.exit_code:
            raise EnvironmentFailure(f"the copy cannot be completed: {result.output.strip()}")


def _walk(folder: str) -> Iterator[os.DirEntry[str]]:
    """Files, links and empty folders below ``folder``, always in the same order."""
    with os.scandir(folder) as entries:
        found = sorted(entries, key=lambda entry: entry.name)
    for entry in found:
        if entry.name.lower() == ".git":
            continue
        if not entry.is_dir(follow_symlinks=False):
            yield entry
            continue
        below = False
        for inner in _walk(entry.path):
            below = True
            yield inner
        if not below:
            yield entry
