"""Shells: how programs are run."""
