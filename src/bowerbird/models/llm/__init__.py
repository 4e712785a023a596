"""Language models: who can be asked, in tiers, within limits that all processes share."""
