"""What this machine says: folders, repositories, owners, and files of others."""
