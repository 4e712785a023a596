"""The verbs that HTTP knows, a row each, and how each is asked of a Bowerbird.

Nothing here looks for a path on the disk: what is read is in the store already, and `index` takes in
what the server was started with, by the names that it was started with.
"""

from time import perf_counter

from bowerbird.core.value import Value
from bowerbird.surfaces.answer import Answer
from bowerbird.surfaces.birds import AFTER, ANEW, ASK, READ, WHOLE, WRITE
from bowerbird.surfaces.flat import flat_answer, flat_entries, flat_entry, flat_pack
from bowerbird.surfaces.flat_health import flat_findings
from bowerbird.surfaces.flat_memory import (
    flat_decision,
    flat_forgotten,
    flat_history,
    flat_pruned,
    flat_relation,
    flat_reverted,
)
from bowerbird.surfaces.http import answered, asked
from bowerbird.surfaces.http import answered_upkeep as upkept
from bowerbird.surfaces.recalled import nonce

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from bowerbird.bird import Bowerbird
    from bowerbird.core.answers import Item
    from bowerbird.core.types import Entry
    from bowerbird.core.who import Who
    from bowerbird.surfaces.birds import Lane
    from bowerbird.surfaces.http.indexing import Indexing

    Data = dict[str, Any]
    # `list` is a verb here.
    Texts = list[str]


class Call(Value):
    """One request as a verb meets it: the bird in its project, what was asked, and who asks."""

    __slots__ = ("ask", "bird", "id", "indexing", "who")

    def __init__(
        self,
        bird: "Bowerbird",
        ask: "Any",
        who: "Who",
        indexing: "Indexing",
        id: str = "",
    ) -> None:
        self.bird = bird
        self.ask = ask
        self.who = who
        self.indexing = indexing
        # The id in the address, for those verbs that have one there.
        self.id = id

    def discreet(self, remarks: "Iterable[str]") -> "Texts":
        """Remarks without the place of the store, where somebody else than its owner asks."""
        if self.who.local:
            return [*remarks]
        return [remark.replace(self.bird.path, "the store") for remark in remarks]

    def used(self, entries: "Sequence[Entry | Item]") -> None:
        """Note what an answer returned."""
        self.bird.used([entry.id for entry in entries])


def query(call: Call) -> "Data":
    """Ask, in any words."""
    ask = call.ask
    hits = call.bird.query(
        ask.query,
        limit=ask.limit,
        budget=ask.budget,
        min_score=ask.min_score,
        fast=ask.fast,
        explain=ask.explain,
        fuzzy=ask.fuzzy,
        phase=ask.phase,
        operators=ask.operators,
        all_projects=ask.all_projects,
        **ask.narrowing(),
    )
    call.used([hit.entry for hit in hits])
    answer = Answer(hits, ask.shape, ask.explain, ask.all_projects, ask.budget or 0)
    return flat_answer(answer, call.discreet(hits.trace.degraded))


def context(call: Call) -> "Data":
    """Pack what is known for a task."""
    ask = call.ask
    pack = call.bird.context(
        ask.task,
        phase=ask.phase,
        budget=ask.budget,
        min_trust=ask.min_trust,
        all_projects=ask.all_projects,
    )
    call.used([*pack])
    return flat_pack(pack, nonce(), call.discreet(pack.trace.degraded))


def curate(call: Call) -> "Data":
    """Keep one to three sentences."""
    ask, begin = call.ask, perf_counter()
    apart = {"project", "content", "type", "everywhere"}
    about = ask.model_dump(exclude=apart)
    decision = call.bird.remember(
        ask.content,
        kind=ask.type,
        everywhere=ask.everywhere,
        **about,
    )
    return flat_decision(decision) | {"took_ms": round((perf_counter() - begin) * 1000, 3)}


def get(call: Call) -> "Data":
    """Show one entry in full."""
    entry = call.bird.get(call.id)
    call.used([entry])
    data = flat_entry(entry)
    return data | {"history": history(call)} if call.ask.history else data


def at(call: Call) -> "Data":
    """Show the passage that holds a line of an indexed file."""
    entry = call.bird.at(call.ask.path, call.ask.line)
    call.used([entry])
    return flat_entry(entry)


def list(call: Call) -> "Data":
    """List entries, newest first."""
    ask = call.ask
    return flat_entries(
        call.bird.list(
            limit=ask.limit, offset=ask.offset, all_projects=ask.all_projects, **ask.narrowing()
        )
    )


def history(call: Call) -> "Data":
    """Show how a memory came to be what it is."""
    return flat_history(call.bird.history(call.id))


def forget(call: Call) -> "Data":
    """Take memories out of every search."""
    done = call.bird.forget_all(call.ask.ids, call.ask.reason)
    entries = [call.bird.get(one.memory) for one in done]
    return flat_forgotten(entries, call.ask.reason)


def revert(call: Call) -> "Data":
    """Take back the last change of a memory, or go back to a version."""
    ask = call.ask
    return flat_reverted(call.bird.revert(ask.id, ask.to, reason=ask.reason))


def link(call: Call) -> "Data":
    """Say what one memory is to another, or to a file."""
    ask = call.ask
    return flat_relation(
        call.bird.link(
            ask.source,
            ask.target,
            ask.relation,
            strength=ask.strength,
            confidence=ask.confidence,
        )
    )


