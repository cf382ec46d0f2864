"""How an action is written in an answer."""
