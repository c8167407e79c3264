"""The router: features, model, training, policy, registry."""
