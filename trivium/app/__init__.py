"""Settings, wiring, doors: the outermost floor."""
