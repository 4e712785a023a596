"""Runs tool calls and reads resources, for any transport."""

import re
import sys

from bowerbird.core.errors import BowerbirdError, NotFound, StoreMissing, UsageError
from bowerbird.core.ids import id_prefix
from bowerbird.core.recalled import item_of, plain
from bowerbird.core.value import Advice, Record
from bowerbird.daemon.birds import ASK, READ
from bowerbird.surfaces.fields import ID, MCP, TOOL_BUDGET, run
from bowerbird.surfaces.mcp import catalogue
from bowerbird.surfaces.mcp.answer import Result, answer, recall
from bowerbird.surfaces.mcp.catalogue import RECENT, review
from bowerbird.surfaces.mcp.tool import OFFERS
from bowerbird.surfaces.mcp.views import lean
from bowerbird.surfaces.schema import checked
from bowerbird.surfaces.verbs import get

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from bowerbird.bird import Bowerbird
    from bowerbird.core.value import Do
    from bowerbird.core.who import Who
    from bowerbird.daemon.birds import Birds
    from bowerbird.surfaces.mcp.caller import Caller
    from bowerbird.surfaces.mcp.tool import Offer

# Any query works: it loads what queries need.
_WARMING = "what was decided before"


class Done(Record):
    """The outcome of a call: text, and the same as data; None as data if it `failed`."""

    text: str
    data: "dict[str, Any] | None"
    failed: bool = False


class Calls:
    """Runs calls on the Bowerbirds of a pool. Its methods block on disks and locks."""

    def __init__(self, birds: "Birds") -> None:
        self._birds = birds
        self.kinds = birds.kinds

    def call(self, offer: "Offer", caller: "Caller", given: "dict[str, Any]") -> Done:
        """Runs a tool. The result reports any error."""
        try:
            offer.verb.require(caller.who)
            asked = _checked(offer, given, self.kinds)
            if any(field.name == "all_projects" for field in offer.verb.fields):
                asked["all_projects"] = caller.who.wide
            with self._birds.acquire(offer.queue, caller.project, caller.who) as bird:
                value = run(offer.module, bird, asked)
                budget = TOOL_BUDGET if "limit" in given else offer.about.budget
                result = answer(offer.verb, value, _named, budget)
                if hasattr(offer.module, "used"):
                    bird.used(offer.module.used(result.value))
            return Done(result.text, lean(result.data, offer.about.always))
        except BowerbirdError as error:
            return _failed(self.error_text(error, caller))
        except Exception as error:  # noqa: BLE001 one call fails, the server lives on
            sys.stderr.write(f"{offer.name}: {type(error).__name__}: {plain(str(error))}\n")
            what = f": {error}" if caller.who.local else ""
            return _failed(f"{type(error).__name__}{what}: internal error")

    def read(self, uri: str, caller: "Caller") -> "Result":
        """The content of a resource. Raises NotFound and the store's errors."""
        with self._birds.acquire(READ, caller.project, caller.who) as bird:
            found, used = read(bird, caller.who, uri, _named)
            bird.used(used)
            return found

    def prompt(self, caller: "Caller") -> str:
        """The prompt by which an agent reviews what waits. Raises the store's errors."""
        with self._birds.acquire(READ, caller.project, caller.who) as bird:
            text, used = review(bird, caller.who)
            bird.used(used)
            return text

    def warm(self, project: str | None) -> None:
        """Loads what queries need: modules, models, the store. It is not recorded as a use.

        Errors are left to the first call.
        """
        try:
            with self._birds.acquire(ASK, project) as bird:
                bird.query(_WARMING, limit=1)
        except Exception:  # noqa: BLE001 nobody asked; who does meets it again
            return

    def error_text(self, error: BowerbirdError, caller: "Caller") -> str:
        """An error with its remedy; includes the store's path only for callers on this machine."""
        if isinstance(error, StoreMissing):
            return "nothing has been stored yet: memory_store keeps the first memory"
        message = "; ".join(_named(part) for part in (error.message, error.remedy) if part)
        return message if caller.who.local else message.replace(self._birds.path, "the store")


def _checked(offer: "Offer", given: "dict[str, Any]", kinds: "Iterable[str]") -> "dict[str, Any]":
    """The arguments by the verb's field names. Raises BadInput."""
    takes = ", ".join(
        field.called(MCP) + ("" if field.needed else " (optional)") for field in offer.verb.at(MCP)
    )
    try:
        return checked(offer.verb, MCP, given, f"it takes {takes or 'nothing'}", kinds)
    except UsageError as error:
        error.message = f"{offer.name}: {error.message}"
        raise


def _named(message: str) -> str:
    """Advice in terms of tools."""
    return message.by(_tool) if isinstance(message, Advice) else message


def _tool(do: "Do") -> str:
    """The tool of a verb; a verb without one is named as a command for the user."""
    if do.verb == "list":
        return RECENT
    name = _TOOLS.get(do.verb)
    return do.command() if name is None else OFFERS[name].verb.names(do, MCP, name)


def _failed(message: str) -> Done:
    # An error may quote a name that came from others.
    return Done(plain(message), None, failed=True)


_TOOLS = {offer.verb.name: name for name, offer in OFFERS.items()}


_ENTRY = catalogue.ENTRY.removesuffix("{id}")
# Number of memories in the list of the newest.
_NEWEST = 20


def read(
    bird: "Bowerbird", who: "Who", uri: str, say: "Callable[[str], str]"
) -> tuple[Result, list[str]]:
    """The content of a resource and the ids of its entries; `say` words advice.

    Raises NotFound.
    """
    if uri == catalogue.RECENT:
        newest = bird.list(memories_only=True, coming=False, all_projects=who.wide, limit=_NEWEST)
        items = [item_of(entry, entry.text) for entry in newest]
        found = recall(items, "The newest first.", {}, ranked=False)
        return found, [entry.id for entry in newest]
    if uri == catalogue.ONBOARDING:
        items = [item_of(entry, entry.text) for entry in bird.onboarding()]
        return recall(items, "The best first.", {}, ranked=False), []
    id = id_prefix(uri.removeprefix(_ENTRY)) if uri.startswith(_ENTRY) else ""
    if re.fullmatch(ID, id):
        shown = get.run(bird, {"id": id})
        return answer(get.VERB, shown, say), get.used(shown)
    known = f"{catalogue.RECENT}, {catalogue.ONBOARDING} and {catalogue.ENTRY}"
    raise NotFound(f"no resource {uri}", f"there are {known}")
