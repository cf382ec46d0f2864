"""Control policies: who asks whom, and when an episode ends. Each file is one kind."""
