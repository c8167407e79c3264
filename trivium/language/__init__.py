"""Reading that all stages share: words, mentions linked to entities, quantities, dates, negation, history."""
