"""Models: who answers. Each file is one kind."""
