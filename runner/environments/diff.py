"""Git's own diff and ignore rules, on bytes, away from any repository of an agent."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from aci_plugins.environment import EnvironmentFailure
from runner.environments.gitobjects import SYMLINK, Entry, Objects
from runner.environments.launcher import SYSTEM_PATH

# Nothing of the user's or the machine's configuration may change a patch.
_ENV = {
    "PATH": SYSTEM_PATH,
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_ATTR_NOSYSTEM": "1",
    "LC_ALL": "C",
}
# A pattern within C quotes: a backslash that is to be itself is doubled for each of the two.
_SPECIAL = {"\\": r"\\\\", '"': r"\"", "\n": r"\n", "\t": r"\t", "*": r"\\*", "?": r"\\?", "[": r"\\["}


def diff(before: Mapping[str, Entry], after: Mapping[str, Entry]) -> str:
    """The git diff that turns the files ``before`` into the files ``after``. It is valid UTF-8.

    Raises:
        EnvironmentFailure: git is missing or fails.
    """
    objects = Objects()
    trees = [objects.add_tree(files).hex() for files in (before, after)]
    with tempfile.TemporaryDirectory(prefix="acilab-diff-") as folder:
        git = _skeleton(Path(folder))
        objects.write_loose(git / "objects")
        binary = [p for p, entry in (*before.items(), *after.items()) if not _is_text(entry)]
        (git / "info/attributes").write_bytes(b"".join(_attribute(path) for path in binary))
        options = ["-p", "--binary", "-M", "--full-index", "--no-ext-diff", "--no-textconv", "--no-color"]
        done = _git(git, ["diff-tree", *options, *trees])
    if done.returncode:
        raise EnvironmentFailure(f"git diff-tree failed: {done.stderr.decode('utf-8', 'replace').strip()}")
    return done.stdout.decode("utf-8", "surrogateescape")


def ignored(paths: Sequence[str], rules: Mapping[str, bytes]) -> set[str]:
    """Which of ``paths`` the ``.gitignore`` files ``rules`` (path -> content) ignore.

    Raises:
        EnvironmentFailure: git is missing or fails.
    """
    if not paths or not rules:
        return set()
    with tempfile.TemporaryDirectory(prefix="acilab-ignore-") as folder:
        git = _skeleton(Path(folder))
        for path, data in rules.items():
            file = Path(folder) / "tree" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        (Path(folder) / "tree").mkdir(exist_ok=True)
        asked = b"".join(path.encode("utf-8", "surrogateescape") + b"\0" for path in paths)
        done = _git(git, ["check-ignore", "-z", "--stdin", "--no-index"], asked, Path(folder) / "tree")
    if done.returncode not in (0, 1):  # 1: none is ignored
        raise EnvironmentFailure(f"git check-ignore failed: {done.stderr.decode('utf-8', 'replace').strip()}")
    return {name.decode("utf-8", "surrogateescape") for name in done.stdout.split(b"\0") if name}


def _skeleton(folder: Path) -> Path:
    git = folder / "git"
    for below in ("objects", "refs", "info"):
        (git / below).mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    return git


def _git(
    git: Path, command: list[str], stdin: bytes = b"", tree: Path | None = None
) -> subprocess.CompletedProcess[bytes]:
    env = {**_ENV, "GIT_DIR": str(git), **({"GIT_WORK_TREE": str(tree)} if tree else {})}
    try:
        return subprocess.run(
            ["git", *command], input=stdin, capture_output=True, env=env, cwd=tree, check=False
        )
    except FileNotFoundError as error:
        raise EnvironmentFailure("git is not installed; it is needed to make patches") from error


def _is_text(entry: Entry) -> bool:
    if entry.mode == SYMLINK:
        return True
    try:
        entry.data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _attribute(path: str) -> bytes:
    """The line that makes git treat exactly ``path`` as binary; the quoting is that of ``gitattributes(5)``."""
    quoted = "".join(_SPECIAL.get(char, char) for char in path)
    return f'"/{quoted}" -diff\n'.encode("utf-8", "surrogateescape")
