"""``filter``, ``ids`` and ``slice`` mean the same for every benchmark."""

from __future__ import annotations

from typing import Any

import pytest

from runner.benchmarks.selection import parse_slice, select
from runner.errors import UserError

ROWS = [(f"repo-{number}", number) for number in range(30)]


@pytest.mark.parametrize(
    ("given", "chosen"),
    [
        ({}, list(range(30))),
        ({"slice": "0:3"}, [0, 1, 2]),
        ({"slice": ":2"}, [0, 1]),
        ({"slice": "28:"}, [28, 29]),
        ({"slice": "-2:"}, [28, 29]),
        ({"slice": "25:99"}, [25, 26, 27, 28, 29]),
        ({"slice": "::10"}, [0, 10, 20]),
        ({"ids": ["repo-7", "repo-3"]}, [3, 7]),
        ({"filter": "repo-1.?"}, [1, *range(10, 20)]),
        ({"filter": "repo-1.?", "slice": "0:2"}, [1, 10]),
        ({"filter": "repo-1.?", "ids": ["repo-1", "repo-2"]}, [1]),
    ],
)
def test_choice(given: dict[str, Any], chosen: list[int]) -> None:
    assert select(ROWS, source="data.jsonl", **given) == chosen


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"ids": ["repo-33"]}, r"benchmark.ids: data.jsonl has no instance 'repo-33'; did you mean 'repo-3"),
        ({"ids": ["zzz"]}, r"no instance 'zzz' \(30 instances, e.g. 'repo-0'\)"),
        ({"slice": "0-10"}, "benchmark.slice='0-10' is no slice: write a:b"),
        ({"slice": "3"}, "is no slice"),
        ({"slice": "0:3:0"}, "is no slice"),
        ({"slice": "-:3"}, "is no slice"),
        ({"slice": "5:2"}, "benchmark.slice='5:2' is empty"),
        ({"slice": "2:2"}, "is empty"),
        ({"slice": "-1:-3"}, "is empty"),
        ({"slice": "2:5:-1"}, "is empty"),
        ({"slice": "99999999999999999999:"}, "is no slice"),
        ({"filter": "("}, "benchmark.filter='\\(' is no regular expression"),
        ({"filter": "none"}, "benchmark.filter=none leaves no instance of the 30 in data.jsonl"),
        ({"slice": "50:60"}, "leaves no instance"),
    ],
)
def test_mistakes(given: dict[str, Any], says: str) -> None:
    with pytest.raises(UserError, match=says) as raised:
        select(ROWS, source="data.jsonl", **given)
    assert "\n" not in str(raised.value)


def test_steps_backwards() -> None:
    assert parse_slice("::-1") == slice(None, None, -1)
