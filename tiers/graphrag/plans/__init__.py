"""Plans: their steps, how they are checked, estimated, run, and read back."""
