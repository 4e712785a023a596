"""What touches what? Pure functions over outlines and edges; who stores them is handed in."""
