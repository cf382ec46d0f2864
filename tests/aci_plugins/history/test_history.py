"""History policies, one by one and in a chain."""

from __future__ import annotations

import pytest

from aci_plugins.history.tokens import estimated
from aci_plugins.message import Message
from aci_plugins.plugin import PluginError
from runner.models.wire import to_wire
from tests.aci_plugins.history.conversation import OPENING, firsts, policy, talk, turn
from tests.aci_plugins.panel import CONF, compose, node

OPTIONS = sorted(p.stem for p in (CONF / "history").glob("*.yaml") if p.stem != "chain")


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_leaves_a_conversation(option: str, native: bool) -> None:
    history = policy(option)
    mistakes = turn(10, kind="error", native=native)
    for steps in (0, 1, 2, 9):
        messages = [*talk(steps, native=native), *(mistakes if steps == 9 else [])]
        shown = history.apply(messages)
        assert [m.content for m in shown if m.kind in ("system", "instance")] == ["s", "i"]
        assert shown == history.apply(messages)  # nothing is remembered in the policy
        asked = {call.id for m in shown for call in m.tool_calls}
        assert {m.tool_call_id for m in shown if m.role == "tool"} == asked
        if steps:
            newest = [m.content for m in messages if m.kind == "observation"][-1]
            assert newest in [m.content for m in shown]
        if steps == 9:
            assert firsts(shown)[-2:] == ["error10", "reply10"]
        assert to_wire(shown, native=native)


def test_old_observations_are_collapsed_in_either_wording() -> None:
    assert firsts(policy("last_n", n=1, polling=1).apply(talk(2)))[1] == (
        "Old environment output: (3 lines omitted)"
    )
    assert firsts(policy("last5", n=1).apply(talk(2)))[1] == "Old output omitted (3 lines)"


def test_polling_keeps_the_prompt_growing_for_a_while() -> None:
    history = policy("last_n", n=2, polling=3)
    full = [sum(c.startswith("obs") for c in firsts(history.apply(talk(n)))) for n in range(1, 12)]
    assert full == [1, 2, 3, 4, 2, 3, 4, 2, 3, 4, 2]
    grown = history.apply(talk(7))
    assert history.apply(talk(6)) == grown[: len(grown) - 2]


def test_only_the_newest_window_of_a_file_stays() -> None:
    def window(path: str, text: str) -> str:
        return (
            f"note\n[File: {path} (9 lines total)]\n(2 more lines above)\n3:{text}\n4:x\n(Open file: {path})"
        )

    messages = [
        *OPENING,
        *turn(1, window("/a", "old")),
        *turn(2, window("/b", "other")),
        *turn(3, "no window\n3: not one"),
        *turn(4, window("/a", "new") + "\n" + window("/a", "new too")),
    ]
    shown = [m.content for m in policy("closed_windows").apply(messages) if m.kind == "observation"]
    assert shown[0] == (
        "note\n[File: /a (9 lines total)]\nOutdated window with 2 lines omitted...\n(Open file: /a)"
    )
    assert shown[1:] == [m.content for m in messages if m.kind == "observation"][1:]


def test_tags_decide_before_age() -> None:
    messages = [*OPENING, *turn(1, tool="open"), *turn(2, tool="x"), *(turn(3, tool="ls"))]
    tagged = node("history/tagged")
    tagged["policies"]["last_n"]["n"] = 1
    shown = firsts(compose(history=tagged).history.apply(messages))
    assert shown == [
        "action1", "obs1", "action2", "Old output omitted (3 lines)", "action3", "Old output omitted (3 lines)",
    ]  # fmt: skip


def test_matches_are_removed_from_all_but_the_last() -> None:
    messages = [*OPENING, *turn(1, "a<diff>1\n2</diff>b<diff></diff>"), *turn(2, "c<diff></diff>d")]
    assert firsts(policy("remove_regex").apply(messages)) == ["action1", "ab", "action2", "c<diff></diff>d"]
    assert firsts(policy("remove_regex", keep_last=0).apply(messages))[-1] == "cd"
    assert policy("remove_regex", keep_last=5).apply(messages) == messages
    with pytest.raises(PluginError, match="no regular expression") as caught:
        policy("remove_regex", remove=["("])
    assert caught.value.key == "history.remove" or caught.value.key == "history"


@pytest.mark.parametrize("native", [False, True])
def test_marks_for_the_cache_reach_the_request(native: bool) -> None:
    shown = policy("cache_control").apply(talk(2, native=native))
    assert [m.cached for m in shown] == [False, False, False, False, True, False, True]
    wire = to_wire(shown, native=native)
    mark = {"type": "ephemeral"}
    for message in (wire[4], wire[6]):
        marked = message if native else message["content"][0]
        assert marked["cache_control"] == mark
    assert sum("cache_control" in str(m) for m in wire) == 2
    moved = policy("cache_control", last=1, offset=1).apply(talk(2))
    assert [m.cached for m in moved] == [False, False, False, False, True, False, False]
    assert [m.cached for m in policy("cache_control", offset=9).apply(talk(1))] == [False] * 5


def test_observations_give_way_until_the_tokens_fit() -> None:
    long = [*OPENING, *(m for step in range(1, 6) for m in turn(step, "x" * 400))]
    whole = estimated(long, 4)
    history = policy("token_budget", max_tokens=whole - 150)
    shown = history.apply(long)
    assert estimated(shown, 4) <= whole - 150
    assert [c.startswith("Old") for c in firsts(shown)[1::2]] == [True, True, False, False, False]
    assert policy("token_budget", max_tokens=whole).apply(long) == long
    least = policy("token_budget", max_tokens=1).apply(long)
    assert firsts(least)[-1] == "x" * 400 and firsts(least)[-3].startswith("Old")
    dropped = policy("token_budget", max_tokens=whole - 150, how="drop").apply(long)
    assert firsts(dropped)[0] == "action3"


def test_the_last_turn_alone() -> None:
    shown = policy("last_turn").apply(talk(4))
    assert [m.content.split("\n")[0] for m in shown] == ["s", "i", "action4", "obs4"]
    assert policy("last_turn", demonstration=True).apply(talk(0)) == OPENING


def test_a_chain_applies_its_links_in_order() -> None:
    chain = {
        "_target_": "aci_plugins.history.chain.Chain",
        "policies": {"last": {**node("history/last5"), "n": 2}, "cache": node("history/cache_control")},
    }
    shown = compose(history=chain).history.apply(talk(4))
    assert [c.startswith("Old") for c in firsts(shown)[1::2]] == [True, True, False, False]
    assert sum(m.cached for m in shown) == 2
    with pytest.raises(PluginError):
        compose(history={**chain, "policies": {}})


def test_a_result_without_its_call_is_a_message_of_the_user() -> None:
    lost = [Message("tool", "x", "observation", 1, (), "gone", cached=True)]
    assert to_wire(lost, native=True)[0]["role"] == "user"
