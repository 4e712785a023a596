"""The signals, one per file: pure functions that derive lessons from a session and earlier ones."""
