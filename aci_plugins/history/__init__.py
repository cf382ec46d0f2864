"""Which messages the model sees."""
