"""What a model is told follows from the composed ACI."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

from aci_plugins.aci import all_commands
from runner.benchmarks.base import Instance
from runner.compose.mentions import mentioned
from runner.errors import UserError
from tests.acilab import ROOT
from tests.composed import cell

INSTANCE = Instance("one", "Braces {{ are }} {% fine %} here.", {"a.py": b""}, "", repo="repo")
STATE = {"open_file": "n/a", "working_dir": "/repo"}


def _options(group: str) -> list[str]:
    return sorted(p.stem for p in (ROOT / "conf" / "aci" / group).glob("*.yaml"))


PANELS = list(itertools.product(_options("viewer"), _options("editor"), _options("search")))


def _compose(viewer: str, editor: str, search: str, *more: str):  # type: ignore[no-untyped-def]
    return cell(f"aci/viewer={viewer}", f"aci/editor={editor}", f"aci/search={search}", *more)


@pytest.mark.parametrize(("viewer", "editor", "search"), PANELS, ids=["-".join(p) for p in PANELS])
def test_no_prompt_names_a_command_that_is_not_there(viewer: str, editor: str, search: str) -> None:
    if (viewer, editor) == ("none", "window_rewrite"):
        with pytest.raises(UserError, match=r"aci\.editor: this editor rewrites what the viewer shows"):
            _compose(viewer, editor, search)
        return
    for form in ("thought_action", "function_calling"):
        made = _compose(viewer, editor, search, f"aci/format={form}")
        foreign = all_commands() - made.aci.vocabulary
        opening = made.prompt.opening(made.aci, INSTANCE, STATE, "/repo")
        assert [m.kind for m in opening] == ["system", "demonstration", "instance"]
        for message in opening:
            assert foreign.isdisjoint(mentioned(message.content)), message.kind
        demonstration = opening[1].content
        assert demonstration.count("hello-world-\n") >= 1, "the demonstration must show the bug first"
        assert demonstration.rstrip().endswith("--- END OF DEMONSTRATION ---")


@pytest.mark.parametrize("editor", _options("editor"))
def test_the_demonstration_uses_the_editor(editor: str) -> None:
    for viewer in ("window100", "window30", "full_file", "none"):
        if (viewer, editor) != ("none", "window_rewrite"):
            made = cell(f"aci/viewer={viewer}", f"aci/editor={editor}")
            played = made.prompt.demonstration.text(made.aci, made.prompt)
            edited = re.search(r"have to go from both ends\.\n\n```\n(\w+)", played)
            used = edited[1] if edited else ""
            assert used in made.aci.commands | {"sed"}
            assert (used == "sed") == (editor == "none")
            assert re.search(r"^(19:|     )? +slug = slug\.strip\(SEPARATOR\)$", played, re.M)
            assert "Nothing was" not in played and "NOT been applied" not in played


def test_window_size_reaches_prompt_docs_and_demonstration() -> None:
    for window in (30, 100):
        made = cell(f"aci/viewer=window{window}")
        system = made.prompt.opening(made.aci, INSTANCE, STATE, "/repo")[0].content
        assert f"shows you {window} lines" in system
        assert f"{window} lines" in made.aci.variables()["command_docs"]


def test_statement_is_data() -> None:
    made = cell("prompt/demonstration=none")
    assert (
        "Braces {{ are }} {% fine %} here."
        in made.prompt.opening(made.aci, INSTANCE, STATE, "/repo")[-1].content
    )


def test_recorded_demonstration_is_shown_and_checked(tmp_path: Path) -> None:
    from runner.records import End, Header, Step, TrajectoryWriter

    writer = TrajectoryWriter(tmp_path)
    opening = [{"role": "user", "kind": "instance", "content": "the task"}]
    writer.write(Header("i", 0, "f" * 64, "e", "m", {}, "", "", "", opening))
    writer.write(
        Step(
            1,
            "action",
            "I edit.\n```\nedit 1:1\nx\nend_of_edit\n```",
            "",
            "edit 1:1\nx",
            "edit",
            "seen",
            0,
            {},
        )
    )
    writer.write(End("submitted", True, 1, 1, 0.0, 1, 1, 0.0, ""))
    writer.close()
    recorded = ("prompt/demonstration=file", f"prompt.demonstration.path={tmp_path}")
    made = cell(*recorded)
    shown = made.prompt.opening(made.aci, INSTANCE, STATE, "/repo")[1].content
    assert "the task" in shown
    assert "edit 1:1" in shown
    assert "seen" in shown
    with pytest.raises(UserError, match="'edit'"):
        cell(*recorded, "aci/editor=none")
