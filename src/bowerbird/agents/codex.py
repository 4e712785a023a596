"""Codex, as of version 0.169."""

from bowerbird.agents.agent import NAME, NAMED, Agent, File, Hooks
from bowerbird.core import events

AGENT = Agent(
    id="codex",
    name="Codex",
    bases={"codex": ("CODEX_HOME", ".codex")},
    programs=("codex",),
    processes=("codex",),
    variables=("CODEX_SANDBOX", "CODEX_THREAD_ID", "CODEX_CI"),
    sessions=("CODEX_THREAD_ID",),
    folders=("codex:",),
    files=(
        File(
            ("codex:config.toml",),
            ("{here}/.codex/config.toml",),
            server=("mcp_servers", NAME),
            format="toml",
        ),
        File(("codex:hooks.json",), ("{here}/.codex/hooks.json",), hooked=True),
    ),
    setup=f"codex mcp add {NAME} -- {{program}} {{arguments}}",
    remark="Codex runs a hook only once you have trusted it: it asks at its next start, or by /hooks",
    hooks=Hooks(
        events={
            "SessionStart": events.STARTED,
            "UserPromptSubmit": events.PROMPTED,
            "PreToolUse": events.CALLING,
            "PostToolUse": events.CALLED,
            "PreCompact": events.COMPACTING,
            "Stop": events.STOPPED,
            "SubagentStop": events.SUB_STOPPED,
            "SessionEnd": events.ENDED,
            "Interrupt": events.STOPPED,
        },
        context=dict.fromkeys(("SessionStart", "UserPromptSubmit", "PostToolUse"), NAMED),
        unhooked=("Interrupt",),
        shows_messages=True,
    ),
)
