"""Goose: only recognised, by what it leaves in its shells."""

from bowerbird.agents.agent import Agent

AGENT = Agent(id="goose", name="Goose", processes=("goose",), variables=("GOOSE_TERMINAL",))
