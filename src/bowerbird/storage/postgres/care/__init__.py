"""Care of a store: its creation and migrations, backups, and the search for damage."""
