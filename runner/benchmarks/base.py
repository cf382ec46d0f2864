"""The contract of a benchmark."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from aci_plugins.environment import Environment

TestStatus = Literal["passed", "failed", "missing"]


@dataclass(frozen=True, slots=True)
class Instance:
    """One task.

    Attributes:
        instance_id: unique within the benchmark; letters, digits, ``_ - .`` only.
        problem_statement: what the model is told.
        files: the base commit of the repository the agent sees: path relative to the repository -> content.
        gold_patch: the reference solution as a git diff (used by ``model=gold`` and by graders' checks only).
        repo: name of the repository, for tables.
        fail_to_pass / pass_to_pass: test ids that must pass after the fix.
        hidden: what grading needs and the agent must not see: path -> content.
        extra: further columns of the dataset, kept for records.
    """

    instance_id: str
    problem_statement: str
    files: dict[str, bytes]
    gold_patch: str
    repo: str = ""
    fail_to_pass: tuple[str, ...] = ()
    pass_to_pass: tuple[str, ...] = ()
    hidden: dict[str, bytes] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Grade:
    """The verdict on a submission.

    Attributes:
        resolved: all FAIL_TO_PASS and PASS_TO_PASS tests pass.
        tests: status by test id.
        patch_applied: False when the submission did not apply (then nothing is resolved).
        seconds: wall-clock time of grading.
        log: the end of the test output, for people.
    """

    resolved: bool
    tests: dict[str, TestStatus] = field(default_factory=dict)
    patch_applied: bool = True
    seconds: float = 0.0
    log: str = ""


Start = Callable[[], Environment]
"""Starts a clean environment for one grading; the caller of ``grade`` closes it."""


class Benchmark(Protocol):
    """A set of instances and their grader."""

    @property
    def name(self) -> str: ...

    def instances(self) -> Sequence[Instance]:
        """All instances in the dataset's order.

        Raises:
            runner.errors.UserError: missing file, broken line (with its number), duplicate id …
        """
        ...

    def grade(self, instance: Instance, submission: str, start: Start) -> Grade:
        """Grade ``submission`` (a git diff; "" for none). ``start()`` gives a clean environment that holds
        ``instance.files`` committed as its base; who grades without one does not pay for it.

        Raises:
            aci_plugins.environment.EnvironmentFailure: the grader could not run; this is no verdict.
        """
        ...
