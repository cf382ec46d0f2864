"""HumanEvalFix: mend one function so that the dataset's own tests pass.

The data is HumanEvalPack (Muennighoff et al., OctoPack, arXiv 2308.07124), read in its own format from a
local file or from the hub. Each problem becomes a small repository: ``main.py`` (the buggy function),
``test_main.py`` (the dataset's example tests, where it has some) and ``README.md``.

Columns that reach the agent: ``prompt``, ``buggy_solution``, ``example_test``, ``entry_point``,
``docstring``. Columns that only grading uses: ``test``, ``canonical_solution``. ``bug_type`` and
``failure_symptoms`` would give the bug away and are used nowhere.
"""

from __future__ import annotations

import ast
import difflib
import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from aci_plugins.plugin import plugin
from runner.benchmarks.base import Grade, Instance, Start
from runner.benchmarks.grading import grade_by_tests
from runner.benchmarks.rows import Row, named, read_rows
from runner.benchmarks.selection import Filter, Slice, select
from runner.errors import UserError
from runner.secrets import redact

HIDDEN_MODULE = "hidden_test_main"
TEST = f"{HIDDEN_MODULE}.HiddenTest.test_check"


@plugin
class HumanEvalFix:
    """The problems of one language.

    Attributes:
        path: JSON-lines file in the dataset's own format; None takes ``dataset`` from the hub.
        dataset: name on the Hugging Face hub (``HF_ENDPOINT``, ``HF_TOKEN`` and ``HF_HOME`` are heeded);
            a file that was downloaded once is read from the hub's cache on this machine.
        revision: branch, tag or commit of ``dataset``.
        language: only Python can be graded now.
        slice: ``a:b`` or ``a:b:c`` over what ``ids`` and ``filter`` leave, as Python slices.
        ids: only these instances, e.g. ``humanevalfix-python-0``.
        filter: regular expression that the whole instance id must match.
        test_timeout: seconds that a problem's tests may take.
    """

    path: str | None = None
    dataset: str | None = "bigcode/humanevalpack"
    revision: str = "main"
    language: Literal["python"] = "python"
    slice: Slice | None = None
    ids: list[str] | None = None
    filter: Filter | None = None
    test_timeout: float = Field(default=20.0, gt=0, le=31_536_000)

    @property
    def name(self) -> str:
        return "humanevalfix"

    def instances(self) -> Sequence[Instance]:
        """The chosen problems in the dataset's order.

        Raises:
            UserError: no file given and the hub cannot be reached, or a broken file (with its line).
        """
        return self._instances

    def grade(self, instance: Instance, submission: str, start: Start) -> Grade:
        """See :func:`runner.benchmarks.grading.grade_by_tests`."""
        return grade_by_tests(instance, submission, start(), test_timeout=self.test_timeout)

    @cached_property
    def _instances(self) -> tuple[Instance, ...]:
        path = Path(self.path) if self.path is not None else self._download()
        pairs = named([(self._instance_id(row), row) for row in read_rows(path)])
        chosen = select(pairs, source=str(path), filter=self.filter, ids=self.ids, slice=self.slice)
        return tuple(_instance(self._instance_id(row), row) for row in chosen)

    def _instance_id(self, row: Row) -> str:
        """``Python/0`` -> ``humanevalfix-python-0``."""
        return f"humanevalfix-{self.language}-{row.text('task_id').rpartition('/')[2]}"

    def _download(self) -> Path:
        if self.dataset is None:
            raise UserError(
                "benchmark.path and benchmark.dataset are null: give one, e.g. benchmark.path=FILE"
            )
        from huggingface_hub import get_hf_file_metadata, hf_hub_download, hf_hub_url
        from huggingface_hub.errors import LocalEntryNotFoundError

        file = f"data/{self.language}/data/humanevalpack.jsonl"
        wanted: dict[str, Any] = {
            "repo_id": self.dataset,
            "filename": file,
            "repo_type": "dataset",
            "revision": self.revision,
        }
        endpoint = os.environ.get("HF_ENDPOINT")
        try:
            try:
                return Path(hf_hub_download(**wanted, local_files_only=True))
            except LocalEntryNotFoundError:
                # Fails at once where there is no network; the download itself would try for half a minute.
                get_hf_file_metadata(hf_hub_url(**wanted, endpoint=endpoint), timeout=10)
                return Path(hf_hub_download(**wanted, endpoint=endpoint))
        except Exception as error:  # which HTTP library the hub's client uses is its own affair
            reason = redact(" ".join(str(error).split()))[:300]
            raise UserError(
                f"benchmark.dataset={self.dataset}: cannot get {file} ({self.revision}) from the hub; "
                f"give a local copy with benchmark.path=FILE ({type(error).__name__}: {reason})"
            ) from error


