"""The repository made without git, against real git."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from aci_plugins.plugin import build
from runner.environments import workspace
from runner.environments.beneath import Outside, open_beneath
from runner.environments.beneath import _walk as walk_components
from runner.environments.folders import new_folder, remove_folder
from runner.environments.output import HeadTail
from runner.environments.workspace import Repository

OWNER = (os.getuid(), os.getgid())


def git(folder: Path, *arguments: str) -> str:
    env = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1"}
    command = ["git", "-c", "safe.directory=*", *arguments]
    return subprocess.run(command, cwd=folder, env=env, check=True, capture_output=True, text=True).stdout


def test_same_tree_as_git(tmp_path: Path) -> None:
    rng = random.Random(1)
    files = {f"{'d' * (i % 7)}/x{i % 5}/f-{i}.txt".lstrip("/"): rng.randbytes(i * i) for i in range(120)}
    files |= {"a.b": b"", "a/b": b"1", "a0": b"2", "ünïcode/ß": b"x", "n" * 200: b"long name"}
    repository = Repository.create(tmp_path / "r", files, OWNER)
    ours = git(repository.folder, "rev-parse", "HEAD^{tree}")
    git(repository.folder, "fsck", "--strict", "--full")
    assert git(repository.folder, "status", "--porcelain") == ""
    assert git(repository.folder, "diff-files") == ""  # the index knows the files' times: nothing to refresh
    git(repository.folder, "read-tree", "--empty")
    git(repository.folder, "add", "-A")
    assert git(repository.folder, "write-tree") == ours
    twin = Repository.create(tmp_path / "twin", files, OWNER)
    assert git(twin.folder, "rev-parse", "HEAD") == git(repository.folder, "rev-parse", "HEAD")


def test_empty_repository(tmp_path: Path) -> None:
    repository = Repository.create(tmp_path / "r", {}, OWNER)
    assert git(repository.folder, "log", "--oneline").endswith("Base commit\n")
    (repository.folder / "new").write_text("x\n")
    assert "b/new" in repository.patch()


def test_change_of_same_size_at_once_is_seen(tmp_path: Path) -> None:
    repository = Repository.create(tmp_path / "r", {"a": b"1\n"}, OWNER)
    with (repository.folder / "a").open("r+") as file:
        file.write("2")
    assert "-1\n+2\n" in repository.patch()


def test_nothing_that_is_not_utf8_reaches_the_patch(tmp_path: Path) -> None:
    names = ["plain.txt", 'a "quoted" *?[x].txt', "back\\slash", "tab\there", "ü"]
    repository = Repository.create(tmp_path / "r", {name: b"caf\xe9\n" for name in names}, OWNER)
    for name in names:
        (repository.folder / name).write_bytes(b"th\xe9\n")
    patch = repository.patch()
    patch.encode("utf-8")
    assert patch.count("GIT binary patch") == len(names)


def test_large_files_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspace, "LARGEST", 1000)
    repository = Repository.create(tmp_path / "r", {"a": b"1\n"}, OWNER)
    (repository.folder / "core").write_bytes(b"x" * 1001)
    (repository.folder / "fits").write_bytes(b"x" * 1000)
    assert "b/fits" in repository.patch() and "b/core" not in repository.patch()


def test_deep_folders() -> None:
    folder = new_folder()
    repository = Repository.create(folder / "r", {"a": b"1\n"}, OWNER)
    (repository.folder / "new").write_text("x\n")
    program = "import os\nfor i in range(3000): os.mkdir('d' * 100); os.chdir('d' * 100)\nopen('f', 'w')"
    subprocess.run([sys.executable, "-c", program], cwd=repository.folder, check=True)
    patch = repository.patch()
    assert "b/new" in patch and "ddd" not in patch
    remove_folder(folder)
    assert not folder.exists()


@pytest.mark.parametrize("opener", [open_beneath, walk_components])
def test_opening_beneath(tmp_path: Path, opener: object) -> None:
    assert callable(opener)
    (tmp_path / "in/sub").mkdir(parents=True)
    (tmp_path / "secret").write_text("s")
    (tmp_path / "in/sub/f").write_text("f")
    (tmp_path / "in/up").symlink_to("../secret")
    (tmp_path / "in/abs").symlink_to(tmp_path / "secret")
    (tmp_path / "in/out").symlink_to("..")
    root = os.open(tmp_path / "in", os.O_PATH | os.O_DIRECTORY)
    fd = opener(root, "sub/f", os.O_RDONLY, 0)
    assert os.read(fd, 9) == b"f"
    for path in ("up", "abs", "out/secret", "../secret", str(tmp_path / "secret")):
        with pytest.raises(Outside):
            opener(root, path, os.O_RDONLY, 0)
    with pytest.raises(FileNotFoundError):
        opener(root, "sub/g", os.O_RDONLY, 0)
    with pytest.raises(NotADirectoryError):
        opener(root, "sub/f/g", os.O_RDONLY, 0)
    os.close(fd)
    os.close(root)


@pytest.mark.parametrize("size", [0, 1, 9, 10, 11, 29, 30, 31, 1000])
@pytest.mark.parametrize("step", [1, 7, 1000])
def test_head_and_tail(size: int, step: int) -> None:
    data = bytes(i % 26 + 97 for i in range(size))
    kept = HeadTail(10, 20)
    for at in range(0, size, step):
        kept.add(data[at : at + step])
    text, lost = kept.text()
    if size <= 30:
        assert (text, lost) == (data.decode(), 0)
    else:
        assert lost == size - 30
        assert (
            text == f"{data[:10].decode()}\n[... {lost} bytes of output left out ...]\n{data[-20:].decode()}"
        )


@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parents[3] / "conf/environment").glob("*.yaml")), ids=lambda p: p.stem
)
def test_every_option_is_built_and_complete(path: Path) -> None:
    node = yaml.safe_load(path.read_text("utf-8"))
    spec = build(node)
    assert spec.kind == path.stem
    defaults = {key: value for key, value in vars(type(spec)()).items() if not key.startswith("_")}
    assert {key: value for key, value in node.items() if key != "_target_"} == defaults
