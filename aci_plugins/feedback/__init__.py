"""Feedback: what of an observation is shown."""
