"""Aider: only recognised, by what it leaves in its shells."""

from bowerbird.agents.agent import Agent

AGENT = Agent(id="aider", name="Aider", processes=("aider",))
