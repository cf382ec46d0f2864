"""Tools made from callables."""

from __future__ import annotations

import json
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aci_plugins.bash import read
from aci_plugins.format.function_calling import FunctionCalling
from aci_plugins.message import FormatError, ToolCall
from aci_plugins.tool import Context, UsageError, tool


def greet(context: Context, name: str, times: int = 1, loud: bool | None = None) -> str:
    """Greets {whom}
    more than once. And so on.

    A second paragraph is for people.

    Args:
        name: whom to
            greet
        times: how often
        loud: whether to shout
    """
    return f"{name} {times} {loud}"


GREET = tool(greet, fill={"whom": "somebody"})


def test_what_is_made_of_a_callable() -> None:
    assert GREET.signature == "greet <name> [<times>] [<loud>]"
    assert GREET.description == "Greets somebody more than once. And so on."
    assert [(p.name, p.type, p.required, p.default) for p in GREET.parameters] == [
        ("name", "string", True, None),
        ("times", "integer", False, 1),
        ("loud", "boolean", False, None),
    ]
    assert GREET.parameters[0].description == "whom to greet"
    assert GREET.documentation().splitlines() == [
        "greet <name> [<times>] [<loud>]",
        "  Greets somebody more than once. And so on.",
        "  - name (string, required): whom to greet",
        "  - times (integer, optional): how often",
        "  - loud (boolean, optional): whether to shout",
    ]
    schema = GREET.schema()["function"]
    assert schema["parameters"]["required"] == ["name"]
    assert schema["parameters"]["properties"]["times"] == {"type": "integer", "description": "how often"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "Usage: greet <name> [<times>] [<loud>]"),
        (["a", "1", "true", "more"], "Usage: greet <name> [<times>] [<loud>]"),
        (["a", "x"], "Usage: greet <name> [<times>] [<loud>]\nError: <times> must be a number"),
        (["a", "-1"], "Usage: greet <name> [<times>] [<loud>]\nError: <times> must be a number"),
        (["a", "1", "yes"], "Usage: greet <name> [<times>] [<loud>]\nError: <loud> must be true or false"),
    ],
)
def test_wrong_words(words: list[str], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        GREET.read(words)
    assert str(caught.value) == message


@given(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    st.integers(0, 10**9),
    st.booleans(),
)
def test_what_is_rendered_is_read_back(name: str, times: int, loud: bool) -> None:
    arguments = {"name": name, "times": times, "loud": loud}
    (command,) = read(GREET.render(arguments)).commands
    assert command.words[0].value == "greet"
    assert not any(word.expands for word in command.words)
    assert GREET.read([word.value for word in command.words[1:]]) == arguments


def test_a_callable_must_be_described() -> None:
    def bare(context: Context, name: str) -> str:
        """Nothing about name."""
        return name

    def odd(context: Context, name: float) -> str:
        """Odd.

        Args:
            name: x
        """
        return str(name)

    for function, problem in ((bare, "not described"), (odd, "must be str, int or bool")):
        with pytest.raises(TypeError, match=problem):
            tool(function)


def look(
    context: Context,
    command: Literal["view", "change"],
    path: str,
    text: str | None = None,
    view_range: list[int] | None = None,
    all: bool = False,
) -> str:
    """Looks.

    Args:
        command: what to do
        path: the file
        text: the new text
        view_range: the lines
        all: whether all of it
    """
    return f"{command} {path}"


LOOK = tool(look, options=True)


def test_choices_and_lists_in_the_schema_and_the_documentation() -> None:
    properties = LOOK.schema()["function"]["parameters"]["properties"]
    assert properties["command"] == {
        "type": "string",
        "description": "what to do",
        "enum": ["view", "change"],
    }
    assert properties["view_range"]["items"] == {"type": "integer"}
    assert LOOK.signature == "look <command> <path> [--text <text>] [--view_range <view_range>] [--all <all>]"
    assert "  - command (one of view, change, required): what to do" in LOOK.documentation().splitlines()
    assert "  - view_range (list of integers, optional): the lines" in LOOK.documentation().splitlines()


@pytest.mark.parametrize(
    ("line", "arguments"),
    [
        ("view a.py", {"command": "view", "path": "a.py"}),
        ("view a.py --view_range 1 -1", {"command": "view", "path": "a.py", "view_range": [1, -1]}),
        ("view a.py --view_range '[1, 20]'", {"command": "view", "path": "a.py", "view_range": [1, 20]}),
        ("view a.py --view_range [1, 20]", {"command": "view", "path": "a.py", "view_range": [1, 20]}),
        ("view a.py --view_range=1,20", {"command": "view", "path": "a.py", "view_range": [1, 20]}),
        ("change --path a.py --text --all", {"command": "change", "path": "a.py", "text": "--all"}),
        ("--all change a.py", {"command": "change", "path": "a.py", "all": True}),
        ("change a.py --all false", {"command": "change", "path": "a.py", "all": False}),
    ],
)
def test_options_in_text(line: str, arguments: dict[str, object]) -> None:
    assert LOOK.read([word.value for word in read(f"look {line}").commands[0].words[1:]]) == arguments


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["look", "a.py"], "<command> must be one of view, change"),
        (["view"], "<path> is missing"),
        (["view", "a.py", "b.py"], 'unexpected "b.py"'),
        (["view", "a.py", "--path", "b.py"], "<path> is given twice"),
        (["view", "a.py", "--view_range", "x"], "<view_range> must be numbers"),
        (["view", "a.py", "--txt", "x"], 'unexpected "--txt"'),
        (["view", "a.py", "--view_range", "1-2"], "<view_range> must be numbers"),
    ],
)
def test_wrong_options(words: list[str], problem: str) -> None:
    with pytest.raises(UsageError, match=r"(?s)^Usage: look .*\nError: ") as caught:
        LOOK.read(words)
    assert str(caught.value).endswith(f"Error: {problem}") and caught.value.exit_code == 2


WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))


@given(
    st.sampled_from(["view", "change"]),
    WORDS,
    WORDS,
    st.lists(st.integers(-9, 10**9), min_size=1),
    st.booleans(),
)
def test_options_that_are_rendered_are_read_back(
    command: str, path: str, text: str, view_range: list[int], all: bool
) -> None:
    arguments = {"command": command, "path": path, "text": text, "view_range": view_range, "all": all}
    (line,) = read(LOOK.render(arguments)).commands
    assert LOOK.read([word.value for word in line.words[1:]]) == arguments


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"command": "look", "path": "a"}, "'command' of look must be one of view, change, not \"look\""),
        ({"command": "view", "path": "a", "view_range": [1, "2"]}, "must be a list of integers, not"),
        ({"command": "view", "path": "a", "view_range": [True]}, "must be a list of integers, not"),
        ({"command": "view", "path": "a", "view_range": 3}, "must be a list of integers, not 3"),
        ({"command": "view", "path": 3}, "must be of type string, not 3"),
    ],
)
def test_wrong_values_in_a_function_call(arguments: dict[str, Any], problem: str) -> None:
    with pytest.raises(FormatError, match="(?s)" + problem.replace("[", "\\[")):
        FunctionCalling().parse("", [ToolCall("1", "look", json.dumps(arguments))], [LOOK])
