"""What runs everything that is no command of the interface."""
