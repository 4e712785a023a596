"""Sources: each parses one type of file into pieces."""
