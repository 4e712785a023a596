"""Observation of sessions: events, the files and commands of their tool calls, and the journal."""
