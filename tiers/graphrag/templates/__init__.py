"""Templates: plans with holes, as data; how they are read, checked, filled and matched."""
