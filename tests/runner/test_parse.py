"""``acilab parse`` as a user runs it."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from tests.acilab import command, environment


def _parse(answer: bytes, *arguments: str) -> tuple[int, str, str]:
    done = subprocess.run(
        command("parse", *arguments),
        input=answer,
        env=environment(),
        capture_output=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def _read(answer: bytes, *arguments: str) -> dict[str, Any]:
    code, out, err = _parse(answer, *arguments)
    assert (code, err) == (0, "")
    loaded: dict[str, Any] = json.loads(out)
    return loaded


def test_an_action_and_an_error() -> None:
    answer = "I l\u00f6\u00f6k.\n<function=open>\n<parameter=path>a.py</parameter>\n</function>".encode()
    assert _read(answer, "--format", "xml_function_calling") == {
        "thought": "I l\u00f6\u00f6k.",
        "action": "open a.py",
        "tool": "open",
        "arguments": {"path": "a.py"},
    }
    found = _read(b"\xff", "--format=xml_function_calling")
    assert found["error"] == "missing" and "<function=NAME>" in found["message"]


def test_a_message_with_native_calls() -> None:
    made = {"id": "1", "type": "function", "function": {"name": "submit", "arguments": "{}"}}
    message = json.dumps({"role": "assistant", "content": None, "tool_calls": [made, made]}).encode()
    assert _read(message, "--format", "function_calling")["error"] == "multiple"
    found = _read(message, "--format", "function_calling", "aci=bash_only", "aci.format.several=all")
    assert (found["tool"], found["more"]) == (
        "submit",
        [{"action": "submit", "tool": "submit", "arguments": {}}],
    )


@pytest.mark.parametrize(
    ("answer", "arguments", "said"),
    [
        (b"", ("--format", "jsn"), "did you mean 'json'?"),
        (b"", (), "no format is named"),
        (b"", ("--format", "json", "aci=nope"), "'nope'"),
        (b"", ("--format", "bash_block", "aci.format.blocks=two"), "aci.format.blocks"),
        (b'{"content": "", "tool_calls": [1]}', ("--format", "function_calling"), "tool_calls[0]"),
    ],
)
def test_bad_input_is_one_line(answer: bytes, arguments: tuple[str, ...], said: str) -> None:
    code, out, err = _parse(answer, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
