"""Action formats: how an action is written in an answer."""
