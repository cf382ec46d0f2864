"""How files are shown."""
