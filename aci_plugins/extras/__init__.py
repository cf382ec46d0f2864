"""Tools that belong to no other part."""
