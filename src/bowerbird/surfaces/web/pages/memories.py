"""Memories: the list, with its filters in the address."""

import asyncio
import re
from functools import partial

from bowerbird.core.answers import Entries
from bowerbird.core.errors import UnknownName
from bowerbird.core.types import DIGEST
from bowerbird.surfaces.web.desk import FIRST_PATIENCE_S
from bowerbird.surfaces.web.pages import memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.bird import Bowerbird
    from bowerbird.core.overview import Facets
    from bowerbird.surfaces.web.desk import Call

_ROWS = 50
# Memories that are near in meaning where nothing says the words.
_CLOSE = 5
# Seconds that the page waits for those, and for the counts of a search: enough up to 10,000 memories; at
# 100,000 both come later, since counting then takes twice as long as the rows.
_SEARCHING_S = 0.02
# Seconds that counting may take, beside the page: of 100,000 memories a tenth, on a busy machine a few.
_COUNTING_S = 5.0
# Memories up to which what nothing says now is searched in former versions: reading all of those takes
# a tenth of a second then.
_MOST_BEFORE = 20_000
_FIELD = re.compile(
    r'(kind|module|state|tag|trust|review|stale|corrected|session|file):("[^"]*"|\S+)'
)
_NAMES = {
    "kind": "kinds",
    "module": "modules",
    "state": "states",
    "tag": "tags",
    "session": "sessions",
}
_WORD = re.compile(r"[^\W_]")
_PLAIN = re.compile(r"[^\W_]{3,}")


def narrowing(asked: str) -> "dict[str, Any]":
    """The filters of `list` from what was typed: words, and fields such as kind:gotcha."""
    found: dict[str, Any] = {"memories_only": True}
    for field, value in _FIELD.findall(asked):
        text = value.strip('"')
        if field in _NAMES:
            # A page writes the names of kinds as people do: dead end.
            named = re.sub("[- ]", "_", text.lower()) if field == "kind" else text
            found[_NAMES[field]] = (*found.get(_NAMES[field], ()), named)
        elif field == "trust":
            found["min_trust"] = text
        elif field == "review":
            found |= {"waiting": True} if text == "yes" else {"needs_review": False}
        elif field == "file":
            found["path"] = text
    # Signs alone are no words: no index holds them.
    words = [one for one in _FIELD.sub(" ", asked).replace('"', " ").split() if _WORD.search(one)]
    if words:
        # The last word may not be complete yet; quotes keep any sign from being an operator.
        quoted = [f'"{word}"' for word in words]
        if _PLAIN.fullmatch(words[-1]):
            quoted[-1] = f"{words[-1].lower()}*"
        found["matching"] = " AND ".join(quoted)
    return found


def _without_digests(bird: "Bowerbird", about: "dict[str, Any]") -> "dict[str, Any]":
    """The same filters, without what sessions were about, unless that is asked for: it has a page."""
    return {"kinds": tuple(one for one in bird.admin.kinds if one != DIGEST), **about}


def _stale(bird: "Bowerbird") -> "Entries":
    strayed = bird.stale(limit=_ROWS)
    return Entries(bird.named(*(one.id for one in strayed.memories)), total=strayed.total)


def _corrected(bird: "Bowerbird") -> "Entries":
    ids = bird.admin.corrected()
    return Entries(bird.named(*ids[:_ROWS]), total=len(ids))


def _facets(bird: "Bowerbird", about: "dict[str, Any]") -> "Facets":
    return bird.admin.narrowed(_COUNTING_S, **_without_digests(bird, about))


async def page(call: "Call") -> "dict[str, Any]":
    """Fifty rows from a place on."""
    asked = call.query.get("q", "")
    about, sort = narrowing(asked), call.query.get("sort", "newest")
    after = call.query.get("after", "")
    # What no index holds: memories whose files changed, and those that proved wrong.
    sought: Any = (("stale",), _stale) if "stale:yes" in asked else ()
    if not sought and "corrected:yes" in asked:
        sought = (("corrected",), _corrected)

    patience = _SEARCHING_S if "matching" in about else FIRST_PATIENCE_S
    # Counting what holds some words takes longer than finding fifty of it.
    counted = not after and "matching" not in about

    def read(bird: "Bowerbird") -> "Entries":
        return bird.list(
            limit=_ROWS, sort=sort, after=after, total=counted, **_without_digests(bird, about)
        )

    try:
        found, facets = await asyncio.gather(
            call.soon(*sought) if sought else call.work(read),
            call.soon(
                ("matching" if "matching" in about else "facets", asked),
                partial(_facets, about=about),
                patience,
            ),
        )
    except UnknownName as error:
        # What was typed stays, beside what is wrong with it.
        call.visit.notice = {"error": True, "busy": False, "message": error.message}
        call.visit.notice["remedy"] = error.remedy
        found, facets, about = Entries(total=0), None, {}
    nearest, before, close = "", Entries(), Entries()
    rejected: frozenset[str] = frozenset()
    if found is not None and not found and "matching" in about:
        words = _FIELD.sub(" ", asked)

        def near(bird: "Bowerbird") -> "tuple[str, Entries]":
            hits = bird.query(words, limit=_CLOSE, weak=False, memories_only=True)
            return ", ".join(hits.corrected.values()), bird.named(*(hit.id for hit in hits))

        # That no memory says the words is told at once. By the one that keeps what questions read: any
        # other compares with all memories in the file.
        known = await call.soon(("close", words), near, _SEARCHING_S, asks=True)
        nearest, close = known or (nearest, close)
        if call.pulse.memories <= _MOST_BEFORE:
            spoken = [one.strip('"') for one in words.split() if _WORD.search(one)]
            before = await call.work(lambda bird: bird.admin.said_before(spoken))
            rejected = await call.work(lambda bird: memory.rejected(bird, before))
    total = found.total if found is not None else None
    if total is None and not sought and facets is not None:
        total = facets.total
    modules: dict[str, int] = {}
    for name, of_it in facets.modules.items() if facets is not None else ():
        called = call.modules.get(name, name)
        modules[called] = modules.get(called, 0) + of_it
    return {
        "found": found,
        "facets": facets,
        "modules": modules,
        "total": total,
        "words": " ".join(_FIELD.sub(" ", asked).split()) if "matching" in about else "",
        "asked": asked,
        "sort": sort,
        "nearest": nearest,
        "before": before,
        "close": close,
        "rejected": rejected,
    }
