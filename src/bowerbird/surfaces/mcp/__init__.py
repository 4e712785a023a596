"""Model Context Protocol: memory as tools and resources of an agent."""
