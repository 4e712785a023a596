"""The interfaces between packages, by noun; imported for type checking only."""
