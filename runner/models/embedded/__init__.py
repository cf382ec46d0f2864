"""A deterministic rule-based repair policy behind the model contract: a baseline, not a language model."""

from runner.models.embedded.model import Embedded

__all__ = ["Embedded"]
