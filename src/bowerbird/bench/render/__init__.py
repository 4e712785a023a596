"""How what was measured reads."""
