"""Cline: only recognised, by what it leaves in its shells."""

from bowerbird.agents.agent import Agent

AGENT = Agent(id="cline", name="Cline", variables=("CLINE_ACTIVE",))
