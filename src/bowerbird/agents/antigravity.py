"""Antigravity: only recognised, by what it leaves in its shells."""

from bowerbird.agents.agent import Agent

AGENT = Agent(id="antigravity", name="Antigravity", variables=("ANTIGRAVITY_AGENT",))
