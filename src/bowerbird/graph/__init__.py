"""The code graph: edges, resolution, impact and paths, computed from outlines; storage is passed in."""
