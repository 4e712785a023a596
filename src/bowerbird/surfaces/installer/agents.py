"""The agents that can be connected, one row each: how to detect it, its files, and our entries in them.

`{here}` in a project path is the project root. User paths begin with a folder of `bases`. Of several
candidate files the first that exists is used, else the first.
"""

import os
import shutil
import sys

from bowerbird.core.errors import UnknownName
from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# The server's name in an agent's configuration.
NAME = "bowerbird"
USER, PROJECT = "user", "project"
# Formats of a server entry and of a hook entry.
PLAIN, STDIO, LOCAL, CUSTOM = "plain", "stdio", "local", "custom"
GROUPED, FLAT = "grouped", "flat"
# Timeout in seconds after which an agent ends a hook; ours ends by itself in a fraction of one. Claude
# Code limits all session-end hooks to 1.5 together unless they set a timeout.
LONGEST = 10


class Hooks(Value):
    """An agent's events and the format of its hook entries; `unit` is time units per second."""

    __slots__ = ("events", "shape", "unit")

    def __init__(self, events: str, shape: str = GROUPED, unit: int = 1) -> None:
        self.events = tuple(events.split())
        self.shape = shape
        self.unit = unit


class File(Value):
    """A configuration file of an agent: our entries in it, and its paths for the user and for a project.

    `server` is the path to the server entry, `hooks` the hooked events, `source` the name of a file that
    is ours as a whole, `plugins` the path to the enabled plugins.
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
        """The file's path in a scope; empty if the agent has none in it."""
        named = self.project if scope == PROJECT else self.user
        paths = [_path(one, root, environment) for one in named]
        return next((one for one in paths if os.path.lexists(one)), paths[0] if paths else "")


class Agent(Value):
    """An agent. `programs` and `folders` detect it; `remark` is shown to the user after connecting."""

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
        """Whether the agent is installed: its program is on the PATH, or its folder exists."""
        path = environment.get("PATH", "")
        return any(shutil.which(one, path=path) for one in self.programs) or any(
            os.path.isdir(_path(one, "", environment)) for one in self.folders
        )

    @property
    def hooked(self) -> bool:
        """Whether the agent supports hooks."""
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
# One unknown event invalidates the whole file: only events that every build with hooks supports.
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
        "restart open sessions to pick it up",
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
        "Gemini starts servers and hooks only in folders that you marked as trusted",
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
    """The agent with that id. Raises UnknownName."""
    found = next((one for one in AGENTS if one.id == id), None)
    if found is None:
        raise UnknownName.among("agent", id, [*IDS])
    return found


def bases(environment: "Mapping[str, str]") -> dict[str, str]:
    """The base folders of agents' files, on this platform and with their environment variables."""
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
