"""The three tiers: facts, documents, graph."""
