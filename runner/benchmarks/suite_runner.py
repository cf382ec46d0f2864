"""Runs test modules inside an environment and prints one signed line with the results.

This file is written into the environment and run there as a program, so it needs nothing but the standard
library (Python 3.7 or newer). It is two programs: a parent, which runs none of the tested code, and one child
per test module, which imports the tests and through them the tested code.

The tested code must not be able to pass its own tests by other means than being right:

* results go through a pipe of their own, never through printed text;
* the parent signs what it prints with a key that no child ever sees, and that is on no disk by then;
* a child that exits early, crashes or runs out of time leaves its tests unpassed;
* a child in which ``unittest`` or a built-in was replaced fails all tests of its module;
* nothing in the repository can shadow the standard modules that the child itself uses.

Code that searches the memory of its own interpreter for the reporting function is beyond what can be kept out
while tests and tested code share a process.
"""

from __future__ import annotations

import builtins
import contextlib
import hashlib
import hmac
import importlib
import inspect
import json
import os
import random
import selectors
import signal
import subprocess
import sys
import time
import traceback
import types
import unittest
import unittest.case
import unittest.loader
import unittest.result
import unittest.suite
from collections.abc import Callable
from pathlib import Path
from typing import Any

LOG_CHARS = 6000
REPORT_BYTES = 20_000_000


def parent(source: str, plan: dict[str, Any]) -> None:
    """Run the modules of ``plan`` one after the other and print the signed verdict."""
    key = bytes.fromhex(plan["key"])

    def say(value: object) -> None:
        text = json.dumps(value)
        signature = hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
        sys.stdout.write(f"\n{plan['mark']} {signature} {text}\n")
        sys.stdout.flush()

    say("ready")
    statuses, logs = {}, []
    for module in plan["modules"]:
        before = digests(plan["root"], plan["protected"])
        found, log = run_module(source, plan, module)
        if digests(plan["root"], plan["protected"]) != before:
            found = {name: "failed" for name in module["tests"]}
            log += "\nthe tested code changed the tests"
        statuses.update(found)
        logs.append(log)
    say({"tests": statuses, "log": "\n".join(logs)[-LOG_CHARS:]})


def digests(root: str, names: list[str]) -> list[str]:
    """What the test files are, to see whether they stay so."""
    found = []
    for name in names:
        try:
            found.append(hashlib.sha256(Path(root, name).read_bytes()).hexdigest())
        except OSError as error:
            found.append(str(error))
    return found


def run_module(source: str, plan: dict[str, Any], module: dict[str, Any]) -> tuple[dict[str, str], str]:
    """Run one child. Returns the status of its tests and the end of what it printed."""
    reports, report_to = os.pipe()
    child_process = subprocess.Popen(
        [sys.executable, "-s", "-B", "-c", source, "child"],
        cwd="/",  # the empty first entry of sys.path must not be the repository
        env={**{k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}, "PYTHONHASHSEED": "0"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        pass_fds=(report_to,),
        start_new_session=True,
    )
    os.close(report_to)
    token = os.urandom(16).hex()
    order = {"root": plan["root"], "module": module, "reports": report_to, "token": token}
    assert child_process.stdin and child_process.stdout
    with contextlib.suppress(BrokenPipeError):  # it died at once; there will be no reports
        child_process.stdin.write(json.dumps(order).encode())
        child_process.stdin.close()
    received, output, timed_out = listen(
        {"reports": reports, "output": child_process.stdout.fileno()}, plan["timeout"], token
    )
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child_process.pid, signal.SIGKILL)
    child_process.wait()
    child_process.stdout.close()
    os.close(reports)
    statuses, ended = {}, False
    for event, name, detail in received:
        if event == "start":
            statuses[name] = "failed"  # until it says otherwise
        elif event == "end":
            ended = True
            # It ran to its end: what did not start, could not (an import or a set-up failed) or is not there.
            missing, tampered = detail
            for test in module["tests"]:
                statuses.setdefault(test, "missing" if test in missing else "failed")
            if tampered:
                statuses = {test: "failed" for test in module["tests"]}
                output += f"\nthe tested code replaced {', '.join(tampered)}"
        elif name in statuses:
            statuses[name] = event
            output += detail
    if timed_out:
        output += f"\nout of time after {plan['timeout']:g} seconds: {module['name']}"
    elif not ended:
        output += f"\nthe test process of {module['name']} ended early"
    return {name: statuses.get(name, "missing") for name in module["tests"]}, output


