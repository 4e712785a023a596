"""Augment: only recognised, by what it leaves in its shells."""

from bowerbird.agents.agent import Agent

AGENT = Agent(id="augment", name="Augment", processes=("auggie",), variables=("AUGMENT_AGENT",))
