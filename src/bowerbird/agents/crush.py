"""Crush: only recognised, by what it leaves in its shells."""

from bowerbird.agents.agent import Agent

AGENT = Agent(id="crush", name="Crush", processes=("crush",))
