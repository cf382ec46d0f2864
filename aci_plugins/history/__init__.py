"""History policies: which messages, in which form, the model sees."""
