"""Through which door? The command line, the demo and the bench over the verbs of `Bowerbird`."""
