"""What each format accepts, and what it says about answers that it does not."""

from __future__ import annotations

from typing import Any

import pytest

from aci_plugins.message import FormatError, ToolCall
from aci_plugins.plugin import build
from aci_plugins.tool import Context, tool
from tests.aci_plugins.panel import compose, node

READ: list[tuple[str, str, str, str]] = [
    # format, answer, thought, action
    ("xml", "t <command>ls</command> u", "t  u", "ls"),
    ("xml", "<command>\n  ls\n</command>", "", "ls"),
    ("xml", "<command>a</command> then <command>b</command>", "<command>a</command> then", "b"),
    ("xml", "I use <command> now: <command>ls</command>", "I use <command> now:", "ls"),
    (
        "xml",
        "<command>cat > a.xml <<E\n<command>x</command>\nE\n</command>",
        "",
        "cat > a.xml <<E\n<command>x</command>\nE",
    ),
    ("xml", "<command><![CDATA[echo '</command>' ]]></command>", "", "echo '</command>' "),
    ("xml_function_calling", "<function=bash><parameter=command>ls</parameter></function>", "", "ls"),
    ("xml_function_calling", "a\r\n<function=submit>\r\n</function>\r\nb", "a\n\nb", "submit"),
    (
        "xml_function_calling",
        "<function=bash>\n<parameter=command>\necho '</parameter>'\n</parameter>\n</function>",
        "",
        "echo '</parameter>'",
    ),
    ("json", 'So: ```json\n{"thought": "t", "command": {"name": "submit"}}\n```', "t", "submit"),
    (
        "json",
        'if (x) { y } {"thought": "}", "command": {"name": "bash", "arguments": {"command": "{"}}}',
        "}",
        "{",
    ),
    ("json", '{"a": 1} {"thought": "t", "command": {"name": "submit", "arguments": null}}', "t", "submit"),
    ("json", '{"thought": "a\nb", "command": {"name": "submit"}}', "a\nb", "submit"),
    ("bash_block", "t\n```bash\nls\n```", "t", "ls"),
    ("bash_block", "```python\nx\n```\n```sh\nls\n```", "```python\nx\n```", "ls"),
    (
        "bash_block",
        "```mswea_bash_command\ncat > a.md <<'E'\n```\nx\n```\nE\n```",
        "",
        "cat > a.md <<'E'\n```\nx\n```\nE",
    ),
    ("hermes", 't <tool_call>{"name": "submit"}</tool_call>', "t", "submit"),
    (
        "hermes",
        '<tool_call>\n{"name": "bash", "arguments": {"command": "echo \'</tool_call>\'"}}',
        "",
        "echo '</tool_call>'",
    ),
    ("react", "Thought: t\nAction: submit\nAction Input: {}", "t", "submit"),
    ("react", "t\nAction: bash\nAction Input: ls -a\nObservation: a b\nThought: fine", "t", "ls -a"),
    ("react", 'Thought: t\nAction: `bash`\nAction Input:\n{"command": "ls"}', "t", "ls"),
    ("action_only", "\nls\ncat a\n", "", "ls\ncat a"),
    ("python_block", "t\n```python\nprint(1)\n```\n", "t", "print(1)"),
    ("edit_format", "t\n```\n\n    x = 1\n```", "t", "\n    x = 1"),
    ("edit_format", "t\n```\n```", "t", ""),
]

