"""The safety gate against lists of command lines."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.aci_plugins.panel import compose, edit, refusal

COMMANDS: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("commands.yaml").read_text("utf-8"))
DANGEROUS = [command for part in COMMANDS.values() for command in part["dangerous"]]
ORDINARY = [command for part in COMMANDS.values() for command in part["ordinary"]]
ACI = compose(guardrails="safety")


def test_the_lists_are_long_enough() -> None:
    assert all(len(part[kind]) >= 60 for part in COMMANDS.values() for kind in ("dangerous", "ordinary"))
    assert len(set(DANGEROUS)) == len(DANGEROUS) and len(set(ORDINARY)) == len(ORDINARY)


@pytest.mark.parametrize("command", DANGEROUS)
def test_dangerous(command: str) -> None:
    verdict = refusal(ACI, command)
    assert verdict and verdict.rule.startswith("safety.") and verdict.reason.endswith(".")


@pytest.mark.parametrize("command", ORDINARY)
def test_ordinary(command: str) -> None:
    assert refusal(ACI, command) is None


def test_texts_of_edits_are_no_commands() -> None:
    assert refusal(ACI, edit("1:1", "rm -rf /", "cat /etc/passwd")) is None
    native = compose(format="function_calling", guardrails="safety")
    assert refusal(native, native.action("edit", start_line=1, end_line=1, text="rm -rf /")) is None
    assert refusal(native, native.shell_action("rm -rf /"))


def test_what_cannot_be_read_does_no_harm() -> None:
    deep = "$(" * 400 + "ls" + ")" * 400
    for command in ("rm -rf '", "echo $(", "", "\n", "f() { f; f; }", "a=$a; $a", deep, "eval " * 60 + "ls", "\x00 ls",
                    "alias a=a; a", "f() { g; }; g() { f; }; f", "{a,b}{c,d}{e,f}{g,h}{i,j}{k,l}{m,n}"):  # fmt: skip
        refusal(ACI, command)


def test_mangled_commands_raise_nothing() -> None:
    chance = random.Random(7)
    for command in chance.sample(DANGEROUS + ORDINARY, 300):
        at = chance.randrange(len(command))
        for mangled in (
            command[:at],
            command[at:],
            command[:at] + chance.choice("'\"`$(){}|;&<>\\\n") + command[at:],
        ):
            refusal(ACI, mangled)