def _instance(name: str, row: Row) -> Instance:
    entry = row.text("entry_point")
    buggy = _module(row, "buggy_solution")
    fixed = _module(row, "canonical_solution")
    files = {"main.py": buggy, "README.md": _README.format(entry=entry)}
    if example := _example_test(row.text("example_test"), entry):
        files["test_main.py"] = example
    return Instance(
        instance_id=name,
        problem_statement=_issue(row.text("docstring"), entry, has_examples=bool(example)),
        files={path: text.encode() for path, text in files.items()},
        gold_patch=_diff(buggy, fixed),
        repo="humanevalfix",
        fail_to_pass=(TEST,),
        hidden={f"{HIDDEN_MODULE}.py": _hidden_test(row, entry, fixed).encode()},
        extra={"task_id": row.text("task_id"), "entry_point": entry},
    )


def _module(row: Row, column: str) -> str:
    text = row.text("prompt").lstrip("\n") + row.text(column)
    try:
        ast.parse(text)
    except SyntaxError as error:
        raise UserError(f"{row.where}: prompt and {column!r} are no Python: {error}") from error
    return text.rstrip("\n") + "\n"


def _issue(docstring: str, entry: str, *, has_examples: bool) -> str:
    examples = (
        "\nSome expected results are in `test_main.py` (run it with `python test_main.py`).\n"
        if has_examples
        else ""
    )
    return (
        f"`{entry}` in main.py does not do what its docstring says\n\n"
        f"The function `{entry}` has a bug. This is how it should behave:\n\n"
        f"{docstring.strip()}\n{examples}\n"
        f"Please correct the function in `main.py`. Its name and signature must stay as they are.\n"
    )


_README = """# {entry}

`main.py` holds the function `{entry}`; its docstring says what it does.
"""


def _example_test(code: str, entry: str) -> str:
    """The dataset's example tests as a module that people, unittest and pytest can run; "" if it has none."""
    body = code.strip().removesuffix(f"check({entry})").rstrip()
    if not body:
        return ""
    return (
        f"import unittest\n\nfrom main import {entry}\n\n\n{body}\n\n\n"
        f"class ExampleTest(unittest.TestCase):\n    def test_examples(self):\n        check({entry})\n\n\n"
        'if __name__ == "__main__":\n    unittest.main()\n'
    )


def _hidden_test(row: Row, entry: str, fixed: str) -> str:
    """The dataset's test as it is, with the submission's function in the dataset's own surroundings.

    Imports and helper functions come from the dataset, so that a submission cannot weaken them, and the
    function may only return plain values: an object that claims to equal everything would pass any assertion.
    """
    tree = ast.parse(fixed)
    tree.body = [node for node in tree.body if getattr(node, "name", None) != entry]
    helpers = ast.unparse(tree)
    return _HIDDEN.format(entry=entry, helpers=helpers, test=row.text("test"))


_HIDDEN = """import unittest

import main

HELPERS = {helpers!r}
TEST = {test!r}
PLAIN = (bool, int, float, complex, str, bytes, type(None))


def check_plain(value):
    kind = type(value)
    if kind is dict:
        value = [*value.keys(), *value.values()]
    elif kind in PLAIN:
        return
    elif kind not in (list, tuple, set, frozenset):
        raise TypeError("returned a value of type " + kind.__name__)
    for item in value:
        check_plain(item)


def plain(function):
    def call(*arguments):
        value = function(*arguments)
        check_plain(value)
        return value

    return call


class HiddenTest(unittest.TestCase):
    def test_check(self):
        names = {{}}
        exec(compile(HELPERS, "helpers", "exec"), names)
        names["{entry}"] = plain(main.{entry})
        exec(compile(TEST, "test", "exec"), names)
"""


def _diff(old: str, new: str) -> str:
    # Not str.splitlines: it also splits at characters that are no line ends to git.
    before, after = ([f"{line}\n" for line in text.split("\n")[:-1]] for text in (old, new))
    lines = difflib.unified_diff(before, after, "a/main.py", "b/main.py")
    return "diff --git a/main.py b/main.py\n" + "".join(lines)
