"""Source code as trees: grammars, and what each language's trees say of definitions and names."""
