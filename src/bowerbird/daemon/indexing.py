"""Background indexing of a server's folders: on schedule, and when its owner requests it.

One run at a time. A run continues whether or not a client waits for it; its result can be requested until
the server stops.
"""

import os
from threading import Condition, Thread

from bowerbird.bird import Bowerbird
from bowerbird.core.errors import BadInput, BowerbirdError, NotFound, StoreBusy
from bowerbird.core.runs import Run
from bowerbird.core.value import Advice, Do, iso
from bowerbird.daemon.log import FAULT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.daemon.log import Log

# Finished runs whose result is kept.
_KEPT = 32


class UnderWay(StoreBusy):
    """Another index run is in progress."""


class Indexing:
    """The index runs of one server, over its folders and into its project. Thread-safe."""

    def __init__(
        self, store: str, folders: tuple[str, ...], project: str | None, log: "Log"
    ) -> None:
        self._store = store
        self._project = project
        self.folders = folders
        # A folder can be named as at start-up or by its absolute path. Only names are compared: a path in
        # a request is never looked up on disk.
        self._known = {os.path.abspath(folder): folder for folder in folders}
        self._known |= {folder: folder for folder in folders}
        self._log = log
        self._runs: dict[int, Run] = {}
        self._number = 0
        self._changed = Condition()
        self._ended = False

    def round(self) -> None:
        """Indexes every folder, after any run in progress."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended or self._under_way() is None)
            if self._ended:
                return
            run = self._begun(self.folders)
        self._do(run)

    def ask(self, paths: "Sequence[str]") -> Run:
        """Starts indexing some of the folders, or all. Raises BadInput and UnderWay."""
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
        """The run with that number; None: the current or last one. Raises NotFound."""
        with self._changed:
            found = self._runs.get(self._number if number is None else number)
        if found is None:
            what = (
                "nothing was taken in yet" if number is None else f"no run {number} is remembered"
            )
            raise NotFound(what, Advice("begin one: ", Do("index")))
        return found

    def wait(self, run: Run, seconds: float) -> None:
        """Waits until the run is done, the time is up or the server stops."""
        with self._changed:
            self._changed.wait_for(lambda: run.done or self._ended, seconds)

    def stop(self) -> None:
        """Releases all waiting calls and starts no further run.

        A run in progress ends with the process.
        """
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
        """Performs the run and logs counts, never content."""
        error = self._log.work("index", lambda: self._take_in(run))
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
