"""Query in, packed context out."""
