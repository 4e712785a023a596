"""Computes and applies the changes to an agent's files that connect or disconnect it."""

import os

from bowerbird.agents.index import CONNECTABLE
from bowerbird.agents.registry import agent
from bowerbird.core.errors import BadInput
from bowerbird.core.value import Value
from bowerbird.host import own_files
from bowerbird.surfaces.installer.difference import lines, summary
from bowerbird.surfaces.installer.jsonc import Unparseable
from bowerbird.surfaces.installer.own_entries import (
    document,
    is_wanted,
    others_server,
    own_entries,
    plugged,
    put,
    take,
    wanted,
)
from bowerbird.surfaces.installer.plugin import is_ours, others_program, plugin
from bowerbird.surfaces.installer.record import Record, Row, hashed
from bowerbird.surfaces.installer.settings import PROJECT, path_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bowerbird.agents.agent import Agent, File


class Change(Value):
    """A file before and after; None if it does not exist.

    `earlier` is the content to restore on disconnecting; `leaving` means that none of our entries remain.
    """

    __slots__ = ("after", "agent", "before", "earlier", "file", "leaving", "path", "real", "scope")

    def __init__(
        self,
        file: "File",
        agent: str,
        scope: str,
        path: str,
        real: str,
        before: bytes | None,
        after: bytes | None,
        earlier: bytes | None = None,
        *,
        leaving: bool = False,
    ) -> None:
        self.file = file
        self.agent = agent
        self.scope = scope
        self.path = path
        self.real = real
        self.before = before
        self.after = after
        self.earlier = earlier
        self.leaving = leaving

    @property
    def what(self) -> str:
        """The kind of change, in one word."""
        if self.before == self.after:
            return "unchanged"
        if self.before is None:
            return "made"
        return "removed" if self.after is None else "changed"

    @property
    def summary(self) -> str:
        """Which of our entries come and go, in a few words."""
        return summary(self.before, self.after, self.file)

    def diff(self) -> list[str]:
        """The removed and added lines, with the values of others masked."""
        return lines(self.before, self.after, self.file)


