"""OpenCode, as of version 1.18. It runs no commands at its events: a plugin of ours reports them."""

from bowerbird.agents.agent import BARE, LOCAL, NAME, Agent, File, Hooks
from bowerbird.core import events


def unquoted(text: str) -> str:
    """The text without the one pair of quotes around all of it, and without their marks inside.

    `opencode run` puts each argument that contains a space in quotes, so that a prompt as it was typed
    looks like a quotation. A text with a quotation among other words stays as it is, and so does one to
    which something was piped: the quotes do not enclose it.
    """
    bare = text.strip()
    inner = bare[1:-1]
    if len(bare) < len('""') or bare[0] != '"' or bare[-1] != '"':
        return text
    if '"' in inner.replace('\\"', "") or inner.endswith("\\"):
        return text
    return inner.replace('\\"', '"')


AGENT = Agent(
    id="opencode",
    name="OpenCode",
    programs=("opencode",),
    processes=("opencode",),
    variables=("OPENCODE",),
    folders=("config:opencode",),
    files=(
        File(
            ("config:opencode/opencode.json", "config:opencode/opencode.jsonc"),
            ("{here}/opencode.json", "{here}/opencode.jsonc"),
            server=("mcp", NAME),
            shape=LOCAL,
        ),
        File(
            ("config:opencode/plugin/bowerbird.js",),
            ("{here}/.opencode/plugin/bowerbird.js",),
            source="opencode.js",
        ),
    ),
    hooks=Hooks(
        events={
            "session.created": events.STARTED,
            "chat.message": events.PROMPTED,
            "tool.execute.before": events.CALLING,
            "tool.execute.after": events.CALLED,
            "experimental.session.compacting": events.COMPACTING,
            "session.idle": events.STOPPED,
            "session.deleted": events.ENDED,
        },
        context=dict.fromkeys(
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
        prompt=unquoted,
    ),
)
