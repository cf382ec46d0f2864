"""Formats: what they render they read back; whatever comes in, only FormatError comes out."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aci_plugins.message import Action, FormatError, ToolCall
from tests.aci_plugins.panel import compose

TEXT, NATIVE = compose(), compose(format="function_calling")

lines = st.sampled_from(
    [
        "",
        "```",
        "````",
        "```python",
        "``` ",
        "a",
        "ls -a",
        "edit 1:1",
        "end_of_edit",
        "cat <<EOF",
        "EOF",
        "x``` y",
        " ```",
    ]
)
texts = st.lists(lines, max_size=7).map("\n".join)


@settings(max_examples=500)
@given(texts | st.text(), texts | st.text(st.characters(exclude_characters="\r")))
def test_thought_and_action_are_read_back(thought: str, action: str) -> None:
    thought, action = thought.replace("\r\n", "\n").strip(), action.strip("\n")
    if not action.strip():
        return
    message = TEXT.render(thought, Action(action), 3)
    parsed = TEXT.parse(message.content, message.tool_calls)
    assert (parsed.thought, parsed.action) == (thought, Action(action))
    assert (message.role, message.kind, message.step) == ("assistant", "action", 3)


@settings(max_examples=300)
@given(texts | st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    for aci in (TEXT, NATIVE):
        try:
            aci.parse(text, ())
        except FormatError as error:
            assert error.code and str(error)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("t\n```\nls\n```", "ls"),
        ("t\n```bash\nls\n```\nmore", "ls"),
        ("```\na\n```\nthen\n```\nb\n```", "b"),
        ("t\r\n```\r\nls\r\n```\r\n", "ls"),
        ("```\nedit 1:1\n```python\nx\n```\nend_of_edit\n```", "edit 1:1\n```python\nx\n```\nend_of_edit"),
        ("```\nedit 1:1\n```\nx\n```\nend_of_edit\n```", "edit 1:1\n```\nx\n```\nend_of_edit"),
        ("```\ncat > R.md <<EOF\n```\nx\n```\nEOF\n```", "cat > R.md <<EOF\n```\nx\n```\nEOF"),
        ("````\na\n```\nb\n```\n````", "a\n```\nb\n```"),
    ],
)
def test_the_last_block_that_is_in_no_other(text: str, action: str) -> None:
    assert TEXT.parse(text, ()).action.text == action


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("just talk", "missing"),
        ("", "missing"),
        ("x ```ls``` y", "missing"),
        ("```\nls", "unclosed"),
        ("```\n\n```", "empty"),
    ],
)
def test_what_is_wrong_with_a_text_answer(text: str, code: str) -> None:
    with pytest.raises(FormatError) as caught:
        TEXT.parse(text, ())
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("calls", "code", "names"),
    [
        ([], "missing", "exactly one"),
        ([("open", "{}"), ("open", "{}")], "multiple", "2 function calls"),
        ([("opne", "{}")], "invalid_command", "'opne'"),
        ([("open", "{")], "invalid_json", "JSON"),
        ([("open", "[" * 100_000)], "invalid_json", "JSON"),
        ([("open", '{"line_number": ' + "9" * 5000 + "}")], "invalid_json", "JSON"),
        ([("open", "[1]")], "incorrect_args", "object"),
        ([("open", "{}")], "missing_arg", "'path'"),
        ([("open", '{"path": null}')], "missing_arg", "'path'"),
        ([("open", '{"path": 1}')], "incorrect_args", "'path'"),
        ([("open", '{"path": "a", "line_number": true}')], "incorrect_args", "'line_number'"),
        ([("open", '{"path": "a", "line_number": "3"}')], "incorrect_args", "'line_number'"),
        ([("open", '{"path": "a", "line": 1}')], "unexpected_arg", "'line'"),
        ([("open", '{"path": "a\\u0000"}')], "incorrect_args", "NUL"),
        ([("open", '{"path": "\\ud800"}')], "incorrect_args", "Unicode"),
    ],
)
def test_what_is_wrong_with_a_call(calls: list[tuple[str, str]], code: str, names: str) -> None:
    with pytest.raises(FormatError) as caught:
        NATIVE.parse("t", [ToolCall(str(i), *call) for i, call in enumerate(calls)])
    assert caught.value.code == code
    assert names in str(caught.value)


words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)


@given(words, words, st.integers(), words)
def test_calls_are_read_back(thought: str, path: str, line: int, command: str) -> None:
    for action in (
        NATIVE.action("open", path=path, line_number=line),
        NATIVE.action("edit", start_line=1, end_line=line, text=path),
        NATIVE.shell_action(command),
    ):
        message = NATIVE.render(thought, action, 7)
        parsed = NATIVE.parse(message.content, message.tool_calls)
        assert parsed.thought == thought.strip()
        assert (parsed.action.tool, parsed.action.arguments, parsed.action.text) == (
            action.tool,
            action.arguments,
            action.text,
        )
        assert parsed.action.call_id == "call_7"


def test_a_text_action_is_rendered_natively_as_a_shell_call() -> None:
    call = NATIVE.render("t", Action("ls"), 1).tool_calls[0]
    assert (call.name, json.loads(call.arguments)) == ("bash", {"command": "ls"})


def test_null_stands_for_an_argument_left_out() -> None:
    parsed = NATIVE.parse("", [ToolCall("1", "open", '{"path": "a", "line_number": null}')])
    assert parsed.action.arguments == {"path": "a"}


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=40))
def test_a_rendered_edit_keeps_its_text(text: str) -> None:
    written = NATIVE.action("edit", start_line=1, end_line=2, text=text).text
    ended = text if not text or text.endswith("\n") else text + "\n"
    assert NATIVE.parse_command(written).arguments == {"start_line": 1, "end_line": 2, "text": ended}