class Installer:
    """Connects agents to one installation, for the user or for the project at `root`."""

    def __init__(
        self,
        environment: "Mapping[str, str]",
        command: "Sequence[str]",
        options: "Sequence[str]" = (),
        root: str = "",
    ) -> None:
        """`command` starts the installation; `options` are appended to its arguments.

        Raises BadInput if the record of earlier changes cannot be read.
        """
        self.environment = environment
        self._command = command
        self._options = options
        self._root = root
        self.record = Record(environment)

    def files_of(self, id: str, scope: str) -> "list[tuple[File, str, str]]":
        """The files of an agent in a scope, each with its path and its path with links resolved.

        Raises BadInput if it has none, or if a link leads outside the permitted folder.
        """
        found = []
        one = agent(id, CONNECTABLE)
        for file in one.files:
            path = path_of(file, one, scope, self._root, self.environment)
            if path:
                real = own_files.real(path, self._root if scope == PROJECT else "")
                found.append((file, path, real))
        if not found:
            raise BadInput(f"{one.name} has no settings of a project", "leave out --project")
        return found

    def connecting(self, id: str, scope: str, *, hooks: bool = True) -> list[Change]:
        """The changes that connect an agent, not yet applied. Raises BadInput."""
        return [
            self._connecting(agent(id), file, scope, path, real, hooks=hooks)
            for file, path, real in self.files_of(id, scope)
        ]

    def _connecting(
        self, one: "Agent", file: "File", scope: str, path: str, real: str, *, hooks: bool
    ) -> Change:
        before = own_files.content(real)
        text = own_files.text_of(path, before)
        try:
            if file.source:
                if before is not None and not is_ours(text):
                    raise BadInput(f"{path} is not ours", "move it away, or: --no-hooks")
                if file.program and (other := others_program(file.program, self.environment)):
                    raise BadInput(f"{other} is a real {file.program}", "take that out first")
                new_text = plugin(file.source, self._command, self._options) if hooks else None
            else:
                new_text = self._filled(one, file, text, hooks=hooks)
            if new_text is None:
                return self._leaving(file, one.id, scope, path, real)
            row = self.record.row(real)
            earlier = before if row is None else self._without(file, real, before)
        except Unparseable as error:
            raise _unreadable(path, error) from error
        after = new_text.encode()
        if after != before:
            own_files.writable(real)
        return Change(file, one.id, scope, path, real, before, after, earlier)

    def _filled(self, one: "Agent", file: "File", text: str, *, hooks: bool) -> str | None:
        """The text with our entries added; None if the file has none to add. Raises Unparseable."""
        parts = wanted(one, file, self._command, self._options, hooks=hooks)
        if not parts:
            return None
        opened = document(text, file.format)
        if name := plugged(opened, file):
            raise BadInput(
                f"{one.name} is connected by the plugin {name}, which brings the same",
                f"keep that, or take it out first: {one.programs[0]} plugin uninstall {name}",
            )
        if not is_wanted(opened, file, parts):
            put(opened, file, parts)
        return opened.text

    def leaving(self, id: str, scope: str) -> list[Change]:
        """The changes that remove all our entries from an agent's files. Raises BadInput."""
        found = []
        for file, path, real in self.files_of(id, scope):
            try:
                found.append(self._leaving(file, id, scope, path, real))
            except Unparseable as error:
                raise _unreadable(path, error) from error
        return found

    def _leaving(self, file: "File", id: str, scope: str, path: str, real: str) -> Change:
        before = own_files.content(real)
        after = self._without(file, real, before)
        if after != before:
            own_files.writable(real)
        return Change(file, id, scope, path, real, before, after, leaving=True)

    def _without(self, file: "File", real: str, before: bytes | None) -> bytes | None:
        """The file without our entries: its original; if edited since, with our entries removed."""
        row = self.record.row(real)
        if before is None or (row is not None and hashed(before) == row.after):
            return None if row is None or before is None else row.before
        if row is not None and before == row.before:
            return before  # restored by an uninstallation that was killed before it said so
        text = own_files.text_of(real, before)
        if file.source:
            return None if is_ours(text) else before
        opened = document(text, file.format)
        if not own_entries(opened, file):
            return before
        earlier = None if row is None else row.before
        if row is None:
            theirs = others_server(opened, file)
        else:
            theirs = document(own_files.text_of(real, earlier), file.format).value
        take(opened, file, theirs)
        if row is not None and earlier is None and opened.value in ({}, file.frame):
            return None
        return opened.text.encode()

    def carry_out(self, changes: "Sequence[Change]") -> None:
        """Applies changes, and records the originals, while no other process does so.

        Raises BadInput if a file changed meanwhile.
        """
        with self.record.turn():
            for change in changes:
                own_files.remove_unfinished(os.path.dirname(change.real))
                self._carry_out(change)

    def _carry_out(self, change: Change) -> None:
        now = own_files.content(change.real)
        if now != change.before and now == change.after:
            return  # another process did the same between the plan and the lock
        if now != change.before:
            raise BadInput(f"{change.path} was changed just now", "try it again")
        row = self.record.row(change.real)
        folders = row.made if row is not None else []
        if change.after is None:
            own_files.remove(change.real, folders)
        if change.leaving:
            if change.after is not None and change.after != change.before:
                own_files.write(change.real, change.after)
            self.record.drop(change.real)
            return
        if change.after is None or change.after == change.before:
            return
        folders = self.record.made_above(change.real) + own_files.make_folders(change.real)
        kept = Row(
            change.real, change.agent, change.scope, change.earlier, hashed(change.after), folders
        )
        self.record.put(kept)
        own_files.write(change.real, change.after, runs=bool(change.file.program))


def _unreadable(path: str, error: Unparseable) -> BadInput:
    return BadInput(
        f"{path} cannot be read: {error}", "mend it there; nothing was changed in any file"
    )
