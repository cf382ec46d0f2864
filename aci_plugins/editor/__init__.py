"""Editors: how files are changed."""
