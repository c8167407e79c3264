"""What all stages read alike: words, mentions, schema terms, quantities, dates, history."""
