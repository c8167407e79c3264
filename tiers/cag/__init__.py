"""CAG: facts, and the answers remembered."""
