"""What a call costs, and which price table says so."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from runner.models.base import Usage

PER_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars per million tokens, as configured. ``cached`` None: as ``input``."""

    input: float
    output: float
    cached: float | None = None

    def cost(self, usage: Usage) -> float | None:
        """None when the response does not say how many tokens it used."""
        if usage.input_tokens is None or usage.output_tokens is None:
            return None
        cached = usage.cached_tokens or 0
        cached_price = self.input if self.cached is None else self.cached
        fresh = max(0, usage.input_tokens - cached)
        return (fresh * self.input + cached * cached_price + usage.output_tokens * self.output) / PER_MILLION


def table_entry(litellm: Any, name: str) -> dict[str, float] | None:
    """Prices of ``name`` in LiteLLM's cost map (dollars per token, by kind); None when it is not mapped or its
    prices are all zero, which there means unknown as often as free."""
    try:
        model, provider, _, _ = litellm.get_llm_provider(name)
    except litellm.exceptions.BadRequestError:
        return None
    for key in (name, f"{provider}/{model}", model):
        entry = litellm.model_cost.get(key)
        if entry and (key != model or entry.get("litellm_provider") == provider):
            prices = {k: float(v) for k, v in entry.items() if "cost" in k and isinstance(v, (int, float))}
            return prices if any(prices.values()) else None
    return None


def table_digest(entry: dict[str, float] | None, prices: Prices | None) -> str:
    """SHA-256 over what the cost is computed from: the cost map's entry and the configured prices."""
    own = [prices.input, prices.output, prices.cached] if prices else None
    text = json.dumps({"entry": entry, "configured": own}, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
