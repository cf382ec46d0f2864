"""What every shipped format must hold to: it reads back what it renders, and whatever comes in, only FormatError
comes out."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aci_plugins.aci import ACI, Format
from aci_plugins.message import Action, FormatError, ToolCall
from tests.aci_plugins.panel import CONF, compose

NAMES = sorted(path.stem for path in (CONF / "format").glob("*.yaml"))
WITHOUT_THOUGHT = {"action_only"}


@cache
def aci(name: str) -> ACI:
    """The paper's ACI with another format."""
    return compose(format=name)


markup = st.sampled_from(
    [
        "",
        "```",
        "````",
        "```bash",
        "```python",
        " ```",
        "x``` y",
        "<command>",
        "</command>",
        "<![CDATA[",
        "]]>",
        "<function=open>",
        "</function>",
        "<parameter=path>",
        "</parameter>",
        "<tool_call>",
        "</tool_call>",
        '{"thought": "x", "command": {"name": "bash"}}',
        '{"',
        "}",
        '"',
        "\\",
        "'",
        "Thought: x",
        "Action: bash",
        "Action Input: ls",
        "Observation: x",
        "Final Answer: 42",
        "ls -a",
        "edit 1:1",
        "end_of_edit",
        "cat <<EOF",
        "EOF",
        "é \N{SNOWMAN} \N{PILE OF POO}",
        "  indented",
        "trailing  ",
    ]
)
pieces = st.lists(markup, max_size=6)
anything = pieces.map("\n".join) | pieces.map("".join) | st.text(max_size=60)
writable = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=40)
texts = pieces.map("\n".join) | pieces.map("".join) | writable


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    """Each format in turn."""
    return str(request.param)


def test_it_is_a_format_and_says_how_to_answer(name: str) -> None:
    form = aci(name).format
    assert isinstance(form, Format)
    assert len(aci(name).variables()["format_docs"]) > 40
    assert form.named or not form.native


def test_a_format_that_names_tools_documents_all_of_them(name: str) -> None:
    if aci(name).format.named:
        variables = aci(name).variables()
        shown = variables["format_docs"] + variables["command_docs"]
        assert "bash" in [tool.name for tool in aci(name).tools]
        for tool in aci(name).tools:
            assert tool.name in shown
            assert all(parameter.name in shown for parameter in tool.parameters)


def test_the_example_in_its_documentation_is_well_formed(name: str) -> None:
    form = aci(name).format
    if not form.native and name not in WITHOUT_THOUGHT:
        parsed = aci(name).parse(form.documentation(aci(name).tools).split("For example:\n\n")[-1], ())
        assert parsed.thought and parsed.action.text


def _read_back(name: str, thought: str, action: Action) -> None:
    message = aci(name).render(thought, action, 3)
    assert (message.role, message.kind, message.step) == ("assistant", "action", 3)
    parsed = aci(name).parse(message.content, message.tool_calls)
    assert (parsed.action.text, parsed.action.tool, parsed.action.arguments, parsed.more) == (
        action.text,
        action.tool,
        action.arguments,
        (),
    )
    if name in WITHOUT_THOUGHT:
        assert parsed.thought == ""
    else:
        # Markup in a thought may get a space, so that it is none.
        assert parsed.thought.replace(" ", "") == thought.strip().replace(" ", "")
        if not any(mark in thought for mark in "`<{:"):
            assert parsed.thought == thought.strip()
    again = aci(name).render(parsed.thought, parsed.action, 3)
    assert aci(name).parse(again.content, again.tool_calls) == parsed


def _both(check: Callable[..., None]) -> Callable[..., None]:
    return settings(max_examples=200, deadline=None)(check)


@_both
@given(thought=texts, command=texts)
def _commands(name: str, thought: str, command: str) -> None:
    command = command.strip("\n")
    if command.strip():
        _read_back(name, thought, aci(name).shell_action(command))


@_both
@given(thought=texts, path=texts, line=st.integers(), text=texts)
def _tools(name: str, thought: str, path: str, line: int, text: str) -> None:
    panel = aci(name)
    if panel.format.named:
        _read_back(name, thought, panel.action("open", path=path, line_number=line))
        _read_back(name, thought, panel.action("edit", start_line=1, end_line=line, text=text))
        _read_back(name, thought, panel.action("submit"))


def test_commands_are_read_back(name: str) -> None:
    _commands(name)


def test_calls_of_tools_are_read_back(name: str) -> None:
    _tools(name)


@_both
@given(text=anything, calls=st.lists(st.tuples(st.sampled_from(["bash", "open", "x"]), anything), max_size=3))
def _refused_or_read(name: str, text: str, calls: list[tuple[str, str]]) -> None:
    try:
        parsed = aci(name).parse(text, [ToolCall(str(i), *call) for i, call in enumerate(calls)])
    except FormatError as error:
        assert error.code.replace("_", "").isalpha()
        assert str(error).encode()
        assert str(error).endswith((".", "…"))
    else:
        assert parsed.thought.encode() is not None
        assert parsed.action.text.strip() or parsed.action.tool or name == "edit_format"


def test_whatever_comes_in_is_read_or_refused(name: str) -> None:
    _refused_or_read(name)


@pytest.mark.parametrize(
    "unit",
    [
        "{",
        '{"a":',
        '{"a": "',
        "[",
        "```\n",
        "```bash\n",
        "<command>",
        "<command><![CDATA[",
        "<function=a>",
        "<function=a><parameter=b>",
        "</parameter>  ",
        "<tool_call>{",
        "Action: a\n",
        "Action Input: {\n",
        "cat <<EOF\n",
        "\ud800",
        "\0",
    ],
)
def test_a_long_answer_is_read_in_time(name: str, unit: str) -> None:
    """Twenty thousand times the same: nothing but FormatError, and no quadratic work."""
    import time

    began = time.process_time()
    for text in (unit * 20_000, "<function=bash><parameter=command>" + unit * 20_000):
        try:
            aci(name).parse(text, [ToolCall("1", "open", text)] if aci(name).format.native else ())
        except FormatError as error:
            assert str(error).encode()
    assert time.process_time() - began < 5
