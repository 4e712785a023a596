"""Windsurf. It has no hooks."""

from bowerbird.agents.agent import NAME, Agent, File

AGENT = Agent(
    id="windsurf",
    name="Windsurf",
    programs=("windsurf",),
    folders=("home:.codeium/windsurf",),
    files=(File(("home:.codeium/windsurf/mcp_config.json",), server=("mcpServers", NAME)),),
)
