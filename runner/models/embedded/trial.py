"""The reproduction script that the policy sends through the shell; it imports nothing but the standard library.

It is written into the environment as one file behind a line ``SPEC = {...}`` and run from the repository's root.
Without input it runs the checks derived from the issue and the visible tests, and says which functions the
failing ones ran. With a JSON list of edits on stdin it tries each edit on a scratch copy.
"""

import compileall
import contextlib
import fnmatch
import importlib
import inspect
import io
import json
import math
import os
import resource
import select
import shutil
import signal
import sys
import tempfile
import time
import unittest
from collections.abc import Callable
from typing import Any

SPEC: dict[str, Any] = {"files": [], "blocks": []}
ROOT = os.getcwd()
SECONDS = 18.0


def child(task: Callable[[], Any], root: str, seconds: float) -> Any:
    """What ``task`` returns when run in a process of its own; None if it crashed or took too long."""
    r, w = os.pipe()
    pid = os.fork()
    if not pid:
        try:
            os.close(r)
            null = os.open(os.devnull, os.O_RDWR)
            for fd in (0, 1, 2):
                os.dup2(null, fd)
            os.setpgid(0, 0)
            resource.setrlimit(resource.RLIMIT_AS, (1 << 31, 1 << 31))
            os.chdir(root)
            sys.path[:0] = [root, os.path.join(root, "src")]
            data = json.dumps(task()).encode()
            with os.fdopen(w, "wb") as out:
                out.write(data)
        finally:
            os._exit(0)
    os.close(w)
    data, end = b"", time.monotonic() + seconds
    while True:
        ready, _, _ = select.select([r], [], [], max(0.0, end - time.monotonic()))
        part = os.read(r, 1 << 16) if ready else b""
        data += part
        if not part:
            break
    os.close(r)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return json.loads(data) if data else None


def module(path: str) -> Any:
    """Import the file as the module that it is (folders with ``__init__.py`` are packages)."""
    full = os.path.abspath(path)
    top, name = os.path.dirname(full), os.path.basename(full)[:-3]
    while os.path.exists(os.path.join(top, "__init__.py")):
        top, name = os.path.dirname(top), os.path.basename(top) + "." + name
    if top not in sys.path:
        sys.path.append(top)
    return importlib.import_module(name.removesuffix(".__init__"))


def same(value: Any, want: str, names: dict[str, Any]) -> bool:
    """Whether ``value`` is what ``want`` says: an expression, a repr, or a text."""
    if want.startswith("raises "):
        return False
    if hasattr(value, "__next__"):
        value = list(value)
    try:
        target = eval(want, dict(names))
    except Exception:
        return want in (repr(value), str(value))
    if isinstance(value, bool) != isinstance(target, bool):
        return False
    try:
        if isinstance(value, float) and isinstance(target, int | float):
            return math.isclose(value, target, rel_tol=1e-6, abs_tol=1e-9)
        return bool(value == target) or repr(value) == want
    except Exception:
        return False


def observe() -> list[list[Any]]:
    """Run every check: [text of the outcome, which of its wants match, whether it raised]."""
    names: dict[str, Any] = {}
    for path in SPEC["files"]:
        names.update({k: v for k, v in vars(module(path)).items() if not k.startswith("__")})
    results: list[list[Any]] = []
    for block in SPEC["blocks"]:
        space, broken = dict(names), None
        for kind, source, wants in block:
            if broken is None:
                output = io.StringIO()
                try:
                    with contextlib.redirect_stdout(output):
                        if kind == "value":
                            value = eval(source, space)
                            hits = [same(value, w, space) for w in wants]
                            shown = repr(value)
                        else:
                            exec(source, space)
                            shown = output.getvalue().strip()
                            lines = [line.rstrip() for line in shown.split("\n")]
                            hits = [lines == [x.rstrip() for x in w.strip().split("\n")] for w in wants]
                    if kind != "do":
                        results.append([shown[:200], hits, False])
                    continue
                except (Exception, SystemExit) as error:
                    broken = error
            if kind != "do":
                mro = {"raises " + c.__name__ for c in type(broken).__mro__[:-2]}
                shown = f"raises {type(broken).__name__}: {broken}"
                results.append([shown[:200], [w in mro for w in wants], True])
                if kind == "value":
                    broken = None
    return results


def known() -> list[str]:
    """The modules of the standard library that the checks and tests need."""
    if SPEC["blocks"]:
        observe()
    load()
    return sorted(m for m in sys.modules if m.split(".")[0] in sys.stdlib_module_names and m != "__main__")


