"""Every shipped option of ``model`` and ``benchmark`` composes and builds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

from aci_plugins.plugin import build

CONF = Path(__file__).resolve().parents[3] / "conf"
NEEDED = {
    "litellm": ["model.name=openai/gpt-4o"],
    "vllm": ["model.name=hosted_vllm/some/model"],
    "ollama": ["model.name=ollama_chat/some:7b"],
    "openai_compatible": ["model.api_base=http://localhost:1/v1"],
    "replay": ["model.path=outputs/x/y"],
}
OPTIONS = sorted(
    (path.parent.name, path.stem)
    for group in ("model", "benchmark")
    for path in (CONF / group).glob("*.yaml")
)


def composed(group: str, option: str) -> dict[str, Any]:
    overrides = NEEDED.get(option, []) if group == "model" else []
    with initialize_config_dir(str(CONF), version_base="1.3"):
        config = compose(f"{group}/{option}", overrides=overrides)
    plain = OmegaConf.to_container(config[group], resolve=True, throw_on_missing=True)
    assert isinstance(plain, dict)
    return {str(key): value for key, value in plain.items()}


@pytest.mark.parametrize(("group", "option"), OPTIONS)
def test_option_builds(group: str, option: str) -> None:
    made = build(composed(group, option))
    assert isinstance(made.name, str) and made.name


def test_all_are_there() -> None:
    wanted = {
        "litellm",
        "smollm2",
        "replay",
        "gold",
        "noop",
        "ollama",
        "vllm",
        "llamacpp",
        "openai_compatible",
    }
    assert wanted <= {option for group, option in OPTIONS if group == "model"}
    assert {"bugs", "humanevalfix"} <= {option for group, option in OPTIONS if group == "benchmark"}


def test_ollama_is_told_its_window() -> None:
    assert composed("model", "ollama")["extra"] == {"num_ctx": 16384}


def test_every_field_is_in_the_file() -> None:
    """A file that leaves a field out hides it from whoever reads or overrides it."""
    for group, option in OPTIONS:
        node = composed(group, option)
        module, _, name = str(node["_target_"]).rpartition(".")
        cls = getattr(__import__(module, fromlist=[name]), name)
        assert set(cls.__dataclass_fields__) == set(node) - {"_target_"}, f"{group}/{option}.yaml"
