"""The scoreboard: other memory systems and the product on one bundled set, in one run."""
