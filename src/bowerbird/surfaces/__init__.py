"""Through which door? The command line, HTTP, MCP and the demo over the verbs of `Bowerbird`."""
