"""Cursor, by its documentation."""

from bowerbird.agents.agent import FLAT, NAME, SNAKE, Agent, File, Hooks
from bowerbird.core import events

AGENT = Agent(
    id="cursor",
    name="Cursor",
    programs=("cursor", "cursor-agent"),
    # An editor is not one: people type in its terminals, too.
    processes=("cursor-agent",),
    variables=("CURSOR_AGENT",),
    folders=("home:.cursor",),
    files=(
        File(("home:.cursor/mcp.json",), ("{here}/.cursor/mcp.json",), server=("mcpServers", NAME)),
        File(
            ("home:.cursor/hooks.json",),
            ("{here}/.cursor/hooks.json",),
            hooked=True,
            frame={"version": 1},
        ),
    ),
    hooks=Hooks(
        events={
            "sessionStart": events.STARTED,
            "beforeSubmitPrompt": events.PROMPTED,
            "preToolUse": events.CALLING,
            "beforeShellExecution": events.CALLING,
            "beforeMCPExecution": events.CALLING,
            "beforeReadFile": events.CALLING,
            "postToolUse": events.CALLED,
            "afterShellExecution": events.CALLED,
            "afterMCPExecution": events.CALLED,
            "afterFileEdit": events.CALLED,
            "postToolUseFailure": events.FAILED,
            "afterAgentResponse": events.SAID,
            "preCompact": events.COMPACTING,
            "subagentStop": events.SUB_STOPPED,
            "stop": events.STOPPED,
            "sessionEnd": events.ENDED,
        },
        context={"sessionStart": SNAKE},
        # One unknown event invalidates the whole file: only events that every build with hooks supports.
        unhooked=(
            "preToolUse",
            "beforeShellExecution",
            "beforeMCPExecution",
            "beforeReadFile",
            "postToolUse",
            "postToolUseFailure",
        ),
        shape=FLAT,
        session=("conversation_id", "session_id"),
        cwd=("cwd", "workspace_roots"),
        answer=("tool_output", "output", "result_json", "result"),
        tools={
            "beforeShellExecution": "Shell",
            "afterShellExecution": "Shell",
            "beforeMCPExecution": "MCP:",
            "afterMCPExecution": "MCP:",
            "beforeReadFile": "Read",
            "afterFileEdit": "Edit",
        },
    ),
)
