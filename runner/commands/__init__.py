"""Subcommands of ``acilab`` that belong to no other room. Each file is one command."""
