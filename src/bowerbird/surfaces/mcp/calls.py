"""Calls and resources at work: whatever speaks the protocol asks here, and wraps what comes back."""

import sys

from bowerbird.core.errors import BowerbirdError, StoreMissing
from bowerbird.core.value import Value
from bowerbird.surfaces.birds import ASK, READ
from bowerbird.surfaces.mcp.answer import lean
from bowerbird.surfaces.mcp.arguments import check
from bowerbird.surfaces.mcp.catalogue import knowing
from bowerbird.surfaces.mcp.resources import read
from bowerbird.surfaces.mcp.tools import WORK
from bowerbird.surfaces.recalled import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces.birds import Birds
    from bowerbird.surfaces.mcp.answer import Answer
    from bowerbird.surfaces.mcp.caller import Caller
    from bowerbird.surfaces.mcp.tool import Tool

# Any words do: what a question needs is loaded by asking one.
_WARMING = "what was decided before"


class Done(Value):
    """What came of a call: a text, and the same as data; no data where it `failed`."""

    __slots__ = ("data", "failed", "text")

    def __init__(self, text: str, data: "dict[str, Any] | None", failed: bool = False) -> None:
        self.text = text
        self.data = data
        self.failed = failed


class Calls:
    """What callers ask of some Bowerbirds. Its methods wait for disks and locks."""

    def __init__(self, birds: "Birds") -> None:
        self._birds = birds

    def call(self, tool: "Tool", caller: "Caller", given: "dict[str, Any]") -> Done:
        """Do what a tool is for. Whatever goes wrong is told in what comes back."""
        try:
            if tool.writes:
                caller.who.require_write()
            check(knowing(tool, [*self._birds.kinds]), given)
            with self._birds.lent(tool.lane, caller.project, caller.who) as bird:
                answer = WORK[tool.name](bird, caller.who, given)
                bird.used(answer.used)
            return Done(answer.text, lean(answer.data, tool.always))
        except BowerbirdError as error:
            return _failed(self.told(error, caller))
        except Exception as error:  # noqa: BLE001 one call fails, the server lives on
            sys.stderr.write(f"{tool.name}: {type(error).__name__}: {plain(str(error))}\n")
            what = f": {error}" if caller.who.local else ""
            return _failed(f"{type(error).__name__}{what}: a fault of ours")

    def read(self, uri: str, caller: "Caller") -> "Answer":
        """What a resource holds. Raises NotFound, and what the store raises."""
        with self._birds.lent(READ, caller.project, caller.who) as bird:
            answer = read(bird, caller.who, uri)
            bird.used(answer.used)
            return answer

    def warm(self, project: str | None) -> None:
        """Load what a question needs: modules, models, the store. It counts as nobody's reading.

        What keeps it from that is told to whoever asks first.
        """
        try:
            with self._birds.lent(ASK, project) as bird:
                bird.query(_WARMING, limit=1)
        except Exception:  # noqa: BLE001 nobody asked; who does meets it again
            return

    def told(self, error: BowerbirdError, caller: "Caller") -> str:
        """An error with what to do about it; where the store is, is told on this machine alone."""
        if isinstance(error, StoreMissing):
            return "nothing has been stored yet: memory_store keeps the first memory"
        told = ": ".join(filter(None, (error.message, error.remedy)))
        for command, tool in _IN_TOOLS.items():
            told = told.replace(command, tool)
        return told if caller.who.local else told.replace(self._birds.path, "the store")


def _failed(told: str) -> Done:
    # An error may quote a name that somebody else gave.
    return Done(plain(told), None, failed=True)


# Remedies speak of the command line; whoever reads them here has these.
_IN_TOOLS = {
    "bower query, bower list": "memory_search",
    "bower query": "memory_search",
    "bower curate": "memory_store",
    "bower get": "memory_get",
    "bower context": "memory_context",
    "bower forget": "memory_forget",
    "bower revert": "memory_revert",
    "bower status": "memory_status",
    "bower prune": "memory_prune",
}
