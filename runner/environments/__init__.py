"""Environments: where commands run. Each file is one kind."""
