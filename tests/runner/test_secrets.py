"""What counts as a secret, and that it is masked."""

from __future__ import annotations

import pytest

from runner import secrets
from runner.secrets import holds_key, protect, redact, secret_names


@pytest.fixture(autouse=True)
def variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "_named", set())
    monkeypatch.setenv("SOME_API_KEY", "value-of-the-api-key")
    monkeypatch.setenv("SOME_API_KEY_2", "value-of-the-second-key")
    monkeypatch.setenv("GITHUB_TOKEN", "value-of-the-token")
    monkeypatch.setenv("DB_PASSWORD", "value-of-the-password-and-more")
    monkeypatch.setenv("SHORT_KEY", "abc")
    monkeypatch.setenv("KEYBOARD", "layout-of-the-keyboard")
    monkeypatch.setenv("ODD_NAME", "value-of-the-odd-name")


def test_values_are_masked() -> None:
    text = (
        "a value-of-the-api-key b value-of-the-token, value-of-the-password-and-more; value-of-the-second-key"
    )
    assert redact(text) == "a *** b ***, ***; ***"


def test_ordinary_text_stays() -> None:
    text = "abc, layout-of-the-keyboard, value-of-the-odd-name, task-oriented, risk-averse-approach"
    assert redact(text) == text


def test_protected_names() -> None:
    protect(["ODD_NAME"])
    assert redact("value-of-the-odd-name") == "***"
    assert "ODD_NAME" in secret_names()


def test_longer_values_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LONG_KEY", "value-of-the-token-with-tail")
    assert redact("value-of-the-token-with-tail") == "***"


def test_what_is_written_like_a_key() -> None:
    for key in ("sk-proj-abcdefgh12345678", "ghp_" + "a" * 36, "hf_" + "b" * 34, "AKIA" + "A1" * 8):
        assert redact(f"model.api_key={key}") == "model.api_key=***"
        assert holds_key(key)
    assert not holds_key("openai/gpt-4o")


def test_names() -> None:
    names = secret_names()
    assert {"SOME_API_KEY", "SOME_API_KEY_2", "GITHUB_TOKEN", "DB_PASSWORD", "SHORT_KEY"} <= set(names)
    assert not {"KEYBOARD", "ODD_NAME", "PATH"} & set(names)
    assert names == sorted(names)
