"""What is refused before it runs."""
