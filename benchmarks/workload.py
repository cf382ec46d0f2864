"""The one workload that every harness runs: SAMPLES tasks of STEPS bash commands each, no network.

The commands are cheap and deterministic, with outputs of about 10 B to 2 KB, like an agent's ls, cat, sed and grep.
"""

from __future__ import annotations

import os

STEPS = int(os.environ.get("BENCH_STEPS", "20"))
SAMPLES = int(os.environ.get("BENCH_SAMPLES", "50"))
WORKERS = int(os.environ.get("BENCH_WORKERS", "4"))

_CYCLE = [
    "seq 1 {i} > f{i}.txt && wc -l f{i}.txt",
    'for k in $(seq 1 40); do echo "line $k of step {i}: def function_$k(self): return $k"; done > m{i}.py; '
    "cat m{i}.py",
    "grep -rn function_7 . | head -20",
    "sed -i 's/return 3$/return 33/' *.py 2>/dev/null; ls -la | head -30",
    "echo step {i} done",
]


def commands() -> list[str]:
    """The bash commands of one task."""
    return [_CYCLE[i % len(_CYCLE)].format(i=i) for i in range(STEPS)]


def statement(number: int) -> str:
    """The text of one task."""
    return f"Fix the bug {number}. " + "Context. " * 100
