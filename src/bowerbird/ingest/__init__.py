"""Text in, entries out: files are found, read, cut, embedded and written."""
