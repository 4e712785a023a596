"""Claude Code, as of version 2.1."""

from bowerbird.agents.agent import NAME, NAMED, Agent, File, Hooks
from bowerbird.core import events

AGENT = Agent(
    id="claude-code",
    name="Claude Code",
    bases={"claude": ("CLAUDE_CONFIG_DIR", ".claude"), "claude-state": ("CLAUDE_CONFIG_DIR", "")},
    programs=("claude",),
    processes=("claude",),
    variables=("CLAUDECODE",),
    sessions=("CLAUDE_CODE_SESSION_ID",),
    folders=("claude:",),
    files=(
        File(("claude-state:.claude.json",), ("{here}/.mcp.json",), server=("mcpServers", NAME)),
        File(
            ("claude:settings.json",),
            ("{here}/.claude/settings.local.json",),
            hooked=True,
            plugins="enabledPlugins",
        ),
    ),
    setup=f"claude mcp add --scope user {NAME} -- {{program}} {{arguments}}",
    remark="restart open sessions to pick it up",
    hooks=Hooks(
        events={
            "SessionStart": events.STARTED,
            "UserPromptSubmit": events.PROMPTED,
            "PreToolUse": events.CALLING,
            "PostToolUse": events.CALLED,
            "PostToolUseFailure": events.FAILED,
            "PreCompact": events.COMPACTING,
            "Stop": events.STOPPED,
            "SubagentStop": events.SUB_STOPPED,
            "SessionEnd": events.ENDED,
        },
        context=dict.fromkeys(
            ("SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure"), NAMED
        ),
        shows_messages=True,
        reports_all=True,
        goes_on=True,
    ),
)
