"""Ends of an episode: in stages, or given up."""

from __future__ import annotations

import pytest

from aci_plugins.plugin import PluginError
from tests.aci_plugins.panel import compose, node, panel
from tests.composed import cell


def test_a_review_comes_before_the_submission() -> None:
    with panel({"a.py": b"a = 1\n"}, compose(submit="review")) as p:
        p.do("echo 'b = 2' >> a.py")
        first = p.do("submit")
        assert not first.submitted and "+b = 2" in first.text and "{{" not in first.text
        p.session = type(p.session).from_dict(p.session.to_dict())
        second = p.do("submit")
        assert second.submitted and second.text == ""


def test_stages_are_messages() -> None:
    stages = {**node("submit/review"), "messages": ["One: {{diff}}", "Two."]}
    with panel({"a.py": b"a = 1\n"}, compose(submit=stages, format="function_calling")) as p:
        said = [p.do(p.aci.action("submit")) for _ in range(3)]
        assert [s.text for s in said] == ["One: (no changes)\n", "Two.\n", ""]
        assert [s.submitted for s in said] == [False, False, True]
    with pytest.raises(PluginError):
        compose(submit={**node("submit/review"), "messages": []})


def test_giving_up() -> None:
    with panel({"a.py": b"a = 1\n"}, compose(extras=["forfeit"], submit="review")) as p:
        done = p.do("exit_forfeit")
        assert done.exit_status == "exit_forfeit" and not done.submitted
    assert "exit_forfeit" not in compose().commands


def test_they_compose_with_the_prompt() -> None:
    made = cell("aci/submit=review", "aci/extras=[forfeit,filemap]")
    assert {"submit", "exit_forfeit", "filemap"} <= made.aci.commands
    played = made.prompt.demonstration.text(made.aci, made.prompt)
    assert played.count("\nsubmit\n") == 2 and "+    slug = slug.strip(SEPARATOR)" in played
    plain = cell()
    assert plain.prompt.demonstration.text(plain.aci, plain.prompt).count("\nsubmit\n") == 1


def test_caps_of_the_summarized_search() -> None:
    files = {f"d/f{i}.txt": b"word\n" * 60 for i in range(60)}
    with panel(files, compose(search="summarized50")) as p:
        assert p.says("search_dir word").startswith("More than 60 files matched")
        assert p.says("search_file word d/f1.txt").startswith("More than 60 lines matched")
        assert p.says("find_file '*.txt'").startswith("More than 60 files matched")
    with panel(files, compose(search="summarized100")) as p:
        assert p.says("search_dir word").startswith("Found 3600 matches")