def load() -> list[unittest.TestCase]:
    """The visible tests, as unittest cases; plain functions without parameters count as well."""
    cases: list[unittest.TestCase] = []
    for folder, folders, files in os.walk("."):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f != "__pycache__")
        for name in sorted(files):
            if not (fnmatch.fnmatch(name, "test*.py") or fnmatch.fnmatch(name, "*_test.py")):
                continue
            try:
                found = module(os.path.join(folder, name))
            except (Exception, SystemExit):
                continue
            suites = [unittest.defaultTestLoader.loadTestsFromModule(found)]
            while suites:
                for item in suites.pop():
                    if isinstance(item, unittest.TestSuite):
                        suites.append(item)
                    elif isinstance(item, unittest.TestCase):
                        cases.append(item)
            for key, value in list(vars(found).items()):
                if key.startswith("test") and inspect.isfunction(value) and not inspect.signature(value).parameters:
                    cases.append(unittest.FunctionTestCase(value))
    return sorted(cases, key=lambda c: c.id())


def tests(known: list[str] | None = None) -> list[Any]:
    """[number of tests, ids of those that fail]; stops at the first that is not ``known`` to fail."""
    cases, bad = load(), []
    for case in cases:
        result = unittest.TestResult()
        case.run(result)
        if result.failures or result.errors or result.unexpectedSuccesses:
            bad.append(case.id())
            if known is not None and case.id() not in known:
                break
    return [len(cases), bad]


def traced(failing: list[int], bad: list[str]) -> list[str]:
    """What the failing checks and tests ran: ``path:line function lines``, the last called first."""
    lines: dict[tuple[str, int, str], set[int]] = {}

    def tracer(frame: Any, event: str, _: Any) -> Any:
        code = frame.f_code
        path = os.path.relpath(code.co_filename, ROOT) if code.co_filename.startswith(ROOT + os.sep) else ""
        if not path.endswith(".py") or os.path.basename(path).startswith("test") or code.co_name == "<module>":
            return None
        name = getattr(code, "co_qualname", code.co_name).split(".<locals>")[0]
        key = next((k for k in lines if k[0] == path and k[2] == name), (path, code.co_firstlineno, name))
        lines[key] = lines.pop(key, set())
        if event == "line":
            lines[key].add(frame.f_lineno)
        return tracer

    if failing:
        for path in SPEC["files"]:
            module(path)
        wanted, count = [], 0
        for block in SPEC["blocks"]:
            size = sum(step[0] != "do" for step in block)
            if any(count <= i < count + size for i in failing):
                wanted.append(block)
            count += size
        SPEC["blocks"] = wanted
        sys.settrace(tracer)
        observe()
        sys.settrace(None)
    for case in [c for c in load() if c.id() in bad][:3] if bad else []:
        sys.settrace(tracer)
        case.run(unittest.TestResult())
        sys.settrace(None)
    return [f"{p}:{first} {name} {ranges(ran)}" for (p, first, name), ran in reversed(lines.items())]


def ranges(numbers: set[int]) -> str:
    """``{1, 2, 3, 7}`` as ``1-3,7``."""
    parts: list[list[int]] = []
    for n in sorted(numbers):
        if parts and parts[-1][1] == n - 1:
            parts[-1][1] = n
        else:
            parts.append([n, n])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def targets(seen: list[list[Any]]) -> list[int | None]:
    """For every check the want that must match: its index, -1 for "not what it does now", None for nothing."""
    result: list[int | None] = []
    skip = SPEC.get("skip", [])
    steps = [step for block in SPEC["blocks"] for step in block if step[0] != "do"]
    strong = SPEC.get("strong", [])
    doubts = SPEC.get("doubts", [])
    for i, ((shown, hits, raised), step) in enumerate(zip(seen, steps, strict=True)):
        if raised and shown.split(":")[0] in skip:
            result.append(None)
        elif i in strong:
            result.append(0)
        elif step[2]:
            other = [j for j, hit in enumerate(hits) if not hit]
            result.append(other[0] if other else -1 if i in doubts else 0)
        else:
            result.append(-1 if raised or i in doubts else None)
    return result


def fits(before: list[Any], after: list[Any], target: int | None) -> bool:
    """Whether a check's outcome is what it should be."""
    if target is None:
        return not after[2] or before[2]
    if target < 0:
        return after[0] != before[0] and not after[2]
    return bool(after[1][target])


