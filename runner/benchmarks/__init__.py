"""Benchmarks: where instances come from and how submissions are graded."""
