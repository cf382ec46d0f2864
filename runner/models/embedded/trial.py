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
import re
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

SPEC: dict[str, Any] = {"files": [], "blocks": [], "strong": [], "doubts": [], "skip": [], "told": []}
ROOT = os.getcwd()
MARKS = "'\"`.:;!?"
CPU_SECONDS, SECONDS = 14.0, 25.0


def child(task: Callable[[], Any], root: str, seconds: float) -> Any:
    """What ``task`` returns when run in a process of its own; None if it crashed or took too long.

    ``seconds`` are of processor time, so that the outcome does not depend on what else the machine does.
    """
    r, w = os.pipe()
    pid = os.fork()
    if not pid:
        try:
            os.close(r)
            null = os.open(os.devnull, os.O_RDWR)
            for fd in (0, 1, 2):
                os.dup2(null, fd)
            os.setpgid(0, 0)
            signal.setitimer(signal.ITIMER_PROF, seconds)
            resource.setrlimit(resource.RLIMIT_AS, (1 << 31, 1 << 31))
            os.chdir(root)
            sys.path[:0] = [root, os.path.join(root, "src")]
            data = json.dumps(task()).encode()
            with os.fdopen(w, "wb") as out:
                out.write(data)
        finally:
            os._exit(0)
    os.close(w)
    data, end = b"", time.monotonic() + 3 * seconds
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


def used() -> float:
    """Processor time of this process and its finished children."""
    return sum(os.times()[:4])


def module(path: str) -> Any:
    """Import the file as the module that it is (folders with ``__init__.py`` are packages)."""
    full = os.path.abspath(path)
    top, name = os.path.dirname(full), os.path.basename(full)[:-3]
    while os.path.exists(os.path.join(top, "__init__.py")):
        top, name = os.path.dirname(top), os.path.basename(top) + "." + name
    if top not in sys.path:
        sys.path.append(top)
    return importlib.import_module(name.removesuffix(".__init__"))


def same(value: Any, want: str, names: dict[str, Any]) -> bool | None:
    """Whether ``value`` is what ``want`` says: an expression, a repr, or a text; None if it is of another kind."""
    if want.startswith("raises "):
        return None
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
        if value == target or repr(value) == want:
            return True
        alike = type(value) is type(target) or (
            isinstance(value, int | float) and isinstance(target, int | float)
        )
        return False if alike or value is None or target is None else None
    except Exception:
        return False


def observe() -> list[list[Any]]:
    """Run every check: [text of the outcome, which of its wants match, whether it raised, its type]."""
    names: dict[str, Any] = {}
    for path in SPEC["files"]:
        names.update({k: v for k, v in vars(module(path)).items() if not k.startswith("__")})
    results: list[list[Any]] = []
    for block in SPEC["blocks"]:
        space, broken, sort = dict(names), None, ""
        for kind, source, wants in block:
            if broken is None:
                output = io.StringIO()
                try:
                    with contextlib.redirect_stdout(output):
                        if kind == "value":
                            value = eval(source, space)
                            hits = [same(value, w, space) for w in wants]
                            shown, sort = repr(value), type(value).__name__
                        else:
                            exec(source, space)
                            shown = output.getvalue().strip()
                            lines = [line.rstrip() for line in shown.split("\n")]
                            hits = [lines == [x.rstrip() for x in w.strip().split("\n")] for w in wants]
                    if kind != "do":
                        results.append([shown[:200], hits, False, sort])
                    continue
                except (Exception, SystemExit) as error:
                    broken = error
            if kind != "do":
                mro = {"raises " + c.__name__ for c in type(broken).__mro__[:-2]}
                shown = f"raises {type(broken).__name__}: {broken}"
                results.append([shown[:200], [w in mro for w in wants], True, ""])
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
                if (
                    key.startswith("test")
                    and inspect.isfunction(value)
                    and not inspect.signature(value).parameters
                ):
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
        if (
            not path.endswith(".py")
            or os.path.basename(path).startswith("test")
            or code.co_name == "<module>"
        ):
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
    """For every check the want that must match: its index, -1 for "not what it does now", None for nothing.

    An issue often shows what happens now, not what should: when every shown result is what comes out, the
    ones that raise are taken for the complaint, else the last one.
    """
    steps = checks()
    result: list[int | None] = []
    shown = []
    for i, (text, hits, raised, _) in enumerate(seen):
        other = [j for j, hit in enumerate(hits) if hit is False]
        if raised and text.split(":")[0] in SPEC["skip"]:
            result.append(None)
        elif i in SPEC["strong"]:
            result.append(0)
        elif other:
            result.append(other[0])
        elif any(hits):
            result.append(-1 if i in SPEC["doubts"] else 0)
            shown.append(i)
        else:
            result.append(-1 if raised or i in SPEC["doubts"] else None)
            shown.append(i)
    if all(t is None or fits(seen[i], seen[i], t) for i, t in enumerate(result)):
        loud = [i for i in shown if seen[i][2]] or [i for i in shown if steps[i][2]][-1:]
        for i in loud:
            result[i] = -1
    count = 0
    for block in SPEC["blocks"]:
        own = [count + n for n in range(sum(step[0] != "do" for step in block))]
        count += len(own)
        # Where a block shows what comes out now, its other results are no proof of what is right.
        if any(
            result[i] == -1
            or (result[i] is not None and any(seen[i][1]) and not fits(seen[i], seen[i], result[i]))
            for i in own
        ):
            for i in own:
                if result[i] is not None and i not in SPEC["strong"] and fits(seen[i], seen[i], result[i]):
                    result[i] = None
    return result


