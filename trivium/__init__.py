"""Trivium: what the stages share, and what joins them."""