REFUSED: list[tuple[str, str, str, str]] = [
    # format, answer, kind, words of the message
    ("xml", "ls", "missing", "between <command> and </command>"),
    ("xml", "ls</command>", "missing", "no <command>"),
    ("xml", "<command>ls", "unclosed", "put </command>"),
    ("xml", "<command> </command>", "empty", "empty"),
    ("xml_function_calling", "open a", "missing", "<function=NAME>"),
    ("xml_function_calling", "<function=open><parameter=path>a</parameter>", "unclosed", "put </function>"),
    (
        "xml_function_calling",
        "<function=open><parameter=path>a</parameter>b</function>",
        "malformed",
        "'b</function>'",
    ),
    ("xml_function_calling", "<function=open><parameter=path>a", "unclosed", "'path' is never closed"),
    ("xml_function_calling", "<function=open>a</function>", "malformed", "'a</function>'"),
    (
        "xml_function_calling",
        "<function=submit></function><function=submit></function>",
        "multiple",
        "exactly one",
    ),
    ("xml_function_calling", "<function=opne></function>", "invalid_command", "'opne'"),
    ("xml_function_calling", "<function=open></function>", "missing_arg", "'path' (string)"),
    (
        "xml_function_calling",
        "<function=goto><parameter=line_number>x</parameter></function>",
        "incorrect_args",
        "type integer",
    ),
    (
        "xml_function_calling",
        "<function=submit><parameter=x>1</parameter></function>",
        "unexpected_arg",
        "'x'",
    ),
    (
        "xml_function_calling",
        "<function=open><parameter=path>a</parameter><parameter=path>b</parameter></function>",
        "repeated_arg",
        "'path' is given twice",
    ),
    ("json", "ls", "missing", "no JSON object"),
    ("json", '{"thought": "t", "command": {"name": "bash", }}', "invalid_json", "not valid JSON"),
    ("json", '{"thought": "t"}', "missing_key", '"command"'),
    ("json", '{"command": {"name": "submit"}}', "missing_key", '"thought"'),
    ("json", '{"thought": 1, "command": {"name": "submit"}}', "incorrect_key", '"thought" must be a string'),
    ("json", '{"thought": "t", "command": "ls"}', "incorrect_key", '"name"'),
    ("json", '{"thought": "t", "command": {"name": "submit", "args": {}}}', "incorrect_key", "'args'"),
    ("json", '{"thought": "t", "command": {"name": "submit", "arguments": []}}', "incorrect_key", "by name"),
    (
        "json",
        '{"thought": "t", "command": {"name": "goto", "arguments": {"line_number": "3"}}}',
        "incorrect_args",
        "integer",
    ),
    ("bash_block", "```\nls\n```", "unmarked", "marked as bash"),
    ("bash_block", "ls", "missing", "no command"),
    ("bash_block", "```bash\nls", "unclosed", "line 1"),
    ("bash_block", "```bash\n```", "empty", "empty"),
    ("bash_block", "```bash\na\n```\n```bash\nb\n```", "multiple", "2 bash code blocks"),
    ("hermes", "ls", "missing", "<tool_call>"),
    ("hermes", "<tool_call>ls</tool_call>", "invalid_json", "not valid JSON"),
    ("hermes", "<tool_call>[]</tool_call>", "incorrect_args", "JSON object"),
    ("hermes", '<tool_call>{"arguments": {}}</tool_call>', "missing_key", '"name"'),
    ("hermes", '<tool_call>{"name": "submit"} done', "unclosed", "</tool_call> is missing"),
    ("hermes", '<tool_call>{"name": "submit"}</tool_call><tool_call>', "multiple", "2 function calls"),
    (
        "hermes",
        '<tool_call>{"name": "open", "arguments": {"path": 1}}</tool_call>',
        "incorrect_args",
        "'path'",
    ),
    ("hermes", '<tool_call>{"name": "open", "parameters": {}}</tool_call>', "incorrect_key", "'parameters'"),
    ("react", "Thought: t\nFinal Answer: 42", "missing", "Action:"),
    ("react", "Action: submit", "missing_input", "Action Input:"),
    ("react", "Action: open\nAction Input: {", "invalid_json", "no JSON object"),
    ("react", 'Action: open\nAction Input: {"path": "a"} and', "invalid_json", "'and'"),
    (
        "react",
        "Action: submit\nAction Input: {}\nAction: submit\nAction Input: {}",
        "multiple",
        "exactly one",
    ),
    ("react", "Action: opne\nAction Input: {}", "invalid_command", "'opne'"),
    ("action_only", " \n", "empty", "empty"),
    ("python_block", "```\nx\n```", "unmarked", "marked as python"),
    ("python_block", "```python\na\n```\n```py\nb\n```", "multiple", "2 python code blocks"),
    ("edit_format", "x", "missing", "no command"),
]


@pytest.mark.parametrize(("name", "answer", "thought", "action"), READ)
def test_what_is_read(name: str, answer: str, thought: str, action: str) -> None:
    parsed = compose(format=name).parse(answer, ())
    assert (parsed.thought, parsed.action.text) == (thought, action)


@pytest.mark.parametrize(("name", "answer", "kind", "words"), REFUSED)
def test_what_is_refused(name: str, answer: str, kind: str, words: str) -> None:
    with pytest.raises(FormatError) as caught:
        compose(format=name).parse(answer, ())
    assert caught.value.code == kind
    assert words in str(caught.value)


def test_text_values_get_the_types_of_the_schema() -> None:
    parsed = compose(format="xml_function_calling").parse(
        "<function=open><parameter=path>3</parameter><parameter=line_number> 7\n</parameter></function>", ()
    )
    assert (parsed.action.tool, parsed.action.arguments) == ("open", {"path": "3", "line_number": 7})


def test_lists_and_booleans_as_text() -> None:
    def pick(context: Context, lines: list[int], loud: bool = False) -> str:
        """Pick lines.

        Args:
            lines: their numbers
            loud: say so
        """
        return ""

    form: Any = build(node("format/xml_function_calling"))
    for written in ("[1, 2]", "1 2", "1,2"):
        answer = f"<function=pick><parameter=lines>{written}</parameter><parameter=loud>True</parameter></function>"
        assert form.parse(answer, (), (tool(pick),)).action.arguments == {"lines": [1, 2], "loud": True}
    with pytest.raises(FormatError, match="list of integers"):
        form.parse("<function=pick><parameter=lines>a</parameter></function>", (), (tool(pick),))


def test_all_bash_blocks_are_one_action() -> None:
    aci = compose(format={**node("format/bash_block"), "blocks": "all"})
    parsed = aci.parse("a\n```bash\ncd x\n```\nb\n```python\nc\n```\n```bash\nls\n```", ())
    assert (parsed.thought, parsed.action.text) == ("a\nb\n```python\nc\n```", "cd x\nls")


def test_python_code_is_the_argument_of_the_tool_python() -> None:
    def python(context: Context, code: str) -> str:
        """Run code.

        Args:
            code: what to run
        """
        return ""

    form: Any = build(node("format/python_block"))
    assert form.unfit(()) and not form.unfit((tool(python),))
    action = form.parse("```py\nx = 1\n```", (), (tool(python),)).action
    assert (action.tool, action.arguments) == ("python", {"code": "x = 1"})


CALLS = [ToolCall("1", "open", '{"path": "a"}'), ToolCall("2", "submit", "")]


def test_several_native_calls() -> None:
    first = compose(format={**node("format/function_calling"), "several": "first"}).parse("t", CALLS)
    assert [a.call_id for a in first.actions] == ["1"]
    every = compose(format={**node("format/function_calling"), "several": "all"}).parse("t", CALLS)
    assert [(a.call_id, a.text) for a in every.actions] == [("1", "open a"), ("2", "submit")]
