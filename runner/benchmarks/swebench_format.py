"""Instances in SWE-bench's format, over repositories that lie beside them.

A folder holds ``instances.jsonl`` and ``repos/<repo>/``. The lines have SWE-bench's columns (Jimenez et al.,
arXiv 2310.06770): ``instance_id``, ``repo``, ``problem_statement``, ``patch``, ``test_patch``,
``FAIL_TO_PASS`` and ``PASS_TO_PASS`` (a list, or JSON text of one). ``repos/<repo>`` is the repository with
all bugs fixed: the state an instance starts from is that tree with its ``patch`` reversed; a tree to which
``patch`` applies as it is counts as buggy already.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib.resources import files as resources
from pathlib import Path
from typing import Any

from pydantic import Field

from aci_plugins.plugin import plugin, suggest
from runner.benchmarks.base import Grade, Instance, Start
from runner.benchmarks.grading import file_of_test, grade_by_tests
from runner.benchmarks.patches import PatchError, Tree, applied
from runner.benchmarks.rows import Row, named, read_rows
from runner.benchmarks.selection import Filter, Slice, select
from runner.errors import UserError

COLUMNS = ("instance_id", "repo", "problem_statement", "patch", "test_patch", "FAIL_TO_PASS", "PASS_TO_PASS")


@plugin
class Bugs:
    """Bugs in small repositories.

    Attributes:
        path: folder with ``instances.jsonl`` and ``repos/``; None for the ones shipped with the product.
        slice: ``a:b`` or ``a:b:c`` over what ``ids`` and ``filter`` leave, as Python slices.
        ids: only these instances.
        filter: regular expression that the whole instance id must match.
        test_timeout: seconds that the tests of one module may take.
    """

    path: str | None = None
    slice: Slice | None = None
    ids: list[str] | None = None
    filter: Filter | None = None
    test_timeout: float = Field(default=60.0, gt=0, le=31_536_000)

    @property
    def name(self) -> str:
        return Path(self.path).name if self.path else "bugs"

    def instances(self) -> Sequence[Instance]:
        """The chosen instances in the order of the file.

        Raises:
            UserError: see ``runner.benchmarks.rows`` and ``selection``; also an unknown repository and
                a patch that does not apply.
        """
        return self._instances

    def grade(self, instance: Instance, submission: str, start: Start) -> Grade:
        """See :func:`runner.benchmarks.grading.grade_by_tests`."""
        return grade_by_tests(instance, submission, start(), test_timeout=self.test_timeout)

    @cached_property
    def _instances(self) -> tuple[Instance, ...]:
        folder = Path(self.path) if self.path else Path(str(resources("runner.benchmarks") / "bugs"))
        if not folder.is_dir():
            raise UserError(
                f"benchmark.path={folder}: there is no such folder (it must hold instances.jsonl and repos/)"
            )
        rows = read_rows(folder / "instances.jsonl")
        for row in rows:
            _check_columns(row)
        pairs = named([(row.text("instance_id"), row) for row in rows])
        source = str(folder / "instances.jsonl")
        chosen = select(pairs, source=source, filter=self.filter, ids=self.ids, slice=self.slice)
        by_repo: dict[str, list[Row]] = {}
        for row in chosen:
            by_repo.setdefault(row.text("repo"), []).append(row)
        made = {}
        for repo, its_rows in by_repo.items():
            files = _repository(folder / "repos", repo, its_rows[0])
            with Tree(files) as tree:
                made.update({row.where: _instance(row, files, tree) for row in its_rows})
        return tuple(made[row.where] for row in chosen)


def _check_columns(row: Row) -> None:
    for column in COLUMNS:
        if column not in row.data:
            raise UserError(f"{row.where}: column {column!r} is missing")


def _repository(folder: Path, repo: str, row: Row) -> dict[str, bytes]:
    """All files of ``folder/repo`` by relative path.

    SWE-bench names repositories ``owner/name``; the folder may have that form or ``owner__name``.
    """
    names = sorted(p.name for p in folder.iterdir() if p.is_dir()) if folder.is_dir() else []
    parts = Path(repo).parts
    inside = ".." not in parts and not Path(repo).is_absolute() and all(len(part) < 64 for part in parts)
    places = [folder / repo, folder / repo.replace("/", "__")] if inside else []
    for place in places:
        if place.is_dir():
            return {
                path.relative_to(place).as_posix(): path.read_bytes()
                for path in sorted(place.rglob("*"))
                if path.is_file() and not _is_litter(path.relative_to(place))
            }
    raise UserError(f"{row.where}: there is no repository {repo!r} in {folder}{suggest(repo, names)}")


def _is_litter(path: Path) -> bool:
    """Traces of running the tests in place, and version control: never part of the repository."""
    return path.suffix == ".pyc" or not {"__pycache__", ".git", ".pytest_cache"}.isdisjoint(path.parts)


def _instance(row: Row, files: Mapping[str, bytes], tree: Tree) -> Instance:
    patch = row.text("patch")
    base = _base(row, files, tree, patch)
    try:
        tested = applied(base, row.text("test_patch")) if row.text("test_patch").strip() else base
    except PatchError as error:
        raise UserError(f"{row.where}: test_patch does not apply: {error}") from error
    fail, keep = _tests(row, "FAIL_TO_PASS"), _tests(row, "PASS_TO_PASS")
    hidden = {name: data for name, data in tested.items() if base.get(name) != data}
    for test in (*fail, *keep):
        # Test files that the agent does see are put back too: a submission may not change what grades it.
        if found := file_of_test(test, tested):
            hidden[found[0]] = tested[found[0]]
        else:
            raise UserError(f"{row.where}: test {test!r} is in no file of the repository or of test_patch")
    if not fail:
        raise UserError(f"{row.where}: FAIL_TO_PASS names no test")
    return Instance(
        instance_id=row.text("instance_id"),
        problem_statement=row.text("problem_statement"),
        files=base,
        gold_patch=patch,
        repo=row.text("repo"),
        fail_to_pass=fail,
        pass_to_pass=keep,
        hidden=hidden,
        extra={name: value for name, value in row.data.items() if name not in COLUMNS},
    )


def _base(row: Row, files: Mapping[str, bytes], tree: Tree, patch: str) -> dict[str, bytes]:
    try:
        return tree.applied(patch, reverse=True)
    except PatchError as reverse_error:
        try:
            tree.applied(patch)
        except PatchError:
            raise UserError(
                f"{row.where}: patch applies neither reversed nor as it is to repository "
                f"{row.text('repo')!r}: {reverse_error}"
            ) from reverse_error
    return dict(files)


def _tests(row: Row, column: str) -> tuple[str, ...]:
    """A list of test ids, or one written as JSON text."""
    value: Any = row.data[column]
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError as error:
            raise UserError(f"{row.where}: column {column!r} is no list: {error}") from error
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise UserError(f"{row.where}: column {column!r} must be a list of test ids")
    return tuple(dict.fromkeys(value))
