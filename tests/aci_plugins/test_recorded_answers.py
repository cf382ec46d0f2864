"""The answers of recorded SWE-agent and mini-swe-agent runs are read as they were read then."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from aci_plugins.message import Message, ToolCall
from aci_plugins.tool import Parameter, Tool
from tests.aci_plugins.panel import SHARED, compose

FOLDER = SHARED / "data" / "trajectories"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the recorded trajectories are not here")


def _load(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def _text_runs() -> Iterator[tuple[Path, str]]:
    for path in sorted(FOLDER.glob("*/*.traj")):
        history = _load(path)["history"]
        if not any(message.get("tool_calls") for message in history):
            first = next(m["content"] for m in history if m["role"] == "assistant" and m.get("action"))
            yield path, "xml" if "</command>" in first else "thought_action"


def test_text_answers() -> None:
    """Thought and action of every recorded step whose answer was read: 65 in 6 runs."""
    counts: dict[str, int] = {}
    for path, name in _text_runs():
        aci = compose(format=name)
        for step in _load(path)["trajectory"]:
            if not step["action"] or step["action"].startswith("exit_"):
                continue
            parsed = aci.parse(step["response"], ())
            assert parsed.action.text.strip() == step["action"].strip(), path
            assert re.sub(r"\s+", " ", parsed.thought) == re.sub(r"\s+", " ", step["thought"]).strip(), path
            counts[name] = counts.get(name, 0) + 1
    assert counts == {"thought_action": 54, "xml": 11}


def _recorded_tools(calls: list[dict[str, Any]]) -> tuple[Tool, ...]:
    """Tools with the names and arguments of the recorded run; they are only read here, not called."""
    found: dict[str, dict[str, str]] = {}
    kinds = {str: "string", int: "integer", bool: "boolean"}
    for call in calls:
        arguments = json.loads(call["function"]["arguments"] or "{}")
        known = found.setdefault(call["function"]["name"], {})
        known.update({name: kinds[type(value)] for name, value in arguments.items()})
    return tuple(
        Tool(name, "", tuple(Parameter(p, kind, "", False) for p, kind in known.items()), name, lambda _: "")
        for name, known in found.items()
    )


def _native_runs() -> list[Path]:
    paths = sorted(FOLDER.glob("*/*.traj"))
    return [p for p in paths if any(message.get("tool_calls") for message in _load(p)["history"])]


def test_native_calls() -> None:
    """Tool and arguments of every recorded call, 26 in 3 runs. The recorded command begins with it."""
    form, count = compose(format="function_calling").format, 0
    for path in _native_runs():
        answers = [m for m in _load(path)["history"] if m["role"] == "assistant" and m.get("tool_calls")]
        tools = _recorded_tools([call for m in answers for call in m["tool_calls"]])
        for answer in answers:
            calls = [
                ToolCall(c["id"], c["function"]["name"], c["function"]["arguments"])
                for c in answer["tool_calls"]
            ]
            parsed = form.parse(answer["content"], calls, tools)
            assert parsed.thought == answer["thought"].strip()
            assert parsed.action.tool == calls[0].name
            assert dict(parsed.action.arguments) == json.loads(calls[0].arguments or "{}")
            if parsed.action.tool == "bash":
                assert parsed.action.text == answer["action"]
            else:
                assert answer["action"].split()[0] == parsed.action.tool
            count += 1
    assert count == 26


def test_bash_blocks() -> None:
    aci = compose(format="bash_block")
    answers = [
        m["content"] for m in _load(FOLDER / "mini_transcript_local.traj.json") if m["role"] == "assistant"
    ]
    assert [aci.parse(answer, ()).action.text for answer in answers] == [
        "echo 'hello world'",
        "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT",
    ]


@pytest.mark.parametrize(
    "name", ["thought_action", "xml", "bash_block", "json", "hermes", "react", "xml_function_calling"]
)
def test_recorded_actions_in_every_format(name: str) -> None:
    """What the recorded runs did, written in another format, is read as the same."""
    aci, count = compose(format=name), 0
    for path, _ in _text_runs():
        for step in _load(path)["trajectory"]:
            if not step["action"] or step["action"].startswith("exit_"):
                continue
            action = aci.parse_command(step["action"].strip("\n"))
            message: Message = aci.render(step["thought"].strip(), action, 1)
            parsed = aci.parse(message.content, ())
            assert parsed.action == action
            count += 1
    assert count == 65
