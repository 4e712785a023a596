"""What sessions teach, a signal a file: pure functions from a session and those before to lessons."""
