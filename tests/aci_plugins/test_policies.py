"""History, guardrails and feedback."""

from __future__ import annotations

import pytest

from aci_plugins.message import Message, Observation, ToolCall
from tests.aci_plugins.panel import compose, edit, node, panel, refusal

ACI = compose()
OPENING = [
    Message("system", "s", "system"),
    Message("user", "d", "demonstration"),
    Message("user", "i", "instance"),
]


def turn(step: int, kind: str = "action", native: bool = False) -> list[Message]:
    calls = (ToolCall(f"c{step}", "bash", "{}"),) if native else ()
    reply = "observation" if kind == "action" else "error"
    name = "obs" if kind == "action" else "reply"
    answer = Message("assistant", f"{kind}{step}", kind, step, calls)  # type: ignore[arg-type]
    text = f"{name}{step}\nsecond\nthird"
    if native:
        return [answer, Message("tool", text, reply, step, (), f"c{step}")]  # type: ignore[arg-type]
    return [answer, Message("user", text, reply, step)]  # type: ignore[arg-type]


@pytest.mark.parametrize("native", [False, True])
def test_last_five_observations(native: bool) -> None:
    messages = OPENING + [m for step in range(1, 9) for m in turn(step, native=native)]
    shown = ACI.history.apply(messages)
    assert shown[:3] == OPENING
    assert len(shown) == len(messages)
    contents = [m.content for m in shown if m.kind == "observation"]
    assert contents[:3] == ["Old output omitted (3 lines)"] * 3
    assert [c.split("\n")[0] for c in contents[3:]] == [f"obs{n}" for n in range(4, 9)]
    assert [m.tool_call_id for m in shown] == [m.tool_call_id for m in messages]


@pytest.mark.parametrize("native", [False, True])
def test_corrected_errors_go_but_for_the_first_reply(native: bool) -> None:
    kinds = ["action", "error", "error", "action", "error", "action"]
    messages = OPENING + [m for step, kind in enumerate(kinds, 1) for m in turn(step, kind, native)]
    shown = ACI.history.apply(messages)
    assert [m.content.split("\n")[0] for m in shown[3:]] == [
        "action1",
        "obs1",
        "reply2",
        "action4",
        "obs4",
        "action6",
        "obs6",
    ]
    asked = {call.id for m in shown for call in m.tool_calls}
    assert {m.tool_call_id for m in shown if m.role == "tool"} == (asked if native else set())


def test_errors_that_are_not_corrected_yet_stay() -> None:
    messages = OPENING + turn(1) + turn(2, "error", native=True) + turn(3, "error", native=True)
    assert ACI.history.apply(messages) == messages


def test_full_history() -> None:
    messages = OPENING + [m for step in range(1, 9) for m in turn(step)]
    assert compose(history="full").history.apply(messages) == messages
    mistakes = messages + turn(9, "error") + turn(10)
    everything = {**node("history/full"), "corrected_errors": "all"}
    assert compose(history=everything).history.apply(mistakes) == mistakes
    assert (
        len(compose(history={**everything, "corrected_errors": "none"}).history.apply(mistakes))
        == len(mistakes) - 2
    )


@pytest.mark.parametrize(
    "command",
    [
        "vim f", "cd x && vim f", "timeout 5 vim f", "timeout -s KILL 5 nano a", "env python", "env A=1 python",
        "ls | xargs vim", "bash -c 'vim x'", "sh -ec 'ls; nano y'", "/usr/bin/vim f", "for i in a; do vim $i; done",
        "echo $(vim x)", "python", "cd x; python3", "git status", "x=1 git diff", "if true; then git log; fi",
        "sudo -u root vim", "v''im f", "nohup ls", "gdb a", "less f", "/bin/bash", "exit", "su", "f() { vim; }",
        "nice -n 5 env -u X git log", "! git diff", "time git diff",
    ],
)  # fmt: skip
def test_refused(command: str) -> None:
    verdict = refusal(ACI, command)
    assert verdict and verdict.rule in ("blocklist", "standalone") and verdict.reason
    assert refusal(compose(guardrails="none"), command) is None


@pytest.mark.parametrize(
    "command",
    [
        "view f", "python manage.py makemigrations", "virtualenv x", "lessc x", "python x.py", "echo vim", "grep git f",
        "cat <<E\nvim\nE", "echo x | python", "python <<E\nprint(1)\nE", "python < f", "open vim.py",
        "ls git",
        "exit 3", "cat > f <<EOF\npython\nEOF\nls", "echo 'git x'; ls", "bash run.sh", "make",
        edit("1:1", "vim x", "git add"),
        edit("1:1", "it's git") + "\nls", "pip install gitpython", "timeout 5 ls", "x=(vim)",
    ],
)  # fmt: skip
def test_allowed(command: str) -> None:
    assert refusal(ACI, command) is None


def test_the_list_is_a_field() -> None:
    only = {**node("guardrails/paper"), "blocklist": ["vim"]}
    assert refusal(compose(guardrails=only), "git diff") is None
    assert ACI.guardrails.max_requeries == 2


def test_native_calls_are_looked_at_too() -> None:
    native = compose(format="function_calling")
    assert refusal(native, native.shell_action("cd x && vim f"))
    assert refusal(native, native.action("edit", start_line=1, end_line=1, text="vim x\ngit y")) is None


def test_long_observations_are_cut() -> None:
    def shown(option: str, limit: int, text: str) -> Observation:
        return compose(
            feedback={**node(f"feedback/{option}"), "max_observation_chars": limit}
        ).feedback.apply(Observation(text))

    assert shown("paper", 5, "12345") == Observation("12345")
    assert shown("paper", 5, "1234567") == Observation("12345", elided_chars=2)
    cut = shown("head_tail", 5, "1234567890")
    assert cut.text == "123\n[... 5 characters left out ...]\n90" and cut.elided_chars == 5
    assert shown("head_tail", 1, "ab").text == "a\n[... 1 characters left out ...]\n"


def test_the_cap_counts_for_everything() -> None:
    with panel(
        {"a.txt": b"x" * 300}, compose(feedback={**node("feedback/paper"), "max_observation_chars": 100})
    ) as p:
        for command in ("cat a.txt", "open a.txt"):
            observation = p.do(command)
            assert len(observation.text) == 100 and observation.elided_chars > 190
