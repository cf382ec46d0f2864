"""The launcher and the sweeper, where Hydra looks for plugins."""