def listen(pipes: dict[str, int], timeout: float, token: str) -> tuple[list[Any], str, bool]:
    """Read both pipes until the child says that it is done, closes its reports, or runs out of time."""
    deadline = time.monotonic() + timeout
    data = {"reports": b"", "output": b""}
    timed_out = False
    with selectors.DefaultSelector() as selector:
        for name, pipe in pipes.items():
            os.set_blocking(pipe, False)
            selector.register(pipe, selectors.EVENT_READ, name)
        ended = False
        while not ended:
            ready = selector.select(max(0.0, deadline - time.monotonic()))
            ended = timed_out = not ready
            for key, _ in ready:
                chunk = os.read(key.fd, 65536)
                data[key.data] = data[key.data] + chunk
                if key.data == "output":
                    data["output"] = data["output"][-LOG_CHARS:]
                else:
                    ended = not chunk or chunk.endswith(b"]]\n") or len(data["reports"]) > REPORT_BYTES
                if not chunk:
                    selector.unregister(key.fd)
    with contextlib.suppress(BlockingIOError):  # nothing more was printed
        data["output"] = (data["output"] + os.read(pipes["output"], 65536))[-LOG_CHARS:]
    received = []
    for line in data["reports"].decode("utf-8", "replace").splitlines():
        try:
            said, event, name, detail = json.loads(line)
        except ValueError:
            continue  # not one of ours
        if said == token:
            received.append([event, name, detail])
    return received, data["output"].decode("utf-8", "replace"), timed_out


def child() -> None:
    """Run the tests of one module; see the module's docstring for what is guarded against."""
    sys.path[:] = [entry for entry in sys.path if entry]
    order = json.loads(sys.stdin.read())
    sys.modules["__main__"] = types.ModuleType("__main__")
    write, dumps, leave = os.write, json.dumps, os._exit

    def report(event: str, name: str = "", detail: object = "") -> None:
        write(order["reports"], (dumps([order["token"], event, name, detail]) + "\n").encode())

    root, module = order["root"], order["module"]
    os.chdir(root)
    sys.path[:0] = [str(path) for path in (Path(root), Path(root, "src")) if path.is_dir()]
    guards = Guards()
    missing: list[str] = []
    try:
        tests = load(importlib.import_module(module["name"]), module["tests"], missing)
        unittest.TestSuite(tests.values()).run(
            Result(report, {id(t): name for name, t in tests.items()}, guards)
        )
    except BaseException:  # noqa: BLE001 - also SystemExit: leaving early is no way to pass
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    report("end", "", [missing, guards.tampered()])
    leave(0)  # no exit handlers of the tested code


def load(module: types.ModuleType, names: list[str], missing: list[str]) -> dict[str, unittest.TestCase]:
    """Test objects by id (``module.Class.test`` or ``module.function``), those of a class together."""
    found: dict[str, unittest.TestCase] = {}
    for name in names:
        parts = name[len(module.__name__) + 1 :].split(".")
        holder = getattr(module, parts[0], None)
        if len(parts) == 2 and isinstance(holder, type) and issubclass(holder, unittest.TestCase):
            if callable(getattr(holder, parts[1], None)):
                found[name] = holder(parts[1])
                continue
        elif len(parts) == 1 and inspect.isfunction(holder) and not inspect.signature(holder).parameters:
            found[name] = unittest.FunctionTestCase(holder)
            continue
        missing.append(name)
    order = list(dict.fromkeys(type(test) for test in found.values()))
    return dict(sorted(found.items(), key=lambda item: order.index(type(item[1]))))


