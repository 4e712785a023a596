"""How each agent records its sessions: a file an agent, from records to steps."""
