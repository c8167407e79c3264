"""From a question to a plan, without a model."""
