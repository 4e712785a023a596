"""Hooks: parses events from agents by one row per agent, and answers in the agent's format."""
