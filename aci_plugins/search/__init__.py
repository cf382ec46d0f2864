"""How things are found."""
