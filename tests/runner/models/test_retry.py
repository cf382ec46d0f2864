"""The retry policy by itself."""

from __future__ import annotations

import datetime
import email.utils
import time

import pytest

from runner.models import retry
from runner.models.base import ModelError
from runner.models.retry import Failure, Retry, Verdict, retry_after


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "KEYS", retry.Keys())
    for name in ("KEY_1", "KEY_2", "KEY_3"):
        monkeypatch.setenv(name, f"value-of-{name}")


class Provider:
    """Fails as told, then succeeds; remembers which keys it was given."""

    def __init__(self, *verdicts: Verdict, after: float | None = None) -> None:
        self.verdicts, self.after = list(verdicts), after
        self.keys: list[str | None] = []

    def __call__(self, key: str | None) -> str:
        self.keys.append(key)
        if self.verdicts:
            verdict = self.verdicts.pop(0)
            raise Failure(verdict, ModelError(f"failed: {verdict}"), self.after)
        return "answer"


def policy(retries: int = 5, max_wait: float = 0.05) -> Retry:
    return Retry(retries, max_wait, first_wait=0.01)


def test_counts_failures() -> None:
    assert policy().call(Provider()) == ("answer", 0)
    assert policy().call(Provider("again", "limited", "again")) == ("answer", 3)


def test_gives_up() -> None:
    for verdicts, calls in ((["give_up"], 1), (["bad_key"], 1), (["again"] * 9, 3)):
        provider = Provider(*verdicts)  # type: ignore[arg-type]
        with pytest.raises(ModelError, match="failed"):
            policy(retries=2).call(provider)
        assert len(provider.keys) == calls


def test_limited_keys_take_turns() -> None:
    provider = Provider("limited", "limited", "limited", after=0.05)
    assert policy().call(provider, ["KEY_1", "KEY_2", "KEY_3"]) == ("answer", 3)
    assert provider.keys == ["KEY_1", "KEY_2", "KEY_3", "KEY_1"]


def test_a_limited_key_rests_for_other_calls_too() -> None:
    policy(max_wait=30).call(Provider("limited", after=30), ["KEY_1", "KEY_2"])
    other = Provider()
    policy().call(other, ["KEY_1", "KEY_2"])
    assert other.keys == ["KEY_2"]


def test_bad_keys_do_not_use_up_retries() -> None:
    provider = Provider("bad_key", "bad_key")
    assert policy(retries=0).call(provider, ["KEY_1", "KEY_2", "KEY_3"]) == ("answer", 2)
    with pytest.raises(ModelError, match="KEY_1, KEY_2 were refused"):
        policy().call(Provider(), ["KEY_1", "KEY_2"])


def test_a_corrected_key_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelError, match="no usable key"):
        policy().call(Provider("bad_key"), ["KEY_1"])
    monkeypatch.setenv("KEY_1", "another value")
    assert policy().call(Provider(), ["KEY_1"]) == ("answer", 0)


def test_waits_are_capped() -> None:
    began = time.monotonic()
    policy(max_wait=0.05).call(Provider("again", "limited", after=1000))
    assert 0.1 <= time.monotonic() - began < 5


def test_retry_after() -> None:
    assert retry_after({"Retry-After": "2.5"}) == 2.5
    assert retry_after({"retry-after-ms": "250", "retry-after": "9"}) == 0.25
    assert retry_after({"retry-after": "-3"}) == 0
    assert retry_after({}) is None
    assert retry_after({"retry-after": "soon"}) is None
    later = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=100)
    said = retry_after({"retry-after": email.utils.format_datetime(later, usegmt=True)})
    assert said is not None
    assert 90 < said <= 100
