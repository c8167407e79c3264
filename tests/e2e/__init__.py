"""End-to-end tests: the whole service through its doors."""
