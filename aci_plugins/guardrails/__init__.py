"""Guardrails: what is refused before it runs."""
