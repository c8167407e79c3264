"""Models outside: the chat model and the encoder."""
