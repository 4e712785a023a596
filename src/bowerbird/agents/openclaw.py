"""OpenClaw. It has no hooks."""

from bowerbird.agents.agent import NAME, Agent, File

AGENT = Agent(
    id="openclaw",
    name="OpenClaw",
    programs=("openclaw",),
    folders=("home:.openclaw",),
    files=(File(("home:.openclaw/openclaw.json",), server=("mcp", "servers", NAME)),),
)