def prune(call: Call) -> "Data":
    """Let go of memories that faded, or whose day has passed; an agent removes nothing for good."""
    ask = call.ask
    done = call.bird.prune(
        dry_run=ask.dry_run,
        threshold=ask.threshold,
        all_projects=ask.all_projects,
        remove=call.who.owner,
    )
    return flat_pruned(done)


def used(call: Call) -> "Data":
    """Say which entries were of use."""
    ids = [call.bird.get(id).id for id in call.ask.ids]
    return {"noted": call.bird.used(ids)}


def status(call: Call) -> "Data":
    """Show what the store holds; where it is, to its owner alone."""
    found = call.bird.status(measure=call.ask.measure)
    told = found.as_dict(call.discreet(found.notes))
    if not call.who.local:
        del told["db_path"]
    return told


def doctor(call: Call) -> "Data":
    """Look for what is wrong with the store, and say what to do; to its owner alone."""
    return flat_findings(call.bird.admin.doctor(secrets=call.ask.secrets))


def reindex(call: Call) -> "Data":
    """Let the model read what it has not read yet."""
    return {"read": call.bird.admin.reindex()}


def warm(call: Call) -> "Data":
    """Let the model read what it has not read yet, the newest alone if asked."""
    return call.bird.admin.warm(recent=call.ask.recent).to_dict()


def cache(call: Call) -> "Data":
    """Show what is kept of texts that a model behind a server has read."""
    return call.bird.admin.cache_state().to_dict()


def prune_cache(call: Call) -> "Data":
    """Take out of it what was not used for long, or everything."""
    removed = call.bird.admin.prune_cache(older_than=call.ask.older_than)
    return cache(call) | {"removed": removed}


def index(call: Call) -> "Data":
    """Take in folders that the server was started with; for its owner alone."""
    run = call.indexing.ask(call.ask.paths)
    call.indexing.wait(run, call.ask.wait)
    if not run.done:
        return Begun(run.flat())
    if run.report is None:
        raise run.error or RuntimeError("a run that ended has a report or an error")
    return run.report


def indexed(call: Call) -> "Data":
    """Show how far taking in folders has come, and what came of it; to its owner alone."""
    run = call.indexing.run(call.ask.run)
    call.indexing.wait(run, call.ask.wait)
    return run.flat()


class Begun(dict[str, "Any"]):
    """The data of what was begun and is not done yet: it is answered with 202."""


class Verb(Value):
    """A row of the table: where it is asked for, with what, and what comes back.

    `lane` says whose turns it takes, `whole` that it is about all of the store, `owners` that it is
    for its owner alone, `begun` what comes back with 202, while it is not done.
    """

    __slots__ = (
        "answer",
        "ask",
        "begun",
        "lane",
        "method",
        "name",
        "owners",
        "path",
        "run",
        "whole",
    )

    def __init__(
        self,
        method: str,
        path: str,
        run: "Callable[[Call], Data]",
        ask: "type[asked.Ask]",
        answer: "type[answered.Shape]",
        lane: "Lane" = READ,
        *,
        whole: bool = False,
        owners: bool = False,
        begun: "type[answered.Shape] | None" = None,
    ) -> None:
        self.method = method
        self.path = path
        self.name = run.__name__
        self.run = run
        self.ask = ask
        self.answer = answer
        self.lane = lane
        self.whole = whole
        self.owners = owners
        self.begun = begun

    @property
    def writes(self) -> bool:
        """Whether a read-only token may not do it."""
        return self.lane.writes


VERBS = (
    Verb("POST", "/query", query, asked.Query, answered.Answer, ASK),
    Verb("POST", "/context", context, asked.Context, answered.Pack, ASK),
    Verb("GET", "/get/{id}", get, asked.Get, answered.Entry),
    Verb("GET", "/at", at, asked.At, answered.Entry),
    Verb("GET", "/list", list, asked.List, answered.Entries),
    Verb("GET", "/history/{id}", history, asked.Anywhere, answered.History),
    Verb("POST", "/curate", curate, asked.Curate, answered.Decision, WRITE),
    Verb("POST", "/forget", forget, asked.Forget, answered.Forgotten, WRITE),
    Verb("POST", "/revert", revert, asked.Revert, answered.Reverted, WRITE),
    Verb("POST", "/link", link, asked.Link, answered.Relation, WRITE),
    Verb("POST", "/prune", prune, asked.Prune, answered.Pruned, WRITE),
    Verb("POST", "/used", used, asked.Used, answered.Noted, WRITE),
    Verb("GET", "/status", status, asked.Status, upkept.Status, ASK),
    Verb("GET", "/doctor", doctor, asked.Doctor, upkept.Findings, WHOLE, whole=True, owners=True),
    Verb("GET", "/cache", cache, asked.Cache, upkept.Cache, whole=True, owners=True),
    Verb(
        "POST", "/cache", prune_cache, asked.PruneCache, upkept.PrunedCache, WRITE,
        whole=True, owners=True,
    ),
    Verb("POST", "/reindex", reindex, asked.Reindex, upkept.Reindexed, ANEW, whole=True),
    Verb("POST", "/warm", warm, asked.Warm, upkept.Warmed, ANEW, whole=True),
    Verb(
        "POST", "/index", index, asked.Index, upkept.Report, AFTER,
        whole=True, owners=True, begun=upkept.Run,
    ),
    Verb("GET", "/index", indexed, asked.Indexed, upkept.Run, AFTER, whole=True, owners=True),
)  # fmt: skip
