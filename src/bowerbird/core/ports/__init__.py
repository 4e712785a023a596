"""The seams between the rooms, by noun; imported for type checking only."""
