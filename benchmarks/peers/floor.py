"""The floor: the same commands by plain subprocess.run in threads; no agent, nothing logged."""

from __future__ import annotations

import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

from workload import SAMPLES, WORKERS, commands


def one(_: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for command in commands():
            subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, timeout=30)


with ThreadPoolExecutor(WORKERS) as pool:
    list(pool.map(one, range(SAMPLES)))
