"""What touches what: outlines of code, references between them, and what a change reaches."""
