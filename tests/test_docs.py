"""Every command in README and docs runs, or stands in an indented block, which marks it as needing a key, a server,
a browser or a file of yours."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.acilab import ROOT, acilab

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCED = re.compile(r"^```sh\n(.*?)^```$", re.M | re.S)


def _commands(page: Path) -> list[str]:
    lines = [line for block in FENCED.findall(page.read_text("utf-8")) for line in block.splitlines()]
    return [line.split(" #")[0].strip() for line in lines if line.strip()]


@pytest.mark.parametrize("page", [p for p in PAGES if _commands(p)], ids=lambda p: p.name)
def test_commands_run(page: Path, tmp_path: Path) -> None:
    for command in _commands(page):
        words = shlex.split(command)
        if words[0] == "make":
            assert re.search(rf"^{words[1]}:", (ROOT / "Makefile").read_text(), re.M), command
            continue
        assert words[0] == "acilab", command
        done = acilab(*words[1:], cwd=tmp_path)
        assert done.returncode == 0, f"{command}\n{done.stderr}"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_exit_statuses_are_documented() -> None:
    from runner.records import EXIT_STATUSES

    text = (ROOT / "docs" / "records.md").read_text("utf-8")
    assert [s for s in EXIT_STATUSES if f"`{s}`" not in text] == []
