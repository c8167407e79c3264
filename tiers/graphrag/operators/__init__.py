"""The operators: pure functions over a graph view."""
