"""An environment whose repository is a folder of this machine: ``sandbox`` and ``local``."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Literal

from aci_plugins.environment import CommandResult, EnvironmentFailure, Match
from runner.environments.base import Workspace
from runner.environments.beneath import Outside
from runner.environments.folders import new_folder, remove_folder
from runner.environments.inside import Inside
from runner.environments.launcher import Launcher
from runner.environments.limits import Limits
from runner.environments.shell import Shell
from runner.environments.tree import Tree
from runner.environments.workspace import Repository

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_TAKEN = {"home", "root", "run", "tmp", "var"}
_SYSTEM = {"bin", "dev", "etc", "lib", "lib32", "lib64", "libx32", "proc", "sbin", "usr"}


def can_be_named(name: str) -> bool:
    """Whether a repository may be the folder ``/name``: one name or several with slashes, not of the system."""
    first, *rest = parts = name.split("/")
    return all(map(_NAME.fullmatch, parts)) and first not in _SYSTEM and (bool(rest) or first not in _TAKEN)


class BoundEnvironment:
    """A shell, and the repository's folder seen from the host.

    Files in the repository are read and written directly, without a process; a path or symlink that leads out of
    it is left to the shell, which sees what the environment sees.
    """

    def __init__(
        self, *, kind: str, root: str, shell: Shell, repository: Repository, folder: Path, check_modes: bool
    ) -> None:
        """``root``: the repository as seen inside; ``folder``: what :meth:`close` removes on the host."""
        self.kind = kind
        self.root = PurePosixPath(root)
        self._prefix = root + "/"
        self._shell = shell
        self._inside = Inside(shell)
        self._repository = repository
        self._folder = folder
        self._tree = Tree(repository.folder, check_modes=check_modes)
        self._closed = False

    @property
    def cwd(self) -> PurePosixPath:
        return PurePosixPath(self._shell.cwd)

    def run(self, command: str, *, timeout: float) -> CommandResult:
        return self._shell.run(command, timeout)

    def read(self, path: str) -> bytes:
        path = self._absolute(path)
        if (below := self._below(path)) is not None:
            with suppress(Outside):
                return self._tree.read(below)
        return self._inside.read(path)

    def write(self, path: str, data: bytes) -> None:
        path = self._absolute(path)
        if (below := self._below(path)) is not None:
            with suppress(Outside):
                return self._tree.write(below, data)
        return self._inside.write(path, data)

    def remove(self, path: str) -> None:
        path = self._absolute(path)
        if (below := self._below(path)) is not None:
            with suppress(Outside):
                return self._tree.remove(below)
        return self._inside.remove(path)

    def exists(self, path: str) -> Literal["file", "directory"] | None:
        path = self._absolute(path)
        if (below := self._below(path)) is not None:
            with suppress(Outside):
                return self._tree.exists(below)
        return self._inside.exists(path)

    def resolve(self, path: str) -> str:
        path = self._absolute(path)
        if (below := self._below(path)) is not None:
            with suppress(Outside):
                return str(self.root / self._tree.resolve(below))
        return self._inside.resolve(path)

    def files(self, directory: str, name: str = "*") -> list[str]:
        path = self._existing(directory)
        if self.exists(path) == "file":
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), directory)
        return self._inside.files(path, name)

    def grep(self, pattern: str, path: str) -> list[Match]:
        path = self._existing(path)
        return self._inside.grep(pattern, path, recursive=self.exists(path) == "directory")

    def patch(self) -> str:
        return self._repository.patch()

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._shell.close()
        self._tree.close()
        remove_folder(self._folder)

    def _absolute(self, path: str) -> str:
        if not path:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        try:
            bad = b"\0" in os.fsencode(path)
        except UnicodeEncodeError:
            bad = True
        if bad:
            raise OSError(errno.EINVAL, "no possible path", path)
        return path if path.startswith("/") else f"{self._shell.cwd.rstrip('/')}/{path}"

    def _existing(self, path: str) -> str:
        """``path`` without ``.``, ``..`` and doubled slashes where that does not change what it names."""
        absolute = self._absolute(path)
        if self.exists(absolute) is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        plain = os.path.normpath(absolute)
        return plain if self.resolve(plain) == self.resolve(absolute) else self.resolve(absolute)

    def _below(self, path: str) -> str | None:
        """Relative to the repository, if ``path`` begins there."""
        if path.startswith(self._prefix):
            return path[len(self._prefix) :].lstrip("/")
        return "" if path == str(self.root) else None


def start(
    *,
    kind: str,
    workspace: Workspace,
    owner: tuple[int, int] | None,
    session: Callable[[Path, Path], tuple[str, Launcher]],
    limits: Limits,
    head_kb: int,
    tail_kb: int,
    tag: str = "",
    check_modes: bool,
) -> BoundEnvironment:
    """Make the repository and the (not yet started) shell of an environment.

    ``session`` is given the session's folder and the repository's, which is below it, and answers where the
    repository appears inside and what starts commands there. ``tag``: see :class:`Shell`, ``{folder}`` filled in.

    Raises:
        EnvironmentFailure: the workspace's name or paths are impossible, or it cannot be written.
    """
    name = workspace.name
    if not can_be_named(name):
        raise EnvironmentFailure(f"a repository cannot be named {name!r}")
    folder = new_folder()
    try:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        repository = Repository.create(folder / name, workspace.files, owner)
        root, launcher = session(folder, repository.folder)
    except (OSError, ValueError) as error:
        remove_folder(folder)
        raise EnvironmentFailure(f"the workspace cannot be made: {error}") from error
    shell = Shell(
        launcher,
        cwd=root,
        limits=limits.commands(),
        head=head_kb << 10,
        tail=tail_kb << 10,
        tag=tag.format(folder=folder),
    )
    return BoundEnvironment(
        kind=kind, root=root, shell=shell, repository=repository, folder=folder, check_modes=check_modes
    )
