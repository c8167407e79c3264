"""Real server processes, killed and damaged: what was acknowledged is there afterwards."""
