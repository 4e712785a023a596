"""``bower install``: connect an agent with this memory, by one command.

Adds the MCP server of this installation to the agent's settings and, if the agent supports them, the
hooks that inject memory and record sessions. It shows a line for each file and asks before writing; in
scripts, pass --yes. --diff shows the changed lines, with the values of other entries masked.
Everything else in the files stays the same, including comments and order; the original is saved, so
that --uninstall restores every byte, or removes only our parts if the file was changed since.
Repeating it changes nothing.

Without a name it lists the installed agents and which of them are connected; on a terminal it asks
which to connect, and with --yes it connects all of them. --project changes the settings of the current
repository, for everyone who works there; the default is your own settings, for all projects.
"""

import os
import sys

from bowerbird.agents.index import CONNECTABLE
from bowerbird.agents.registry import agent
from bowerbird.core.errors import BadInput, UsageError
from bowerbird.host.installed import compile_all, starting
from bowerbird.host.places import project_of, working_folder
from bowerbird.surfaces.cli.call import Call, Outcome
from bowerbird.surfaces.cli.page import emit
from bowerbird.surfaces.cli.render.install import asked, rows
from bowerbird.surfaces.fields import Field, Verb
from bowerbird.surfaces.installer.changes import Installer
from bowerbird.surfaces.installer.settings import PROJECT, USER
from bowerbird.surfaces.installer.state import states

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import SimpleNamespace
    from typing import Any

    from bowerbird.surfaces.installer.changes import Change
    from bowerbird.surfaces.installer.state import State

EXAMPLES = (
    ("bower install", "list the installed agents; asks on a terminal"),
    ("bower install claude-code", "for all your projects"),
    ("bower install codex gemini --dry-run", "what would change, and where"),
    ("bower install codex --dry-run --diff", "the same, line by line"),
    ("bower install --yes", "every agent that is found, without being asked, as in a script"),
    ("bower install cursor --project", "for this repository only"),
    ("bower install opencode --no-hooks", "the tools, without hooks"),
    ("bower install claude-code --uninstall", "restore the settings"),
)
VERB = Verb(
    "install",
    "Connect an agent: its tools and its hooks",
    (
        Field("agents", "texts", ", ".join(CONNECTABLE), option=("AGENT",), words="*"),
        Field(
            "user", "flag", "in your own settings (the default)", default=False, apart="scope",
        ),
        Field(
            "project", "flag", "in the settings of the current repository",
            default=False, apart="scope",
        ),
        Field("no_hooks", "flag", "only the tools", default=False),
        Field("uninstall", "flag", "undo the installation", default=False),
        Field("dry_run", "flag", "show the changes, make none", default=False),
        Field("diff", "flag", "show the changed lines of each file", default=False),
        Field("yes", "flag", "do not ask", default=False),
    ),
    group="Connect",
    order=1,
    prose=True,
)  # fmt: skip


def command(call: Call) -> Outcome:
    """Show what changes, ask a person, change it."""
    options = call.options
    scope = PROJECT if options.project else USER
    root = _root() if options.project else ""
    installer = Installer(os.environ, starting(), _behind(options), root)
    named = list(dict.fromkeys(agent(one, CONNECTABLE).id for one in options.agents))
    if not named:
        named = _chosen(call, installer, scope, root)
        if not named:
            found = [one.as_dict() for one in states(installer, scope)]
            return Outcome({"agents": found, "scope": scope})
    changes = [change for one in named for change in _planned(installer, one, scope, options)]
    done = _applied(call, installer, changes)
    data = {
        "agents": [_as_data(one, changes, installer, done=done) for one in named],
        "scope": scope,
        "dry_run": options.dry_run,
        "whole": options.diff,
        "done": done,
    }
    written = {one.agent for one in changes if one.what != "unchanged" and not one.leaving}
    remarks = [agent(one).remark for one in named if done and one in written]
    if options.uninstall and not options.agents and scope == USER:
        # Each is taken out where it stands: its agent reads it there.
        left = [one.path for one in installer.record.rows() if one.scope == PROJECT]
        remarks += [
            f"still there, of a project: {one}; go there, and add --project" for one in left
        ]
    return Outcome(data, notes=tuple(filter(None, remarks)))


