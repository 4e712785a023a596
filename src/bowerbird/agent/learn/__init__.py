"""What is learned of sessions: steps, signals, candidates, and which of them are proposed as memories."""
