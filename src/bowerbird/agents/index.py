"""What is asked of all agents at once, so that a cold command need not load each.

Written by scripts/agents.py from the descriptions beside this file; change those, then run it again.
"""

# All agents.
IDS = (
    "aider",
    "amp",
    "antigravity",
    "augment",
    "brv-shim",
    "claude-code",
    "cline",
    "codex",
    "copilot",
    "crush",
    "cursor",
    "droid",
    "gemini",
    "goose",
    "hermes",
    "openclaw",
    "opencode",
    "qwen-code",
    "vscode",
    "windsurf",
    "zed",
)
# Those that can be connected.
CONNECTABLE = (
    "brv-shim",
    "claude-code",
    "codex",
    "cursor",
    "gemini",
    "hermes",
    "openclaw",
    "opencode",
    "vscode",
    "windsurf",
    "zed",
)
# Those with hooks.
HOOKED = (
    "claude-code",
    "codex",
    "cursor",
    "gemini",
    "hermes",
    "opencode",
)
# Variables that agents set in their shells, each with its agent.
VARIABLES = (
    ("AMP_CURRENT_THREAD_ID", "amp"),
    ("ANTIGRAVITY_AGENT", "antigravity"),
    ("AUGMENT_AGENT", "augment"),
    ("CLAUDECODE", "claude-code"),
    ("CLINE_ACTIVE", "cline"),
    ("CODEX_SANDBOX", "codex"),
    ("CODEX_THREAD_ID", "codex"),
    ("CODEX_CI", "codex"),
    ("COPILOT_CLI", "copilot"),
    ("COPILOT_AGENT", "copilot"),
    ("CURSOR_AGENT", "cursor"),
    ("GEMINI_CLI", "gemini"),
    ("GOOSE_TERMINAL", "goose"),
    ("HERMES_SESSION_ID", "hermes"),
    ("OPENCODE", "opencode"),
    ("QWEN_CODE", "qwen-code"),
)
# Variables in which an agent names the session that opened the shell.
SESSIONS = (
    "AMP_CURRENT_THREAD_ID",
    "CLAUDE_CODE_SESSION_ID",
    "CODEX_THREAD_ID",
    "HERMES_SESSION_ID",
)
# Names of agents' processes.
PROCESSES = (
    "aider",
    "amp",
    "auggie",
    "claude",
    "codex",
    "copilot",
    "crush",
    "cursor-agent",
    "droid",
    "gemini",
    "goose",
    "hermes",
    "opencode",
    "qwen",
)
