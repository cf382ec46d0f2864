"""What of an observation is shown."""
