"""How an episode is ended by the model."""
