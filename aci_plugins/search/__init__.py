"""Search: how names are found."""
