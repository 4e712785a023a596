"""The command line: one verb a module, one envelope for all of them."""
