"""A verdict from tests that are run on the submission, never from what anybody says."""

from __future__ import annotations

import hashlib
import hmac
import json
import posixpath
import secrets
import shlex
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from aci_plugins.environment import Environment, EnvironmentFailure
from runner.benchmarks import suite_runner
from runner.benchmarks.base import Grade, Instance, TestStatus

LOG_CHARS = 8000


def grade_by_tests(
    instance: Instance, submission: str, environment: Environment, *, test_timeout: float
) -> Grade:
    """Apply ``submission``, put the hidden tests over it, run the instance's tests, one process per module.

    A submission that does not apply, a test process that crashes, ends early or runs longer than
    ``test_timeout`` seconds is a verdict: not resolved. See ``suite_runner`` for what is done against
    submissions that would rather change their tests than pass them.

    Raises:
        EnvironmentFailure: the environment cannot run the tests (it broke, or has no Python).
    """
    began = time.monotonic()
    wanted = (*instance.fail_to_pass, *instance.pass_to_pass)
    if refused := _apply(submission, environment):
        missing: dict[str, TestStatus] = dict.fromkeys(wanted, "missing")
        return Grade(False, missing, patch_applied=False, seconds=time.monotonic() - began, log=refused)
    _put(instance.hidden, environment)
    modules = _modules(wanted, instance)
    statuses, log = _run(modules, instance, environment, test_timeout)
    tests: dict[str, TestStatus] = {name: statuses.get(name, "missing") for name in wanted}
    resolved = bool(tests) and all(status == "passed" for status in tests.values())
    return Grade(resolved, tests, seconds=time.monotonic() - began, log=log[-LOG_CHARS:])


def file_of_test(name: str, files: Mapping[str, bytes]) -> tuple[str, str] | None:
    """The file of ``files`` that holds the test ``name`` (``pkg.test_x.Class.test`` or
    ``pkg/test_x.py::Class::test``), and the test's name in dots; None if there is none."""
    if "::" in name:
        path, *inner = name.split("::")
        dotted = ".".join([path.removesuffix(".py").replace("/", "."), *inner])
        return (path, dotted) if path in files else None
    parts = name.split(".")
    for length in range(len(parts) - 1, 0, -1):
        path = "/".join(parts[:length]) + ".py"
        if path in files:
            return path, name
    return None


def _apply(submission: str, environment: Environment) -> str:
    """Why the submission does not apply, or ""."""
    if not submission.strip():
        return ""
    name = f".acilab-{secrets.token_hex(8)}.patch"
    path = str(environment.root / name)
    environment.write(path, submission.encode("utf-8", "surrogateescape"))
    # git refuses absolute paths, "..", ".git" and paths beyond symbolic links.
    command = f"cd {shlex.quote(str(environment.root))} && git apply --whitespace=nowarn {name}"
    result = environment.run(command, timeout=120)
    environment.remove(path)
    if result.timed_out:
        raise EnvironmentFailure(f"git apply took longer than 120 seconds: {result.output[-500:]}")
    if result.exit_code == 127:
        raise EnvironmentFailure(f"git is missing in the environment: {result.output[-500:].strip()}")
    return result.output.strip() or "git apply failed" if result.exit_code else ""


def _put(hidden: Mapping[str, bytes], environment: Environment) -> None:
    """Write the hidden files. What the submission put in their way (a folder, a link) is removed."""
    if not hidden:
        return
    root = environment.root
    steps = []
    for name in sorted(hidden):
        parents = [str(parent) for parent in reversed(list(Path(name).parents)[:-1])]
        steps += [
            f"[ ! -L {shlex.quote(p)} ] && [ -d {shlex.quote(p)} ] || rm -rf {shlex.quote(p)}"
            for p in parents
        ]
        steps.append(f"rm -rf {shlex.quote(name)} && mkdir -p {shlex.quote(posixpath.dirname(name) or '.')}")
    command = "\n".join([f"cd {shlex.quote(str(root))}", *steps])
    result = environment.run(command, timeout=120)
    if result.exit_code:
        raise EnvironmentFailure(f"cannot make room for the hidden tests: {result.output[-500:].strip()}")
    for name, data in hidden.items():
        environment.write(str(root / name), data)


def _modules(wanted: Iterable[str], instance: Instance) -> dict[str, dict[str, str]]:
    """Test ids by module: module -> dotted test name -> id as the benchmark writes it."""
    files = instance.files | instance.hidden
    modules: dict[str, dict[str, str]] = {}
    for name in wanted:
        if found := file_of_test(name, files):
            path, dotted = found
            modules.setdefault(path.removesuffix(".py").replace("/", "."), {})[dotted] = name
    return modules


def _run(
    modules: Mapping[str, Mapping[str, str]], instance: Instance, environment: Environment, timeout: float
) -> tuple[dict[str, TestStatus], str]:
    """Run ``suite_runner`` in the environment and check the signature of what it says."""
    key, mark = secrets.token_bytes(32), f"acilab-{secrets.token_hex(8)}"
    plan = {
        "key": key.hex(),
        "mark": mark,
        "root": str(environment.root),
        "timeout": timeout,
        "protected": sorted(instance.hidden),
        "modules": [{"name": name, "tests": list(tests)} for name, tests in modules.items()],
    }
    script = f"{environment.root}/.{mark}.py"
    environment.write(script, Path(suite_runner.__file__).read_bytes())
    environment.write(f"{script}.json", json.dumps(plan).encode())
    arguments = f"-I -S -B {shlex.quote(script)} {shlex.quote(script + '.json')}"
    result = environment.run(
        f'"$(command -v python3 || command -v python || echo python3)" {arguments}',
        timeout=timeout * len(modules) + 60,
    )
    said = _signed(result.output, mark, key)
    if "ready" not in said:
        raise EnvironmentFailure(f"the tests could not be started: {result.output[-1000:].strip()}")
    verdict = said[-1]
    if not isinstance(verdict, dict):
        # It was running: only the tested code can have stopped it.
        return {}, f"the tests were stopped before their end\n{result.note}"
    ids = {dotted: name for tests in modules.values() for dotted, name in tests.items()}
    return {ids[dotted]: status for dotted, status in verdict["tests"].items()}, verdict["log"]


def _signed(output: str, mark: str, key: bytes) -> list[Any]:
    """The values that were printed with a right signature."""
    found = []
    for line in output.splitlines():
        words = line.split(" ", 2)
        if words[0] == mark and len(words) == 3:
            right = hmac.new(key, words[2].encode(), hashlib.sha256).hexdigest()
            if hmac.compare_digest(words[1].encode(), right.encode()):
                found.append(json.loads(words[2]))
    return found
