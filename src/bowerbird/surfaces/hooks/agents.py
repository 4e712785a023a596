"""The agents with hooks, one row each.

The meaning of their events, the fields of their payloads and the format of their answers, from their own
schemas. docs/HOOKS.md lists the versions.
"""

from bowerbird.core import events
from bowerbird.core.events import Event
from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    Payload = Mapping[str, Any]

_TEXT = ("prompt", "last_assistant_message", "prompt_response", "text", "message")
_WHY = ("source", "reason", "trigger", "status")


class Agent(Value):
    """One agent.

    Args:
        name: as typed: `bower hook NAME EVENT`.
        meanings: its events, each with its meaning here.
        context: the events that accept context, each with the format.
        session, cwd, text: payload fields of each; the first that is present counts.
        given, answer, tool: the same for a tool call.
        tools: the tool's name by event, where the payload has none.
    """

    __slots__ = (
        *("answer", "context", "cwd", "given", "meanings", "name", "session", "text", "tool"),
        "tools",
    )

    def __init__(
        self,
        name: str,
        meanings: "Mapping[str, str]",
        context: "Mapping[str, str]",
        session: tuple[str, ...] = ("session_id",),
        cwd: tuple[str, ...] = ("cwd",),
        text: tuple[str, ...] = _TEXT,
        tool: tuple[str, ...] = ("tool_name",),
        given: tuple[str, ...] = ("tool_input",),
        answer: tuple[str, ...] = ("tool_response",),
        tools: "Mapping[str, str] | None" = None,
    ) -> None:
        self.name = name
        self.meanings = meanings
        self.context = context
        self.session = session
        self.cwd = cwd
        self.text = text
        self.tool = tool
        self.given = given
        self.answer = answer
        self.tools = tools or {}

    def event(self, name: str, payload: "Payload") -> Event:
        """The event in our terms; an unknown one has only its name."""
        tool = _first(payload, self.tool) or self.tools.get(name, "")
        given = _table(payload, self.given)
        answer = next((payload[one] for one in self.answer if one in payload), None)
        error = _first(payload, ("error", "error_message"))
        what = self.meanings.get(name, "")
        if isinstance(answer, dict) and (wrong := answer.get("error")) and not error:
            error = wrong if isinstance(wrong, str) else _first(wrong, ("message",)) or "error"
        if what == events.CALLED and error:
            what = events.FAILED
        return Event(
            agent=self.name,
            name=name,
            what=what,
            session=_first(payload, self.session),
            cwd=_first(payload, self.cwd),
            sub=_first(payload, ("agent_id", "subagent_id")),
            transcript=_first(payload, ("agent_transcript_path", "transcript_path")),
            tool=tool,
            # Some agents put a tool's arguments beside its name.
            given=given or (dict(payload) if tool else {}),
            answer=answer,
            use=_first(payload, ("tool_use_id", "callID", "tool_call_id")),
            text=_first(payload, self.text),
            error=error,
            why=_first(payload, _WHY),
        )


def _first(payload: "Any", names: tuple[str, ...]) -> str:
    """The first of these fields that contains text; of a list, its first element."""
    if not isinstance(payload, dict):
        return ""
    for name in names:
        value = payload.get(name)
        if isinstance(value, list) and value:
            value = value[0]
        if isinstance(value, str) and value:
            return value
    return ""


def _table(payload: "Payload", names: tuple[str, ...]) -> "dict[str, Any]":
    return next((value for name in names if isinstance(value := payload.get(name), dict)), {})


# Format of context: inside `hookSpecificOutput`, with or without the event's name, or bare.
NAMED, INNER, SNAKE, BARE = "named", "inner", "snake", "bare"

CLAUDE_CODE = Agent(
    "claude-code",
    {
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
    dict.fromkeys(("SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure"), NAMED),
)
CODEX = Agent(
    "codex",
    {
        **{
            name: what
            for name, what in CLAUDE_CODE.meanings.items()
            if name != "PostToolUseFailure"
        },
        "Interrupt": events.STOPPED,
    },
    dict.fromkeys(("SessionStart", "UserPromptSubmit", "PostToolUse"), NAMED),
)
GEMINI = Agent(
    "gemini",
    {
        "SessionStart": events.STARTED,
        "BeforeAgent": events.PROMPTED,
        "BeforeTool": events.CALLING,
        "AfterTool": events.CALLED,
        "PreCompress": events.COMPACTING,
        "AfterAgent": events.STOPPED,
        "SessionEnd": events.ENDED,
    },
    dict.fromkeys(("SessionStart", "BeforeAgent", "AfterTool"), INNER),
    # The payload of a response contains its prompt again, which an earlier event reported.
    text=("prompt_response", "prompt"),
)
CURSOR = Agent(
    "cursor",
    {
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
    {"sessionStart": SNAKE},
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
)
OPENCODE = Agent(
    "opencode",
    {
        "session.created": events.STARTED,
        "chat.message": events.PROMPTED,
        "tool.execute.before": events.CALLING,
        "tool.execute.after": events.CALLED,
        "experimental.session.compacting": events.COMPACTING,
        "session.idle": events.STOPPED,
        "session.deleted": events.ENDED,
    },
    dict.fromkeys(
        (
            "session.created",
            "chat.message",
            "tool.execute.after",
            "experimental.session.compacting",
        ),
        BARE,
    ),
    session=("sessionID", "session_id"),
    cwd=("directory", "worktree", "cwd"),
    tool=("tool_name", "tool"),
    given=("tool_input", "args"),
    answer=("tool_response", "output"),
)
AGENTS = {one.name: one for one in (CLAUDE_CODE, CODEX, GEMINI, CURSOR, OPENCODE)}

# Agents that show the user a hook's `systemMessage` at the end of a session.
SHOW_MESSAGES = ("claude-code", "codex", "gemini")


def shaped(agent: Agent, event: str, context: str) -> "dict[str, Any] | None":
    """Context in the agent's format for an event; None if the event accepts none."""
    form = agent.context.get(event)
    if form == NAMED:
        return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": context}}
    if form == INNER:
        return {"hookSpecificOutput": {"additionalContext": context}}
    if form == SNAKE:
        return {"additional_context": context}
    return {"additionalContext": context} if form == BARE else None
