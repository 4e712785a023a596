"""The embedded store: one SQLite file, its word index and its vectors."""
