"""What is seen of a session: events, what their tool calls touch, and the journal that keeps them."""
