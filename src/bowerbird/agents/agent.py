"""The value that describes an agent. Each file named after one declares it as `AGENT`.

A path begins with a base: `home:` and `config:` are those of every program, an agent's own are its
`bases` (agents/folders.py). `{here}` in the path of a project's file is the root of the project.
"""

from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

Texts = tuple[str, ...]
_NONE: "Mapping[str, Any]" = {}
# The name of our server in an agent's configuration.
NAME = "bowerbird"
# Formats of the entry of a server.
PLAIN = "plain"
STDIO = "stdio"
LOCAL = "local"
CUSTOM = "custom"
# No entry, but our name in the place of another's: the agent has one memory at a time.
PROVIDER = "provider"
# Formats of the entries of hooks: in a group for each event, or as a list.
GROUPED = "grouped"
FLAT = "flat"
# Formats of an answer with context: inside `hookSpecificOutput`, with or without the event's name; bare.
NAMED = "named"
INNER = "inner"
SNAKE = "snake"
BARE = "bare"


class File(Record):
    """A configuration file of an agent: our entries in it, and its paths for the user and for a project.

    Of several paths the first that exists is used, else the first. `server` is the path to the server
    entry, `hooked` that the file holds the hooks, `frame` what it has to hold besides, `source` the name
    of a file beside the agent's description that becomes this one, `plugins` the key of enabled plugins,
    `program` the name of a program that it is: one of that name from elsewhere is never hidden by it.
    """

    user: Texts
    project: Texts = ()
    server: Texts = ()
    shape: str = PLAIN
    hooked: bool = False
    frame: "Mapping[str, int]" = _NONE
    format: str = "json"
    source: str = ""
    plugins: str = ""
    program: str = ""


class Hooks(Record):
    """The events that an agent reports to hooks, the fields of their payloads, and what it accepts.

    Args:
        events: each with its meaning here (core/events.py).
        context: the events that accept context, each with the format.
        unhooked: the events that `bower install` adds no hook for.
        shape, unit: the format of a hook's entry, and its units of time in a second.
        session, cwd, text, why, sub, transcript: payload fields of each; the first that is present
            counts.
        tool, given, answer, use, error: the same for a tool call.
        tools: the tool's name by event, where the payload has none.
        shows_messages: it shows the user a hook's `systemMessage` at the start and the end of a session.
        prompt: gives a prompt as it was typed, if the agent's own command line changes it.
        reports_all: it reports the calls of sub-agents as well.
        goes_on: a hook at the end of a turn may have it go on, with a reason.
    """

    events: "Mapping[str, str]"
    context: "Mapping[str, str]" = _NONE
    unhooked: Texts = ()
    shape: str = GROUPED
    unit: int = 1
    session: Texts = ("session_id",)
    cwd: Texts = ("cwd",)
    text: Texts = ("prompt", "last_assistant_message", "prompt_response", "text", "message")
    why: Texts = ("source", "reason", "trigger", "status")
    sub: Texts = ("agent_id", "subagent_id")
    transcript: Texts = ("agent_transcript_path", "transcript_path")
    tool: Texts = ("tool_name",)
    given: Texts = ("tool_input",)
    answer: Texts = ("tool_response",)
    use: Texts = ("tool_use_id", "callID", "tool_call_id")
    error: Texts = ("error", "error_message")
    tools: "Mapping[str, str]" = _NONE
    shows_messages: bool = False
    prompt: "Callable[[str], str] | None" = None
    reports_all: bool = False
    goes_on: bool = False


class Agent(Record):
    """One agent.

    Args:
        id: as it is typed: `bower install ID`, `bower hook ID EVENT`.
        name: as people call it.
        bases: its own bases of paths: a variable that holds a folder, and the folder below the home else.
        programs: on the PATH of a machine that has it.
        processes: the names of its process, above the shells that it opens.
        variables: set in those shells.
        sessions: those of them that hold the id of the session.
        folders: one of them exists where the agent is installed.
        files: what `bower install` writes into; none if it cannot be connected.
        setup: the command that adds a server, for people who connect by hand.
        remark: shown to the user after connecting.
        hooks: what it reports while it works; none if it has no hooks.
    """

    id: str
    name: str
    bases: "Mapping[str, tuple[str, str]]" = _NONE
    programs: Texts = ()
    processes: Texts = ()
    variables: Texts = ()
    sessions: Texts = ()
    folders: Texts = ()
    files: tuple[File, ...] = ()
    setup: str = ""
    remark: str = ""
    hooks: Hooks | None = None
