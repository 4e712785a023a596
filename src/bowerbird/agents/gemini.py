"""Gemini CLI, as of version 0.61."""

from bowerbird.agents.agent import INNER, NAME, Agent, File, Hooks
from bowerbird.core import events

AGENT = Agent(
    id="gemini",
    name="Gemini CLI",
    programs=("gemini",),
    processes=("gemini",),
    variables=("GEMINI_CLI",),
    folders=("home:.gemini",),
    files=(
        File(
            ("home:.gemini/settings.json",),
            ("{here}/.gemini/settings.json",),
            server=("mcpServers", NAME),
            hooked=True,
        ),
    ),
    setup=f"gemini mcp add --scope user {NAME} {{program}} -- {{arguments}}",
    remark="Gemini starts servers and hooks only in folders that you marked as trusted",
    hooks=Hooks(
        events={
            "SessionStart": events.STARTED,
            "BeforeAgent": events.PROMPTED,
            "BeforeTool": events.CALLING,
            "AfterTool": events.CALLED,
            "AfterAgent": events.STOPPED,
            "PreCompress": events.COMPACTING,
            "SessionEnd": events.ENDED,
        },
        context=dict.fromkeys(("SessionStart", "BeforeAgent", "AfterTool"), INNER),
        # In milliseconds.
        unit=1000,
        # The payload of a response contains its prompt again, which an earlier event reported.
        text=("prompt_response", "prompt"),
        shows_messages=True,
    ),
)
