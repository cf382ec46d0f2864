"""Tools made from callables."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aci_plugins.bash import read
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
