"""VS Code, whose chat starts servers. It has no hooks."""

from bowerbird.agents.agent import NAME, STDIO, Agent, File

AGENT = Agent(
    id="vscode",
    name="VS Code",
    programs=("code", "code-insiders"),
    folders=("code:",),
    files=(
        File(
            ("code:mcp.json",), ("{here}/.vscode/mcp.json",), server=("servers", NAME), shape=STDIO
        ),
    ),
)
