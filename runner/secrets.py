"""Keeping keys out of everything that is written or shown."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterable
from functools import cache

MASK = "***"
MIN_LENGTH = 8
"""Shorter values are left alone: replacing them would garble ordinary text."""

_SECRET_NAME = re.compile(r"(?i)(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)S?(_?\d+|_[A-Z])?$")
_LITERAL = re.compile(
    r"(?<![A-Za-z0-9_-])(sk-[A-Za-z0-9_-]{8,}|gh[pousr]_[A-Za-z0-9]{20,}|hf_[A-Za-z0-9]{20,}|"
    r"AIza[A-Za-z0-9_-]{30,}|gsk_[A-Za-z0-9]{20,}|xai-[A-Za-z0-9]{20,}|AKIA[A-Z0-9]{16}|r8_[A-Za-z0-9]{20,})"
)
_named: set[str] = set()
_lock = threading.Lock()


def protect(names: Iterable[str]) -> None:
    """Treat the environment variables ``names`` as secrets from now on, whatever they are called."""
    with _lock:
        _named.update(names)


def secret_names() -> list[str]:
    """Names of the environment variables that hold a secret: called ``…KEY``, ``…TOKEN``, ``…SECRET``,
    ``…PASSWORD`` and the like, or given to :func:`protect`."""
    with _lock:
        named = set(_named)
    return sorted(
        name for name, value in os.environ.items() if value and (name in named or is_secret_name(name))
    )


def redact(text: str, names: Iterable[str] | None = None) -> str:
    """``text`` with every secret replaced by ``***``: the values of the environment variables ``names`` (by default
    :func:`secret_names`), and whatever is written like a key of a known provider (``sk-…``)."""
    return _LITERAL.sub(MASK, mask(text, secret_names() if names is None else names))


def mask(text: str, names: Iterable[str]) -> str:
    """``text`` with the values of the environment variables ``names`` replaced by ``***``."""
    values = {os.environ.get(name, "") for name in names}
    for value in sorted(values, key=len, reverse=True):
        if len(value) >= MIN_LENGTH:
            text = text.replace(value, MASK)
    return text


def holds_key(text: str) -> bool:
    """Whether ``text`` holds a secret or something written like one."""
    return redact(text) != text


@cache
def is_secret_name(name: str) -> bool:
    """Whether an environment variable of that name holds a secret, by its name alone."""
    return _SECRET_NAME.search(name) is not None
