"""Amp: only recognised, by what it leaves in its shells."""

from bowerbird.agents.agent import Agent

AGENT = Agent(
    id="amp",
    name="Amp",
    processes=("amp",),
    variables=("AMP_CURRENT_THREAD_ID",),
    sessions=("AMP_CURRENT_THREAD_ID",),
)