class Result(unittest.TestResult):
    """Reports each test as it starts and ends; a skipped test is not passed."""

    def __init__(self, report: Callable[..., None], names: dict[int, str], guards: Guards) -> None:
        super().__init__()
        self._report, self._names, self._guards = report, names, guards
        self._passed, self._detail = False, ""

    def startTest(self, test: unittest.TestCase) -> None:
        random.seed(0)
        self._passed, self._detail = False, ""
        self._report("start", self._names[id(test)])

    def stopTest(self, test: unittest.TestCase) -> None:
        passed = self._passed and not self._detail and not self._guards.tampered(test_only=True)
        self._report("passed" if passed else "failed", self._names[id(test)], self._detail)

    def addSuccess(self, test: unittest.TestCase) -> None:
        self._passed = True

    def addExpectedFailure(self, test: unittest.TestCase, err: Any) -> None:
        self._passed = True

    def addError(self, test: unittest.TestCase, err: Any) -> None:
        self._detail += f"\n{test}\n{''.join(traceback.format_exception(*err))[-2000:]}"
        if id(test) not in self._names:  # the set-up or clean-up of a class or module
            sys.stderr.write(self._detail)

    addFailure = addError

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, err: Any) -> None:
        if err is not None:
            self.addError(test, err)

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        self._detail += f"\n{test}\nskipped: {reason}"

    def addUnexpectedSuccess(self, test: unittest.TestCase) -> None:
        self._detail += f"\n{test}\nexpected to fail, but passed"


class Guards:
    """Remembers what decides about a test, and says what of it was replaced."""

    def __init__(self) -> None:
        framework = [unittest.case, unittest.result, unittest.suite]
        self._framework = [vars(module) for module in framework] + [globals()]
        self._basics = [vars(module) for module in (builtins, os, json, traceback)]
        self._known = {id(space): self._contents(space) for space in self._framework + self._basics}

    def tampered(self, test_only: bool = False) -> list[str]:
        """Names that are not what they were. Tests may replace basics for a while, not for good."""
        changed = ["sys.settrace"] if sys.gettrace() or sys.getprofile() else []
        for space in self._framework if test_only else self._framework + self._basics:
            known, now = self._known[id(space)], self._contents(space)
            changed += [
                name
                for name in known.keys() | now.keys()
                # A name that is new in a class overrides something; one that is new in a module does not.
                if (name in known or "." in name) and not self._same(known.get(name), now.get(name))
            ]
        return sorted(changed)

    @staticmethod
    def _same(old: Any, new: Any) -> bool:
        return bool(old and new and old[0] is new[0] and old[1] is new[1])

    @staticmethod
    def _contents(space: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
        """Functions and classes of a module, and the functions of its own classes, each with its code."""
        found = {}
        for name, value in list(space.items()):
            if callable(value):
                found[name] = value, getattr(value, "__code__", None)
            if isinstance(value, type) and value.__module__ == space["__name__"] != "builtins":
                for inner, held in list(vars(value).items()):
                    if callable(held) or isinstance(held, (classmethod, staticmethod, property)):
                        found[name + "." + inner] = held, getattr(held, "__code__", None)
        return found


def main() -> None:
    """Parent or child, as the command line says."""
    if sys.argv[1:] == ["child"]:
        child()
        return
    script, plan_file = sys.argv
    source, plan = Path(script).read_text("utf-8"), json.loads(Path(plan_file).read_text("utf-8"))
    Path(script).unlink()
    Path(plan_file).unlink()  # the key must be gone before any tested code runs
    parent(source, plan)


if __name__ == "__main__":
    main()
