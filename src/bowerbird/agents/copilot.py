"""Copilot CLI: only recognised, by what it leaves in its shells."""

from bowerbird.agents.agent import Agent

AGENT = Agent(
    id="copilot",
    name="Copilot CLI",
    processes=("copilot",),
    variables=("COPILOT_CLI", "COPILOT_AGENT"),
)
