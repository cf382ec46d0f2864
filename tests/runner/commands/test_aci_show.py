"""``acilab aci show`` and ``acilab aci diff``: what a model sees, and what differs."""

from __future__ import annotations

import json

import pytest

from tests.acilab import acilab


def test_show_as_text() -> None:
    done = acilab("aci", "show", "aci/editor=none")
    assert (done.returncode, done.stderr) == (0, "")
    assert "==== message: system (role system)\nSETTING" in done.stdout
    assert "==== message: demonstration (role user)" in done.stdout
    assert "==== reply: observation\n<output>\n(Open file: n/a)" in done.stdout
    assert "==== command: open\nopen " in done.stdout
    assert "==== command: edit" not in done.stdout
    assert "end_of_edit" not in done.stdout
    assert "not sent: calls are written as text" in done.stdout


def test_show_as_json() -> None:
    done = acilab("aci", "show", "--json", "aci/format=function_calling")
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)
    assert shown["native"] is True
    assert [m["kind"] for m in shown["messages"]] == ["system", "demonstration", "instance"]
    names = [command["name"] for command in shown["commands"]]
    assert "bash" in names
    for command in shown["commands"]:
        assert command["schema"]["function"]["name"] == command["name"]
        assert command["documentation"] in shown["messages"][0]["content"]


def test_diff_of_two_options() -> None:
    done = acilab("aci", "diff", "swe_agent", "aci/editor=none aci/history=full")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("--- swe_agent\n+++ aci/editor=none aci/history=full\n")
    assert "-end_of_edit" in done.stdout
    assert "==== command: edit (only in the first)" in done.stdout
    assert "==== part: history" in done.stdout
    assert "==== command: open" not in done.stdout
    assert "\x1b" not in done.stdout


def test_diff_with_overrides_for_both() -> None:
    done = acilab("aci", "diff", "swe_agent", "aci=swe_agent", "aci/format=json")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "no difference\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["show", "aci/editor=lnt"], "'lint'"),
        (["show", "--jsn"], "--jsn"),
        (["show", "words"], "'words'"),
        (["diff", "swe_agent"], "two ACIs"),
        (["diff", "swe_agent", "swe_agnt"], "swe_agnt"),
        (["diff", "swe_agent", "'"], "quotation"),
        (["try", "--repo", "/nowhere"], "/nowhere"),
        (["try", "--repo"], "--repo"),
        (["shw"], "'show'"),
    ],
)
def test_bad_input(arguments: list[str], said: str) -> None:
    done = acilab("aci", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr
