"""The interfaces: command line, HTTP, MCP and the demo, all over the verbs of `Bowerbird`."""
