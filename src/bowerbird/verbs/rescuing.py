"""Archives the transcripts that agents keep, and warns of those that will be deleted."""

import os
import time

from bowerbird.core.health import WARNING, Finding
from bowerbird.core.life import DAY
from bowerbird.core.rescued import Rescued
from bowerbird.core.value import Advice, Do
from bowerbird.host.places import folder, make_folder, private_file
from bowerbird.ingest.rescue import is_due, rescue, sweep
from bowerbird.wiring.reach import allowed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.core.clock import Clock
    from bowerbird.core.config import Config

_FOLDER = "rescued"
_STAMP = "rescued.last"
# Days of warning before a loss: enough for a user who checks once a week.
_SOON = 14


def rescued(config: "Config", clock: "Clock", *, daily: bool, dry_run: bool = False) -> "Rescued":
    """Archives new transcripts; with `daily`, at most once a day; with `dry_run`, only counts them."""
    archive = archive_folder()
    stamp = os.path.join(folder("state", os.environ), _STAMP)
    if daily and not is_due(stamp, clock()):
        return Rescued(archive, {}, waited=True)
    done = rescue(archive, os.environ, allowed(config), dry_run=dry_run)
    if dry_run:
        return done
    make_folder(os.path.dirname(stamp))
    handle = private_file(stamp, os.O_WRONLY | os.O_TRUNC)
    with open(handle, "w", encoding="ascii") as file:
        file.write(f"{clock()}\n")
    return done


def losses(clock: "Clock") -> "Iterator[Finding]":
    """Warns which transcripts an agent will delete, and when."""
    found = sweep(archive_folder(), os.environ)
    if found is None:
        return
    day = time.strftime("%Y-%m-%d", time.gmtime(found.first / 1000))
    files = f"{found.files:,} session" + ("s" if found.files > 1 else "")
    soon = found.first - clock() < _SOON * DAY
    detail = (
        f"Claude Code deletes sessions after {found.days} days (cleanupPeriodDays);"
        f" {files} not archived, the first will be deleted on {day}"
    )
    remedy = Advice(Do("rescue"))
    yield Finding("sessions", detail, WARNING, remedy) if soon else Finding("sessions", detail)


def archive_folder() -> str:
    """The folder of rescued transcripts."""
    return os.path.join(folder("data", os.environ), _FOLDER)
