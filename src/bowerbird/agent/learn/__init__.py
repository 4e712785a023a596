"""What is learned of sessions: steps, signals, lessons, and which of them are proposed as memories."""
