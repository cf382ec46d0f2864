"""Options: every combination composes, and what each brings hangs together."""

from __future__ import annotations

from itertools import product

import pytest

from aci_plugins.aci import all_commands
from aci_plugins.plugin import PluginError
from tests.aci_plugins.panel import CONF, compose, edit, node, panel

VIEWING = {"open", "goto", "scroll_down", "scroll_up"}
EDITING = {"edit", "create"}
SUMMARIZED = {"search_dir", "search_file", "find_file"}
FILES = {"src/m.py": b"".join(b"v%d = 1\n" % i for i in range(1, 41)), "b.py": b"v3 = 2\n"}
GROUPS = sorted(p.name for p in CONF.iterdir() if p.is_dir())


def options(group: str) -> list[str]:
    return sorted(p.stem for p in (CONF / group).glob("*.yaml"))


@pytest.mark.parametrize(("group", "option"), [(g, o) for g in GROUPS for o in options(g)])
def test_every_option_says_what_it_is_and_composes(group: str, option: str) -> None:
    assert (CONF / group / f"{option}.yaml").read_text("utf-8").startswith("# ")
    aci = compose(**{group: option})
    assert len({tool.name for tool in aci.tools}) == len(aci.tools)
    assert aci.commands <= all_commands()


def test_what_the_papers_options_bring() -> None:
    assert compose().commands == VIEWING | EDITING | SUMMARIZED | {"submit"}
    assert compose("bash_only").commands == {"submit"}
    assert compose(editor="none").commands == VIEWING | SUMMARIZED | {"submit"}
    assert compose(search="iterative").commands == VIEWING | EDITING | {"search", "next", "prev", "submit"}
    assert compose(viewer="full_file").commands == {"open"} | EDITING | SUMMARIZED | {"submit"}
    assert all_commands() >= VIEWING | EDITING | SUMMARIZED | {"search", "next", "prev", "submit"}


@pytest.mark.parametrize(
    ("viewer", "editor", "search", "format"),
    list(product(options("viewer"), options("editor"), options("search"), options("format"))),
)
def test_documentation_names_only_what_is_there(viewer: str, editor: str, search: str, format: str) -> None:
    if (viewer, editor) == ("none", "window_rewrite"):
        pytest.skip("there is no window to rewrite")
    aci = compose(viewer=viewer, editor=editor, search=search, format=format)
    said = aci.variables()
    assert [tool.name for tool in aci.tools if tool.name != "bash"] == [
        n for n in [t.name for t in aci.tools] if n in aci.commands
    ]
    assert ("bash" in [tool.name for tool in aci.tools]) == aci.format.named
    assert said["native"] == (format == "function_calling")
    assert said["has_viewer"] == (viewer != "none") and said["has_editor"] == (editor != "none")
    assert said["has_search"] == (search != "none") and said["lint"] == bool(aci.editor.lint)
    assert said["window"] == {"window30": 30, "window100": 100, "window200": 200}.get(viewer)
    ends = {tool.end_name for tool in aci.tools if tool.end_name}
    assert said["editor_end"] == next(iter(ends), "")
    assert said["submit_command"] == "submit" and said["commands"] == sorted(aci.commands)
    assert "{" not in said["command_docs"]
    for tool in aci.tools:
        assert tool.name in said["command_docs"]
        assert {p.name for p in tool.parameters} == set(tool.schema()["function"]["parameters"]["properties"])
    if said["window"] is not None and viewer != "window100":
        assert "100" not in said["command_docs"]


def test_an_editor_without_viewer_names_its_file() -> None:
    with panel(FILES, compose(viewer="none")) as p:
        rows = p.says(edit("src/m.py 20:20", "v20 = 5")).splitlines()
        assert rows[0] == "[File: /repo/src/m.py (40 lines total)]"
        assert "20:v20 = 5" in rows and rows[2] == "14:v14 = 1" and "24:v24 = 1" in rows
        assert "NOT been applied" in p.says(edit("src/m.py 1:1", "v1 = ("))
        assert p.says(edit("1:1", "x")) == "Usage: edit <path> <start_line>:<end_line>\n"
        assert p.says(edit("none.py 1:1", "x")) == "File none.py not found\n"
        assert p.says("create new.py") == "File new.py created.\n"
        assert p.says("create no/new.py") == "Error: Directory no does not exist.\n"
        assert p.aci.state(p.env, p.session)["open_file"] == "n/a"


def test_the_whole_file() -> None:
    with panel(FILES, compose(viewer="full_file")) as p:
        assert p.says("open src/m.py 30").splitlines()[1:] == [f"{i}:v{i} = 1" for i in range(1, 41)]
        assert p.says(edit("2:2", "v2 = 3")).splitlines()[1:3] == ["1:v1 = 1", "2:v2 = 3"]


def test_iterative_search() -> None:
    with panel(FILES, compose(search="iterative")) as p:
        assert p.says("next") == "There is no search to go on with. Use the search command first.\n"
        assert p.says("search v3").splitlines() == [
            "[Result 1/12 (Line 1)]",
            "[File: /repo/b.py]",
            "1:v3 = 2",
        ]
        rows = p.says("next").splitlines()
        assert rows[:2] == ["[Result 2/12 (Line 3)]", "[File: /repo/src/m.py]"]
        assert rows[2:] == [*(f"{i}:v{i} = 1" for i in range(1, 9)), "(32 more lines omitted)"]
        assert p.says("prev").startswith("[Result 1/12")
        assert p.says("prev").startswith("There is no previous result")
        assert p.says("search v3 b.py && next").endswith(
            'There is no next result: this is the last of 1 for "v3".\n'
        )
        assert p.says("search nothing") == 'No matches found for "nothing" in /repo\n'
        assert p.says("search x nowhere") == "File or directory nowhere not found\n"


def test_a_session_can_be_restored() -> None:
    with panel(FILES, compose(search="iterative")) as p:
        p.do("open src/m.py 30; search v3; next")
        before = p.session
        p.session = type(before).from_dict(before.to_dict())
        assert p.says("next").startswith("[Result 3/12")
        assert p.session.open_file == before.open_file


@pytest.mark.parametrize("term", ["[", "\\(", "x\\{"])
@pytest.mark.parametrize("command", ["search_dir", "search_file"])
def test_a_term_that_is_no_regular_expression(command: str, term: str) -> None:
    with panel(FILES) as p:
        p.do("open b.py")
        assert p.says(f"{command} '{term}'").startswith("grep: ")


def test_limits_of_search() -> None:
    few = {**node("search/summarized"), "max_files": 1, "max_lines": 3}
    with panel(FILES, compose(search=few)) as p:
        assert (
            p.says("search_dir v3")
            == 'More than 2 files matched for "v3" in /repo. Please narrow your search.\n'
        )
        assert p.says("search_file v3 src/m.py").startswith("More than 11 lines matched")


@pytest.mark.parametrize(
    ("group", "field", "value", "key"),
    [
        ("viewer", "window", 0, "viewer.window"),
        ("viewer", "window", "wide", "viewer.window"),
        ("history", "n", 0, "history.n"),
        ("feedback", "keep", "tail", "feedback.keep"),
        ("guardrails", "max_requeries", -1, "guardrails.max_requeries"),
        ("search", "max_file", 3, "search.max_file"),
    ],
)
def test_wrong_values_name_their_key(group: str, field: str, value: object, key: str) -> None:
    option = {"viewer": "window100", "history": "last5", "search": "summarized"}.get(group, "paper")
    with pytest.raises(PluginError) as caught:
        compose(**{group: {**node(f"{group}/{option}"), field: value}})
    assert caught.value.key == key
