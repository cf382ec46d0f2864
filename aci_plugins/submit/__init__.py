"""Submitting: how an episode ends."""
