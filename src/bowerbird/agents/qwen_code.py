"""Qwen Code: only recognised, by what it leaves in its shells."""

from bowerbird.agents.agent import Agent

AGENT = Agent(id="qwen-code", name="Qwen Code", processes=("qwen",), variables=("QWEN_CODE",))
