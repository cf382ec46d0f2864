"""A whole run with model=litellm against a local server that speaks the OpenAI chat protocol."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from runner.records import cells
from tests.acilab import acilab
from tests.openai_server import ChatServer, Reply, answer, context_length_error, status, tool_call

KEY = "sk-dummy-0123456789-do-not-write"


def _run(server: ChatServer, outputs: Path, *more: str) -> tuple[int, str]:
    done = acilab(
        "run",
        "model=litellm",
        "model.name=openai/test",
        f"model.api_base={server.url}",
        "model.input_price=1.0",
        "model.output_price=2.0",
        "benchmark.slice=0:1",
        "budget.steps=6",
        f"paths.outputs={outputs}",
        *more,
        env={"OPENAI_API_KEY": KEY},
    )
    return done.returncode, done.stdout + done.stderr


def _episode(outputs: Path) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    (cell,) = cells(outputs / "default")
    (episode,) = cell.episodes()
    trajectory = episode.trajectory()
    assert trajectory.end is not None
    return trajectory.steps, trajectory.end


def test_text_answers_with_faults_on_the_way(tmp_path: Path) -> None:
    with ChatServer() as server:
        server.queue(
            status(429, "slow down", {"retry-after": "0"}),
            answer("I look.\n```\nls\n```"),
            status(500, "oops"),
            answer("no command here"),
            Reply(200, b"{not json"),
            answer("I finish.\n```\nsubmit\n```"),
        )
        code, said = _run(server, tmp_path)
    assert code == 0, said
    assert [r.key for r in server.requests] == [KEY] * 6
    steps, end = _episode(tmp_path)
    assert [(s["kind"], s["retries"]) for s in steps] == [("action", 1), ("format_error", 1), ("action", 1)]
    assert "not in the required format" in steps[1]["observation"]
    assert all(s["served_model"] == "test-2024-01-01" for s in steps)
    assert (end["input_tokens"], end["output_tokens"]) == (300, 60)
    assert abs(end["cost"] - 3 * (100 * 1.0 + 20 * 2.0) / 1e6) < 1e-12
    assert end["exit_status"] == "submitted"
    assert [p for p in tmp_path.rglob("*") if p.is_file() and KEY.encode() in p.read_bytes()] == []


def test_native_tool_calls(tmp_path: Path) -> None:
    with ChatServer() as server:
        server.queue(
            answer("I look.", tool_calls=[tool_call("bash", json.dumps({"command": "ls"}), "a")]),
            answer("Both.", tool_calls=[tool_call("submit", "{}", "b"), tool_call("submit", "{}", "c")]),
            answer("Wrong.", tool_calls=[tool_call("submti", "{}", "d")]),
            answer("Done.", tool_calls=[tool_call("submit", "{}", "e")]),
        )
        code, said = _run(server, tmp_path, "aci/format=function_calling")
    assert code == 0, said
    steps, _ = _episode(tmp_path)
    assert [s["error_code"] for s in steps] == [None, "multiple", "invalid_command", None]
    assert steps[0]["tool"] == "bash"
    first = server.requests[0].body
    assert {"bash", "open", "edit", "submit"} <= {t["function"]["name"] for t in first["tools"]}
    for request in server.requests:
        asked = [c["id"] for m in request.body["messages"] for c in m.get("tool_calls") or []]
        replied = [m["tool_call_id"] for m in request.body["messages"] if m["role"] == "tool"]
        assert asked == replied


def test_several_native_calls_run_in_order_with_a_reply_each(tmp_path: Path) -> None:
    def bash(command: str, call_id: str) -> dict[str, Any]:
        return tool_call("bash", json.dumps({"command": command}), call_id)

    with ChatServer() as server:
        server.queue(
            answer("Both.", tool_calls=[bash("cd / && X=1", "a"), bash("echo $X in $PWD", "b")]),
            answer("One is blocked.", tool_calls=[bash("echo no", "c"), bash("vim", "d")]),
            answer("Done.", tool_calls=[tool_call("submit", "{}", "e"), bash("echo late", "f")]),
        )
        several = "aci.format.several=all"
        code, said = _run(server, tmp_path, "aci/format=function_calling", several)
    assert code == 0, said
    steps, end = _episode(tmp_path)
    assert [s["kind"] for s in steps] == ["action", "blocked", "action"]
    assert steps[0]["action"] == "cd / && X=1\necho $X in $PWD"
    assert "1 in /\n" in steps[0]["observation"] and "Current directory: /)" in steps[0]["observation"]
    replies = [m for m in server.requests[2].body["messages"] if m["role"] == "tool"]
    assert [m["tool_call_id"] for m in replies] == ["a", "b", "c", "d"]
    assert "1 in /" in replies[1]["content"] and "1 in /" not in replies[0]["content"]
    assert "was not run" in replies[2]["content"] and "(not run" in replies[3]["content"]
    assert "late" not in steps[2]["observation"] and end["exit_status"] == "submitted"


def test_context_length_ends_the_episode_as_a_result(tmp_path: Path) -> None:
    with ChatServer() as server:
        server.queue(answer("I write.\n```\necho x > new.txt\n```"), context_length_error())
        code, said = _run(server, tmp_path)
    assert code == 0, said
    _, end = _episode(tmp_path)
    assert end["exit_status"] == "submitted (exit_context)"


def test_time_out_is_an_error_that_the_next_start_tries_again(tmp_path: Path) -> None:
    with ChatServer() as server:
        server.queue(Reply(hang=30))
        code, said = _run(server, tmp_path, "model.timeout=1", "model.retries=0")
        assert code == 1, said
        assert "exit_api" in said
        server.queue(answer("I finish.\n```\nsubmit\n```"))
        code, said = _run(server, tmp_path, "model.timeout=20", "model.retries=0")
    assert code == 0, said
    (cell,) = cells(tmp_path / "default")
    (episode,) = cell.episodes()
    assert episode.error is None
    assert episode.grade is not None
    assert list(episode.folder.glob("attempt-*.jsonl")), "the attempt that failed is kept"


def test_unknown_price_is_unknown(tmp_path: Path) -> None:
    with ChatServer() as server:
        server.queue(answer("I finish.\n```\nsubmit\n```"))
        code, said = _run(server, tmp_path, "model.input_price=null", "model.output_price=null")
    assert code == 0, said
    assert "price unknown" in said
    _, end = _episode(tmp_path)
    assert end["cost"] is None


def test_total_cost_ends_the_sweep_cleanly(tmp_path: Path) -> None:
    finish = answer("I finish.\n```\nsubmit\n```", usage={"prompt_tokens": 10**6, "completion_tokens": 0})
    limits = ("benchmark.slice=0:4", "executor.workers=1", "budget.total_cost=1.5", "budget.cost=null")
    with ChatServer(lambda request: finish) as server:
        code, said = _run(server, tmp_path, *limits)
        assert code == 1, said
        assert "total cost limit" in said
        (cell,) = cells(tmp_path / "default")
        assert len([e for e in cell.episodes() if e.grade]) == 2
        code, said = _run(server, tmp_path, *limits[:2], "budget.total_cost=10", "budget.cost=null")
    assert code == 0, said
    assert len([e for e in cell.episodes() if e.grade]) == 4
