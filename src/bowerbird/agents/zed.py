"""Zed. It has no hooks."""

from bowerbird.agents.agent import CUSTOM, NAME, Agent, File

AGENT = Agent(
    id="zed",
    name="Zed",
    programs=("zed", "zeditor"),
    folders=("config:zed",),
    files=(
        File(
            ("config:zed/settings.json",),
            ("{here}/.zed/settings.json",),
            server=("context_servers", NAME),
            shape=CUSTOM,
        ),
    ),
)