def goal(seen: list[list[Any]]) -> tuple[list[list[Any]], list[int | None]]:
    """What came out when this was first run, and the targets: they stay as they are when the code changes."""
    path = os.path.abspath(__file__) + ".goal"
    if not os.path.exists(path):
        with open(path, "w", encoding="utf-8") as file:
            json.dump([seen, targets(seen)], file)
    with open(path, encoding="utf-8") as file:
        first, wanted = json.load(file)
    return first, wanted


def news(before: str, after: str) -> list[str]:
    """The words that came in; ``*`` marks those of the issue that were not there at all."""
    old, new = ([w.strip(MARKS) for w in re.split(r"[\s,()\[\]{}|]+", text)] for text in (before, after))
    came = [w for w in dict.fromkeys(new) if w and new.count(w) > old.count(w)]
    return [("*" if w in SPEC["told"] and w not in old else "") + w for w in came][:12]


def checks() -> list[list[Any]]:
    """All steps whose outcome matters."""
    return [step for block in SPEC["blocks"] for step in block if step[0] != "do"]


def fits(before: list[Any], after: list[Any], target: int | None) -> bool:
    """Whether a check's outcome is what it should be."""
    if target is None:
        return not after[2] or before[2]
    if target < 0:
        same_sort = before[2] or "NoneType" in (before[3], after[3]) or before[3] == after[3]
        return not after[2] and same_sort and plain(after[0]) != plain(before[0]) and " at 0x" not in after[0]
    return bool(after[1][target])


def plain(text: str) -> str:
    """Without addresses, which differ from run to run."""
    return re.sub(r" at 0x[0-9a-f]+", "", text)


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
    begun, start = time.monotonic(), used()
    sys.dont_write_bytecode = True
    before = child(observe, ROOT, 6.0)
    spent = used() - start
    now = used()
    base = child(tests, ROOT, 12.0)
    test_time = used() - now
    steps = checks()
    if before is None and steps:
        before = [["raises TimeoutError: took too long", [False] * len(s[2]), True, ""] for s in steps]
    now_seen = before or []
    seen, wanted = goal(now_seen)
    failing = [i for i, t in enumerate(wanted) if t is not None and not fits(seen[i], now_seen[i], t)]
    bad = base[1] if base else []
    text = sys.stdin.read().strip()
    before_modules = child(known, ROOT, 6.0)
    if not text:
        for i, (step, got) in enumerate(zip(steps, now_seen, strict=True)):
            t = wanted[i]
            want = (
                ""
                if t is None or i not in failing
                else ", want " + (step[2][t] if t >= 0 else "another result")
            )
            print(
                f"{i + 1}. {'FAIL' if i in failing else 'ok'}: {step[1].strip().splitlines()[-1][:160]} -> {got[0]}{want[:200]}"
            )
        print(
            f"tests: {base[0]} run, {len(bad)} failed {' '.join(bad[:4])}"
            if base
            else "tests: could not be run"
        )
        ran = child(lambda: traced(failing, bad), ROOT, 6.0) if failing or bad else None
        if ran:
            print("the failing ones ran:\n" + "\n".join(ran[:24]))
        sys.exit(1 if failing or bad else 0)
    paths, spans, edits = json.loads(text)
    for name in before_modules or []:
        with contextlib.suppress(Exception):
            importlib.import_module(name)
    scratch = tempfile.mkdtemp()
    copy = os.path.join(scratch, "repo")
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".git", "__pycache__", ".venv", "node_modules"))
    compileall.compile_dir(copy, quiet=2)
    files = [os.path.join(copy, p) for p in paths]
    original = [open(f, encoding="utf-8").read() for f in files]
    stamps = [os.stat(f).st_mtime for f in files]
    passed, tried, first = 0, 0, len(edits)
    close: list[str] = []
    vague = all(wanted[i] == -1 for i in failing)
    quiet = 0
    for number, (which, new) in enumerate(edits):
        enough = passed >= (12 if vague else 3) or number > first + (1000 if vague else 25)
        if enough or used() - start > CPU_SECONDS or time.monotonic() - begun > SECONDS:
            break
        tried += 1
        i = spans[which][0]
        put(files[i], edited(spans[which], new, original[i].split("\n")), 1.0)
        after = child(observe, copy, 0.5 + 3 * min(spent, 1.0)) if steps else []
        if after is not None and all(
            fits(seen[j], after[j], t) for j, t in enumerate(wanted) if j not in failing
        ):
            good = sum(fits(seen[j], after[j], wanted[j]) for j in failing)
            moved = [j for j in failing if fits(seen[j], after[j], -1)]
            came = news(seen[moved[-1]][0], after[moved[-1]][0]) if moved else []
            told = [w for w in came if w[0] == "*"]
            hush = vague and failing and not told and quiet >= 4
            if not hush and (good == len(failing) or ((good or moved) and len(close) < 8)):
                run: Any = child(lambda: tests(bad), copy, 1.0 + 3 * test_time) if base else [0, []]
                worse = run is None or not set(run[1]) <= set(bad)
                now_gives = f" -> {' '.join(came)[:100]}" if vague or good < len(failing) else ""
                if not worse and good == len(failing) and (len(run[1]) < len(bad) or not bad):
                    passed, first, quiet = passed + 1, min(first, number), quiet + (not told)
                    print(
                        f"edit {number} passes {len(failing)} checks, tests failing: {len(run[1])}{now_gives}"
                    )
                elif not worse:
                    close.append(f"edit {number} passes {good} of {len(failing)} checks{now_gives}")
        put(files[i], original[i], stamps[i])
    if close and not passed:
        print(*close, sep="\n")
    shutil.rmtree(scratch, ignore_errors=True)
    print(f"tried {tried} of {len(edits)}: {passed} pass")


if __name__ == "__main__":
    main()
