"""Our overhead beside peers, in one run: total CPU of the whole process tree, as ratios to a bare floor.

    python benchmarks/run.py [--rounds N]

Peers are installed into .bench/ from the package registry the first time (mini-swe-agent, inspect-ai).
"""

from __future__ import annotations

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
PEERS = ("mini-swe-agent==2.4.6", "inspect-ai==0.3.285", "openai")


def measure(command: list[str]) -> tuple[float, float]:
    """CPU and wall seconds of a command and its descendants (those in PID namespaces are not seen: use ``local``)."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        command, cwd=HERE, capture_output=True, text=True, env={**environment, "PYTHONPATH": str(HERE)}
    )
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def peers_python() -> str:
    """The interpreter of the folder that holds the peers, made the first time."""
    python = HERE.parent / ".bench" / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(python.parent.parent)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *PEERS], check=True)
        subprocess.run(
            [str(python), "-m", "compileall", "-q", str(python.parent.parent / "lib")], check=False
        )
    return str(python)


def startup(rounds: int) -> None:
    """`acilab --help` and completion beside the import of litellm."""
    acilab = str(Path(sys.executable).parent / "acilab")
    rows = {
        "import litellm": [sys.executable, "-c", "import litellm"],
        "acilab --help": [acilab, "--help"],
        "completion of a group": [acilab, "__complete", "acilab run aci/ed"],
        "python -c pass": [sys.executable, "-c", "pass"],
    }
    table(
        {name: [measure(command) for _ in range(rounds)] for name, command in rows.items()}, "import litellm"
    )


def overhead(rounds: int) -> None:
    """The workload through every harness, interleaved."""
    peer = peers_python()
    results: dict[str, list[tuple[float, float]]] = {}
    for _ in range(rounds):
        base = Path(tempfile.mkdtemp(prefix="acilab-bench-"))
        measure([sys.executable, "ours.py", "prepare", str(base)])
        rows = {
            "floor (bash -c per command)": [sys.executable, "peers/floor.py"],
            "acilab, local": [sys.executable, "ours.py", "run", str(base), "local"],
            "mini-swe-agent 2.4.6, local": [peer, "peers/mini.py"],
            "Inspect AI 0.3.285, local": [peer, "peers/inspect_react.py"],
        }
        for name, command in rows.items():
            results.setdefault(name, []).append(measure(command))
        shutil.rmtree(base)
    table(results, "floor (bash -c per command)")


def table(results: dict[str, list[tuple[float, float]]], reference: str) -> None:
    """Median CPU and wall seconds, and CPU as a ratio to the reference."""
    base = statistics.median(cpu for cpu, _ in results[reference])
    width = max(map(len, results))
    print(f"{'':<{width}}  {'CPU s':>7}  {'wall s':>7}  {'CPU ratio':>9}")
    for name, runs in results.items():
        cpu, wall = (statistics.median(column) for column in zip(*runs, strict=True))
        print(f"{name:<{width}}  {cpu:7.2f}  {wall:7.2f}  {cpu / base:9.2f}")
    print()


if __name__ == "__main__":
    rounds = int(sys.argv[2]) if sys.argv[1:2] == ["--rounds"] else 3
    startup(rounds)
    overhead(rounds)
