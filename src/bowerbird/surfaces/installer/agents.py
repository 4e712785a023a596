"""The agents that can be connected, a row each: how one is found, its files, and what stands in them.

`{here}` in a path of a project is its root. Those of the user begin with a folder of `bases`. Of several
files of one kind the first that exists is taken, else the first.
"""

import os
import shutil
import sys

from bowerbird.core.errors import UnknownName
from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# What the server is called in an agent's list.
NAME = "bowerbird"
USER, PROJECT = "user", "project"
# Shapes of a server's entry, and of a hook's.
PLAIN, STDIO, LOCAL, CUSTOM = "plain", "stdio", "local", "custom"
GROUPED, FLAT = "grouped", "flat"
# Seconds after which an agent ends a hook: it ends by itself in a fraction of one. Claude Code gives all
# hooks of a session's end 1.5 together unless they say more.
LONGEST = 10


class Hooks(Value):
    """Which events an agent tells, in which shape; `unit` is how many make a second."""

    __slots__ = ("events", "shape", "unit")

    def __init__(self, events: str, shape: str = GROUPED, unit: int = 1) -> None:
        self.events = tuple(events.split())
        self.shape = shape
        self.unit = unit


class File(Value):
    """A file of an agent: what of ours stands in it, and its places for the user and for a project.

    `server` is the way to the server's entry, `hooks` the events that are told, `source` the name of a
    file of ours that stands there whole, `plugins` the way to the plugins that are switched on.
    """

    __slots__ = ("format", "hooks", "plugins", "project", "server", "shape", "source", "user")

    def __init__(
        self,
        user: tuple[str, ...],
        project: tuple[str, ...] = (),
        *,
        server: tuple[str, ...] = (),
        shape: str = PLAIN,
        hooks: Hooks | None = None,
        format: str = "json",
        source: str = "",
        plugins: str = "",
    ) -> None:
        self.plugins = plugins
        self.user = user
        self.project = project
        self.server = server
        self.shape = shape
        self.hooks = hooks
        self.format = format
        self.source = source

    def path(self, scope: str, root: str, environment: "Mapping[str, str]") -> str:
        """Where it stands; empty where an agent has none of that scope."""
        named = self.project if scope == PROJECT else self.user
        paths = [_path(one, root, environment) for one in named]
        return next((one for one in paths if os.path.lexists(one)), paths[0] if paths else "")


class Agent(Value):
    """An agent; `programs` and `folders` tell that it is here, `remark` is for whoever connected it."""

    __slots__ = ("files", "folders", "id", "name", "programs", "remark")

    def __init__(
        self,
        id: str,
        name: str,
        programs: tuple[str, ...],
        folders: tuple[str, ...],
        files: tuple[File, ...],
        remark: str = "",
    ) -> None:
        self.id = id
        self.name = name
        self.programs = programs
        self.folders = folders
        self.files = files
        self.remark = remark

    def is_here(self, environment: "Mapping[str, str]") -> bool:
        """Whether this machine has it: its program on the PATH, or its folder."""
        path = environment.get("PATH", "")
        return any(shutil.which(one, path=path) for one in self.programs) or any(
            os.path.isdir(_path(one, "", environment)) for one in self.folders
        )

    @property
    def hooked(self) -> bool:
        """Whether it can tell of what happens in a session."""
        return any(one.hooks or one.source for one in self.files)


_CLAUDE = Hooks(
    "SessionStart UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure PreCompact Stop"
    " SubagentStop SessionEnd"
)
_CODEX = Hooks(
    "SessionStart UserPromptSubmit PreToolUse PostToolUse PreCompact Stop SubagentStop SessionEnd"
)
_GEMINI = Hooks(
    "SessionStart BeforeAgent BeforeTool AfterTool AfterAgent PreCompress SessionEnd", unit=1000
)
# An event that a build does not know voids the whole file: those that every build with hooks has.
_CURSOR = Hooks(
    "sessionStart beforeSubmitPrompt afterShellExecution afterMCPExecution afterFileEdit"
    " afterAgentResponse preCompact subagentStop stop sessionEnd",
    FLAT,
)
_MCP_SERVERS = ("mcpServers", NAME)

