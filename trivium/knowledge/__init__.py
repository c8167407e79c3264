"""The change journal and what feeds it."""
