"""Taking in the folders that a server was started with: when its time has come, and when its owner asks.

One run at a time. A run goes on whether or not somebody waits for it; what came of it can be asked
for later, until the server ends.
"""

import os
from threading import Condition, Thread

from bowerbird.bird import Bowerbird
from bowerbird.core.errors import BadInput, BowerbirdError, NotFound, StoreBusy
from bowerbird.core.runs import Run
from bowerbird.core.value import Advice, Do, iso
from bowerbird.daemon.journal import FAULT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.daemon.journal import Journal

# Runs whose outcome is kept.
_KEPT = 32


class UnderWay(StoreBusy):
    """Another run is taking in folders already."""


class Indexing:
    """The runs of one server, over its folders and into its project. From any thread."""

    def __init__(
        self, store: str, folders: tuple[str, ...], project: str | None, journal: "Journal"
    ) -> None:
        self._store = store
        self._project = project
        self.folders = folders
        # A folder may be called as it was at the start, or by its whole path. Names are compared:
        # what a request says is never looked for on the disk.
        self._known = {os.path.abspath(folder): folder for folder in folders}
        self._known |= {folder: folder for folder in folders}
        self._journal = journal
        self._runs: dict[int, Run] = {}
        self._number = 0
        self._changed = Condition()
        self._ended = False

    def round(self) -> None:
        """Take in every folder, once no other run is under way."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended or self._under_way() is None)
            if self._ended:
                return
            run = self._begun(self.folders)
        self._do(run)

    def ask(self, paths: "Sequence[str]") -> Run:
        """Begin to take in some of the folders, or all. Raises BadInput, and UnderWay."""
        chosen = self._chosen(paths)
        with self._changed:
            other = self._under_way()
            if other is not None:
                raise UnderWay(
                    f"run {other.number} is taking in folders since {iso(other.began)}",
                    Advice(
                        "wait for it: ",
                        Do("indexed", run=str(other.number), wait="25"),
                        "; then ask again",
                    ),
                )
            run = self._begun(chosen)
        Thread(target=self._do, args=(run,), name="index", daemon=True).start()
        return run

    def run(self, number: "int | None") -> Run:
        """The run of that number; None: the one under way, or the last one. Raises NotFound."""
        with self._changed:
            found = self._runs.get(self._number if number is None else number)
        if found is None:
            what = (
                "nothing was taken in yet" if number is None else f"no run {number} is remembered"
            )
            raise NotFound(what, Advice("begin one: ", Do("index")))
        return found

    def wait(self, run: Run, seconds: float) -> None:
        """Until it is done, the time is over or the server is to end."""
        with self._changed:
            self._changed.wait_for(lambda: run.done or self._ended, seconds)

    def stop(self) -> None:
        """Nobody waits any longer, and no run begins. One under way is cut off with the process."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _chosen(self, paths: "Sequence[str]") -> tuple[str, ...]:
        if not self.folders:
            raise BadInput(
                "this server was started without folders",
                Advice("start it with: ", Do("serve", index="PATH")),
            )
        unknown = next((path for path in paths if path not in self._known), None)
        if unknown is not None:
            named = ", ".join(sorted({os.path.abspath(folder) for folder in self.folders}))
            raise BadInput(
                f"this server was not started with {unknown}",
                f"it takes in {named}; start it with --index for others",
            )
        return tuple(dict.fromkeys(self._known[path] for path in paths)) or self.folders

    def _under_way(self) -> Run | None:
        last = self._runs.get(self._number)
        return last if last is not None and not last.done else None

    def _begun(self, paths: "Sequence[str]") -> Run:
        self._number += 1
        self._runs[self._number] = run = Run(self._number, paths)
        self._runs.pop(self._number - _KEPT, None)
        return run

    def _do(self, run: Run) -> None:
        """Do it, with a line in the journal: counts, never content."""
        error = self._journal.work("index", lambda: self._take_in(run))
        with self._changed:
            if error is not None:
                failure = error if isinstance(error, BowerbirdError) else BowerbirdError(*FAULT)
                run.failure, run.error_type = failure, type(failure).__name__
            run.done = True
            self._changed.notify_all()

    def _take_in(self, run: Run) -> "dict[str, int]":
        with Bowerbird.open(self._store, project=self._project) as bird:
            report = bird.index(*run.paths)
            run.report = report
        names = ("added", "changed", "removed", "unchanged")
        return {name: getattr(report, name) for name in names} | {"skipped": len(report.skipped)}
