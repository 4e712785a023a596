"""How agents are connected: what stands in which of their files, put in and taken out again."""
