"""Synthesis: one answer from what the tiers found."""
