"""A deterministic rule-based repair policy behind the model contract: a baseline, not a language model."""
