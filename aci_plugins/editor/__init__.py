"""How files are changed."""
