"""Compose, run, record: the loop, models, environments, benchmarks and tracking."""

__version__ = "0.1.0"
