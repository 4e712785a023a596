"""The session formats of each agent: a file per agent that converts records to steps."""
