"""The file: its place on the disk, its connection and locks, and the tables that it starts with."""
