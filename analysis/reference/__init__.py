"""Published numbers to stand beside measured ones; ``swe_agent_paper.yaml`` names the source of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import yaml


@cache
def paper() -> dict[str, Any]:
    """All of ``swe_agent_paper.yaml``: ``defaults``, ``matched`` tables, ``facts``, ``inconsistencies``."""
    loaded: dict[str, Any] = yaml.safe_load(
        files(__name__).joinpath("swe_agent_paper.yaml").read_text("utf-8")
    )
    return loaded


def references(metas: Sequence[Mapping[str, Any]]) -> list[dict[str, Any] | None]:
    """For each cell the paper's number for the same ACI and prompt, all from one of the paper's tables.

    The table is the one that has a number for most of the cells. Cells whose model is a Claude stand beside the
    paper's Claude 3 Opus, all others beside its GPT-4 Turbo. A cell whose ACI or prompt was changed by more
    than a choice of options has none. Model and benchmark are *not* the same: the result
    names the paper's (``rate`` and ``delta`` are fractions, ``cost`` is dollars per resolved instance).
    """
    result: list[dict[str, Any] | None] = [None] * len(metas)
    for claude in (False, True):
        own = [i for i, meta in enumerate(metas) if _is_claude(meta) == claude]
        tables = [t for t in paper()["matched"].values() if t["model"].startswith("Claude") == claude]
        columns = [[_entry(table, metas[i]) for i in own] for table in tables]
        best = max(columns, key=lambda column: sum(entry is not None for entry in column))
        for i, entry in zip(own, best, strict=True):
            result[i] = entry
    return result


def _entry(table: Mapping[str, Any], meta: Mapping[str, Any]) -> dict[str, Any] | None:
    defaults = paper()["defaults"]
    if any(str(o).lstrip("+~").startswith(("aci.", "prompt.")) for o in meta.get("overrides") or ()):
        return None
    default = next(e for e in table["entries"] if not e["change"])
    for entry in table["entries"]:
        if "temperature" in entry and entry["temperature"] != _temperature(meta):
            continue
        wanted = defaults | entry["change"]
        parts = [k for k in wanted if not k.startswith("aci/")] if "aci" in entry["change"] else list(wanted)
        if all(meta["choices"].get(key) == wanted[key] for key in parts):
            return {
                "rate": round(entry["resolved"] / 100, 4),
                "delta": round((entry["resolved"] - default["resolved"]) / 100, 4),
                "cost": entry.get("cost"),
                "label": entry["label"],
                "table": table["title"],
                "model": table["model"],
                "benchmark": table["benchmark"],
                "citation": paper()["citation"],
            }
    return None


def _temperature(meta: Mapping[str, Any]) -> float:
    """Models without a temperature are deterministic, which 0 comes nearest to."""
    value = ((meta.get("config") or {}).get("model") or {}).get("temperature")
    return float(value) if isinstance(value, int | float) else 0.0


def _is_claude(meta: Mapping[str, Any]) -> bool:
    return "claude" in str((meta.get("tuple") or {}).get("model", "")).lower()
