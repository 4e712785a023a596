-- Members sign in by their organisation's provider.

-- By what a provider of single sign-on knows a member.
ALTER TABLE member ADD COLUMN login TEXT NOT NULL DEFAULT '';
