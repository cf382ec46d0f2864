"""docs/formats.md: a row, a section and an answer that is read, for every shipped format."""

from __future__ import annotations

import re

import pytest

from tests.aci_plugins.panel import CONF, ROOT, compose

NAMES = sorted(path.stem for path in (CONF / "format").glob("*.yaml"))
PAGE = (ROOT / "docs" / "formats.md").read_text("utf-8")
SECTIONS = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S))


@pytest.mark.parametrize("name", NAMES)
def test_every_format_is_described(name: str) -> None:
    assert f"| `{name}` |" in PAGE
    documented = compose(format=name).format.parse.__doc__ or ""
    shared = {"invalid_command", "unexpected_arg", "missing_arg", "incorrect_args"}
    kinds = set(re.findall(r"``([a-z_]+)``", documented)) - shared
    assert kinds and [kind for kind in kinds if f"`{kind}`" not in SECTIONS[name]] == []


@pytest.mark.parametrize("name", [n for n in NAMES if n != "function_calling"])
def test_the_answer_shown_is_read(name: str) -> None:
    shown = re.search(r"^(`{3,})text\n(.*?)\n\1$", SECTIONS[name], re.M | re.S)
    assert shown
    assert compose(format=name).parse(shown[2], ()).action.text