AGENTS = (
    Agent(
        "claude-code",
        "Claude Code",
        ("claude",),
        ("claude:",),
        (
            File(("claude-state:.claude.json",), ("{here}/.mcp.json",), server=_MCP_SERVERS),
            File(
                ("claude:settings.json",),
                ("{here}/.claude/settings.local.json",),
                hooks=_CLAUDE,
                plugins="enabledPlugins",
            ),
        ),
        "sessions that run by now go on without it until they are started again",
    ),
    Agent(
        "codex",
        "Codex",
        ("codex",),
        ("codex:",),
        (
            File(
                ("codex:config.toml",),
                ("{here}/.codex/config.toml",),
                server=("mcp_servers", NAME),
                format="toml",
            ),
            File(("codex:hooks.json",), ("{here}/.codex/hooks.json",), hooks=_CODEX),
        ),
        "Codex runs a hook only once you have trusted it: it asks at its next start, or by /hooks",
    ),
    Agent(
        "cursor",
        "Cursor",
        ("cursor", "cursor-agent"),
        ("home:.cursor",),
        (
            File(("home:.cursor/mcp.json",), ("{here}/.cursor/mcp.json",), server=_MCP_SERVERS),
            File(("home:.cursor/hooks.json",), ("{here}/.cursor/hooks.json",), hooks=_CURSOR),
        ),
    ),
    Agent(
        "gemini",
        "Gemini CLI",
        ("gemini",),
        ("home:.gemini",),
        (
            File(
                ("home:.gemini/settings.json",),
                ("{here}/.gemini/settings.json",),
                server=_MCP_SERVERS,
                hooks=_GEMINI,
            ),
        ),
        "Gemini starts servers and hooks only in folders that you have told it to trust",
    ),
    Agent(
        "opencode",
        "OpenCode",
        ("opencode",),
        ("config:opencode",),
        (
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
    ),
    Agent(
        "openclaw",
        "OpenClaw",
        ("openclaw",),
        ("home:.openclaw",),
        (File(("home:.openclaw/openclaw.json",), server=("mcp", "servers", NAME)),),
    ),
    Agent(
        "vscode",
        "VS Code",
        ("code", "code-insiders"),
        ("code:",),
        (
            File(
                ("code:mcp.json",),
                ("{here}/.vscode/mcp.json",),
                server=("servers", NAME),
                shape=STDIO,
            ),
        ),
    ),
    Agent(
        "windsurf",
        "Windsurf",
        ("windsurf",),
        ("home:.codeium/windsurf",),
        (File(("home:.codeium/windsurf/mcp_config.json",), server=_MCP_SERVERS),),
    ),
    Agent(
        "zed",
        "Zed",
        ("zed", "zeditor"),
        ("config:zed",),
        (
            File(
                ("config:zed/settings.json",),
                ("{here}/.zed/settings.json",),
                server=("context_servers", NAME),
                shape=CUSTOM,
            ),
        ),
    ),
)
IDS = tuple(one.id for one in AGENTS)


def agent(id: str) -> Agent:
    """The agent of that id. Raises UnknownName."""
    found = next((one for one in AGENTS if one.id == id), None)
    if found is None:
        raise UnknownName.among("agent", id, [*IDS])
    return found


def bases(environment: "Mapping[str, str]") -> dict[str, str]:
    """The folders that agents keep their files in, on this platform and by their variables."""
    home = os.path.expanduser("~")
    config = environment.get("XDG_CONFIG_HOME", "")
    config = config if os.path.isabs(config) else os.path.join(home, ".config")
    code = os.path.join(config, "Code", "User")
    if sys.platform == "darwin":
        code = os.path.join(home, "Library", "Application Support", "Code", "User")
    claude = environment.get("CLAUDE_CONFIG_DIR", "")
    return {
        "home": home,
        "config": config,
        "code": code,
        "claude": claude or os.path.join(home, ".claude"),
        "claude-state": claude or home,
        "codex": environment.get("CODEX_HOME", "") or os.path.join(home, ".codex"),
    }


def _path(named: str, root: str, environment: "Mapping[str, str]") -> str:
    if named.startswith("{here}"):
        return root + named.removeprefix("{here}")
    base, _, rest = named.partition(":")
    return os.path.join(bases(environment)[base], *rest.split("/")).rstrip("/")
