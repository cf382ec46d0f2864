"""Read records, compare cells, attribute differences, draw tables. Never runs an agent."""
