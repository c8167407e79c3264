"""The measurements, each with a command."""