def _planned(
    installer: Installer, id: str, scope: str, options: "SimpleNamespace"
) -> "list[Change]":
    if options.uninstall:
        return installer.leaving(id, scope)
    return installer.connecting(id, scope, hooks=not options.no_hooks)


def _applied(call: Call, installer: Installer, changes: "Sequence[Change]") -> bool:
    """Whether the changes were made: not in a dry run, nor where a person says no.

    Raises UsageError where there is nobody to ask.
    """
    options = call.options
    if options.dry_run:
        return False
    some = [one for one in changes if one.what != "unchanged"]
    if some:
        emit(
            sys.stderr,
            "\n".join(rows(some, call.page, whole=options.diff or call.page.verbose)) + "\n",
        )
    if some and not options.yes:
        if not _watched(options):
            raise UsageError("nothing was written: there is no terminal to ask on", "pass --yes")
        seen = options.diff or call.page.verbose
        if not _yes("Write these changes?" + ("" if seen else " --diff shows each line.")):
            return False
    installer.carry_out(changes)
    if not options.uninstall:
        compile_all()
    return True


def _chosen(call: Call, installer: Installer, scope: str, root: str) -> list[str]:
    """Which agents are meant where none was named: what a person answers, or all that is to go."""
    options = call.options
    if options.uninstall:
        kept = [one for one in installer.record.rows() if one.scope == scope]
        inside = [one for one in kept if not root or one.path.startswith(root + os.sep)]
        if not inside:
            raise BadInput("bower install has connected no agent", "name an agent")
        return list(dict.fromkeys(one.agent for one in inside))
    offered: Sequence[State] = ()
    if options.yes or _watched(options):
        offered = [one for one in states(installer, scope) if one.found and one.possible]
    if options.yes and not offered:
        raise BadInput("no agent was found here", "name one: bower install NAME --yes")
    if options.yes or not offered:
        return [one.id for one in offered]
    return _answered(call, offered)


def _answered(call: Call, offered: "Sequence[State]") -> list[str]:
    """Which of some agents a person names."""
    emit(sys.stderr, asked(offered, call.page))
    while True:
        answer = sys.stdin.readline().strip().lower()
        if answer in {"", "a", "all", "y", "yes"}:
            return [one.id for one in offered if not one.connected] or [one.id for one in offered]
        if answer in {"n", "no", "none", "q"}:
            return []
        numbers = answer.replace(",", " ").split()
        if all(one.isdecimal() and 0 < int(one) <= len(offered) for one in numbers):
            return [offered[int(one) - 1].id for one in numbers]
        emit(sys.stderr, f"no such number: {answer}; numbers of the list, all or none: ")


def _as_data(
    id: str, changes: "Sequence[Change]", installer: Installer, *, done: bool
) -> "dict[str, Any]":
    files = [
        {
            "path": one.path,
            "change": one.what,
            "backup": installer.record.backup(one.real) if done else "",
            "entries": one.summary,
            "diff": one.diff(),
        }
        for one in changes
        if one.agent == id
    ]
    return {"id": id, "name": agent(id).name, "files": files}


def _behind(options: "SimpleNamespace") -> list[str]:
    return ["--store", os.path.abspath(options.store)] if options.store else []


def _root() -> str:
    here = working_folder()
    return project_of(here).root or os.path.realpath(here)


def _watched(options: "SimpleNamespace") -> bool:
    terminals = sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()
    return terminals and options.format != "json"


def _yes(question: str) -> bool:
    emit(sys.stderr, f"{question} [Y/n] ")
    reply = sys.stdin.readline()
    return bool(reply) and reply.strip().lower() in {"", "y", "yes"}
