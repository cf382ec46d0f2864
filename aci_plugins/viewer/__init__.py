"""Viewers: how files are read."""
