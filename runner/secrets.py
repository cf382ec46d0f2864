"""Secrets: which environment variables hold them, and how they are kept out of everything that is written."""

from __future__ import annotations

import os
import re

_NAME = re.compile(r"(?i)(key|token|secret|password|passwd|credential)s?$")
MASK = "***"
SHORTEST = 8
"""Shorter values are no secrets worth the name, and masking them would garble ordinary text."""


def secret_names() -> list[str]:
    """Names of the environment variables that look like secrets, sorted."""
    return sorted(name for name, value in os.environ.items() if _NAME.search(name) and len(value) >= SHORTEST)


def redact(text: str) -> str:
    """``text`` with the value of every such variable replaced by ``***``."""
    values = {os.environ[name] for name in secret_names()}
    for value in sorted(values, key=len, reverse=True):
        if value in text:
            text = text.replace(value, MASK)
    return text
