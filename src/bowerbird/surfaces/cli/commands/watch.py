"""``bower watch``: take in what changes in folders, as it changes.

It starts with the changes since the folders were last indexed. Notes are indexed after 1.5 s without
a change, code after .5 s, transcripts of agents after 5 s. Excluded types do not trigger a run, and
are indexed with the next change of the others. Entries of deleted files are removed; an unmounted
drive is waited for. Only one process watches a store. Ctrl-C and SIGTERM end it.
"""

import os
import signal
import sys
from contextlib import closing, suppress
from threading import Event

from bowerbird.core.errors import BowerbirdError
from bowerbird.core.when import interval
from bowerbird.daemon.birds import Birds
from bowerbird.daemon.hook_server import answering_hooks
from bowerbird.surfaces.cli.call import Call, Outcome
from bowerbird.surfaces.cli.page import counted, emit
from bowerbird.surfaces.fields import Field, Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from bowerbird.core.report import Report

EXAMPLES = (
    ("bower watch", "this folder"),
    ("bower watch ~/notes ~/.claude/projects", "notes, and what agents write of their sessions"),
    ("bower watch ~/src --no-notes --every 30m", "code, and everything each half hour"),
)
_SORTS = ("notes", "code", "transcripts")

VERB = Verb(
    "watch",
    "Index changes in folders as they happen",
    (
        Field("paths", "texts", "folders (default: this one)", option=("PATH",), words="*"),
        *(
            Field(f"no_{name}", "flag", f"changes of {name} alone start no run", default=False)
            for name in _SORTS
        ),
        Field(
            "every", "text", "also index everything at this interval, such as 30m", metavar="TIME"
        ),
    ),
    group="Keep",
    order=20,
    renderer="serve",
)  # fmt: skip


class Ended(KeyboardInterrupt):
    """Ctrl-C or SIGTERM told the watching process to end.

    A KeyboardInterrupt itself that passes through an ``exec`` of text, as ``dataclasses`` has while a
    module loads, makes the interpreter end by SIGINT, even when it was caught; a subclass does not.
    """


def command(call: Call) -> Outcome:
    """Watch until somebody ends it."""
    options = call.options
    sorts = [name for name in _SORTS if not getattr(options, f"no_{name}")]
    every = None if options.every is None else interval("--every", options.every)

    def began() -> None:
        if not call.page.quiet:
            emit(sys.stderr, "watching; Ctrl-C ends it\n")

    def report(folder: str, came: "Report | BowerbirdError") -> None:
        if isinstance(came, BowerbirdError):
            emit(sys.stderr, f"{call.page.path(folder)}: {came.message}\n")
        elif not call.page.quiet and (came.added or came.changed or came.removed):
            parts = [(came.added, "added"), (came.changed, "changed"), (came.removed, "removed")]
            shown = ", ".join(f"{counted(count, 'file')} {what}" for count, what in parts if count)
            emit(sys.stderr, f"{call.page.path(folder)}: {shown}\n")

    stop = ended_by_signals()
    # Ctrl-C is how it is asked to end, as a server is: that it did is no failure.
    with (
        suppress(KeyboardInterrupt),
        call.open(writes=True) as bird,
        closing(Birds(options.store)) as birds,
        answering_hooks(birds, warm=True),
    ):
        paths = options.paths or [os.curdir]
        bird.admin.watch(*paths, sorts=sorts, every=every, tell=report, stop=stop, began=began)
    return Outcome({"stopped": True})


def ended_by_signals() -> Event:
    """From now on Ctrl-C and SIGTERM raise Ended in the main thread and set the returned event."""
    stop = Event()

    def end(*_: object) -> "NoReturn":
        # Told twice: what is raised inside a destructor or a library's callback may get lost.
        stop.set()
        raise Ended

    for one in (signal.SIGINT, signal.SIGTERM):
        # A shell's background job is not to hear of Ctrl-C.
        if signal.getsignal(one) is not signal.SIG_IGN:
            signal.signal(one, end)
    return stop
