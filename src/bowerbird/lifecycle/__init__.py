"""What does time do to a memory? From its admission to its deletion."""
