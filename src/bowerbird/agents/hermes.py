"""Hermes Agent, as of version 0.19. It runs no commands at its events: our provider reports them."""

from bowerbird.agents.agent import BARE, PROVIDER, Agent, File, Hooks
from bowerbird.core import events

AGENT = Agent(
    id="hermes",
    name="Hermes Agent",
    bases={"hermes": ("HERMES_HOME", ".hermes")},
    programs=("hermes",),
    processes=("hermes",),
    variables=("HERMES_SESSION_ID",),
    sessions=("HERMES_SESSION_ID",),
    folders=("hermes:",),
    files=(
        File(
            ("hermes:config.yaml",), server=("memory", "provider"), shape=PROVIDER, format="yaml",
        ),
        File(("hermes:plugins/bowerbird/__init__.py",), source="hermes_provider.py"),
        File(("hermes:plugins/bowerbird/plugin.yaml",), source="hermes_plugin.yaml"),
    ),
    setup="bower install hermes",
    remark="start Hermes anew: hermes memory status then says bowerbird",
    hooks=Hooks(
        events={
            "session_start": events.STARTED,
            "prompt": events.PROMPTED,
            "tool_call": events.CALLED,
            "turn_end": events.STOPPED,
            "pre_compress": events.COMPACTING,
            "session_end": events.ENDED,
        },
        context=dict.fromkeys(("session_start", "prompt", "pre_compress"), BARE),
    ),
)  # fmt: skip