def edited(span: list[int], new: str, lines: list[str]) -> str:
    """The text after replacing ``span`` (path, line, column, end line, end column); ``@@`` is what stood there."""
    _, line, col, end, end_col = span
    before, after = lines[line - 1][:col], lines[end - 1][end_col:]
    if "@@" in new:
        rest = lines[line - 1 : end]
        rest[-1] = rest[-1][:end_col]
        rest[0] = rest[0][col:]
        new = new.replace("@@", "\n".join(rest))
    return "\n".join([*lines[: line - 1], before + new + after, *lines[end:]])


def put(path: str, text: str, stamp: float) -> None:
    """Write the file so that no compiled form of another text is taken for it."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.utime(path, (stamp, stamp))


def main() -> None:
    """Observe, or try the edits given on stdin."""
    begun = time.monotonic()
    sys.dont_write_bytecode = True
    before = child(observe, ROOT, 6.0)
    spent = time.monotonic() - begun
    now = time.monotonic()
    base = child(tests, ROOT, 12.0)
    test_time = time.monotonic() - now
    steps = [step for block in SPEC["blocks"] for step in block if step[0] != "do"]
    if before is None and steps:
        before = [["raises TimeoutError: took too long", [False] * len(s[2]), True] for s in steps]
    seen = before or []
    wanted = targets(seen)
    failing = [i for i, t in enumerate(wanted) if t is not None and not fits(seen[i], seen[i], t)]
    bad = base[1] if base else []
    text = sys.stdin.read().strip()
    before_modules = child(known, ROOT, 6.0)
    if not text:
        for i, (step, got) in enumerate(zip(steps, seen, strict=True)):
            goal = wanted[i]
            want = "" if goal is None or i not in failing else ", want " + (step[2][goal] if goal >= 0 else "another result")
            print(f"{i + 1}. {'FAIL' if i in failing else 'ok'}: {step[1].strip().splitlines()[-1][:160]} -> {got[0]}{want[:200]}")
        print(f"tests: {base[0]} run, {len(bad)} failed {' '.join(bad[:4])}" if base else "tests: could not be run")
        ran = child(lambda: traced(failing, bad), ROOT, 6.0) if failing or bad else None
        if ran:
            print("the failing ones ran:\n" + "\n".join(ran[:24]))
        sys.exit(1 if failing or bad else 0)
    paths, spans, edits = json.loads(text)
    for name in (before_modules or []):
        with contextlib.suppress(Exception):
            importlib.import_module(name)
    scratch = tempfile.mkdtemp()
    copy = os.path.join(scratch, "repo")
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".git", "__pycache__", ".venv", "node_modules"))
    compileall.compile_dir(copy, quiet=2)
    files = [os.path.join(copy, p) for p in paths]
    original = [open(f, encoding="utf-8").read() for f in files]
    stamps = [os.stat(f).st_mtime for f in files]
    passed, best, tried, first = 0, (0, -1), 0, len(edits)
    for number, (which, new) in enumerate(edits):
        if passed == 3 or number > first + 25 or time.monotonic() - begun > SECONDS:
            break
        tried += 1
        i = spans[which][0]
        put(files[i], edited(spans[which], new, original[i].split("\n")), 1.0)
        good = 0
        after = child(observe, copy, 0.5 + 3 * min(spent, 1.0)) if steps else []
        if after is not None:
            kept = all(fits(seen[j], after[j], t) for j, t in enumerate(wanted) if j not in failing)
            good = sum(fits(seen[j], after[j], wanted[j]) for j in failing) if kept else -1
            if kept and (good == len(failing) or good > best[0]):
                run = child(lambda: tests(bad), copy, 1.0 + 3 * test_time) if base else [0, []]
                worse = run is None or not set(run[1]) <= set(bad)
                if not worse and good == len(failing) and (bool(failing) or len(run[1]) < len(bad) or not bad):
                    passed, first = passed + 1, min(first, number)
                    print(f"edit {number} passes {len(failing)} checks, tests failing: {len(run[1])}")
                elif not worse and good > best[0]:
                    best = (good, number)
        put(files[i], original[i], stamps[i])
    shutil.rmtree(scratch, ignore_errors=True)
    if not passed and best[1] >= 0:
        print(f"edit {best[1]} passes {best[0]} of {len(failing)} checks")
    print(f"tried {tried} of {len(edits)}: {passed} pass")


if __name__ == "__main__":
    main()
