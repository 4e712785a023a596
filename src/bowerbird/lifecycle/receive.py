"""Takes the contents of another copy of a store: each memory is merged with the one known by its id.

`copies` has the rules, which give the same store whichever of two is taken into the other, and change
nothing the second time. A text that two memories say, each known to one copy alone, is one memory
afterwards. What was erased in either copy is erased in both; what was pruned in one comes back if the
other one used or changed it later than the first one knew, and waits for a person if it was changed.
"""

from collections import Counter
from functools import lru_cache

from bowerbird.core.errors import ModelError
from bowerbird.core.exchange import BEFORE_MEMORIES, SORTS, Contents, Received, Refused
from bowerbird.core.history import Gone
from bowerbird.core.hlc import replica_of
from bowerbird.core.memories import Belief
from bowerbird.core.normal import normal_hash
from bowerbird.core.relations import FILE
from bowerbird.core.text import clean
from bowerbird.core.types import GLOBAL, TRUSTS, UNREAD
from bowerbird.guard.redact import redact, redact_fields
from bowerbird.lifecycle.apart import set_apart
from bowerbird.lifecycle.copies import (
    JOINED,
    MERGED,
    MERGER,
    common,
    last_touch,
    merged,
    merged_events,
    merged_rows,
    opposed,
    outliving,
    released,
    twins,
    written,
)
from bowerbird.lifecycle.crossed import is_replaced, rings, uncrossed
from bowerbird.lifecycle.opposing import contradictions
from bowerbird.lifecycle.remnants import Remnants
from bowerbird.lifecycle.restate import examples_of, is_found_by_nothing
from bowerbird.lifecycle.unquote import quoting, without_quotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bowerbird.core.exchange import Held, Row
    from bowerbird.core.history import Change, Version
    from bowerbird.core.ports.models import Embedder
    from bowerbird.core.ports.progress import Progress
    from bowerbird.core.ports.store import Store
    from bowerbird.core.types import Vector
    from bowerbird.guard.redact import Allow
    from bowerbird.lifecycle.opposing import Contradiction

# Memories in one transaction: about a third of a second, while other writers wait.
BATCH = 200
_NAMES = 1_024
# A text is asked for its normal form a few times while its batch is taken.
_hashed = lru_cache(4 * BATCH)(normal_hash)
# Each memory of what is taken, by what became of it.
_ADDED, _CHANGED, _SAME, _KNOWN, _GONE = "added", "changed", "same", "known", "gone"


class Receiving:
    """Takes the contents of other stores into one."""

    def __init__(
        self,
        store: "Store",
        embedder: "Embedder",
        allow: "Allow",
        most_trust: str = "full",
        *,
        compares: bool = False,
    ) -> None:
        """Memories get at most `most_trust`.

        `compares`: what contradicts a memory of this store waits for a person. Of copies of one store
        `compare_copies` looks for that, once all that they wrote is here.
        """
        self._compares = compares
        self._store = store
        self._embedder = embedder
        self._allow = allow
        self._most = TRUSTS.index(most_trust)
        # Who wrote, and why, stands in many versions.
        self._name = lru_cache(_NAMES)(self._text)
        self._counts: Counter[str] = Counter()
        self._rows: dict[str, int] = {}
        self._waiting: list[str] = []
        self._lowered: list[str] = []
        self._refused: list[Refused] = []
        # Rows of the audit that follow from the merging.
        self._written: list[Row] = []
        # The ids of versions that gave way to one that joins more.
        self._given_way: set[str] = set()
        # Of the texts of a batch, in their normal form, those that a memory of this store has.
        self._said: set[bytes] = set()
        # The memories of this store that were erased or pruned elsewhere.
        self._removed: list[Gone] = []
        # Those that were erased, as they were.
        self._buried: list[Held] = []
        # The ids of memories whose texts are new here.
        self._fresh: list[str] = []
        # Those of the new or changed memories that a pattern sums up.
        self._compressed: list[str] = []
        # The examples of patterns that were erased or pruned elsewhere.
        self._left: list[str] = []
        self._opposed: dict[str, None] = {}
        self._uncompared = 0
        # The ids of new or changed memories.
        self.moved: list[str] = []

    def run(
        self, given: "Contents", arrival: "Change", progress: "Progress | None" = None
    ) -> Received:
        """Takes everything, in batches: a kill leaves each memory in its old or its new state.

        The audit says of each memory that was new or changed that it came so, by `arrival`.
        """
        with self._store.transaction():
            for sort in BEFORE_MEMORIES:
                self._put(sort, given.rows.get(sort, ()))
        with self._store.transaction():
            graves, outlived = self._bury(given)
        self._write(outlived, arrival)
        given = self._unquoted(given, graves)
        if progress is not None:
            progress.start("merging", len(given.memories))
        for held, made in self._merging(given, graves):
            self._write(made, arrival)
            if progress is not None:
                progress.advance(len(held))
        if self._compares and self._fresh:
            self._compare(given, arrival)
        with self._store.transaction():
            self._put_rest(given)
        if self._compares:
            self._uncross(arrival)
            self._release(arrival)
        if progress is not None:
            progress.finish()
        if self._buried:
            self._store.upkeep.purge_words()
            self._store.upkeep.give_back()
            self._store.upkeep.fold()
            self._buried.clear()
        return self.received()

    def foresee(self, given: "Contents") -> Received:
        """Returns what `run` would do with the memories."""
        with self._store.reading():
            mine = self._store.exchange.rows("tombstone")
            stones, ended = self._stones(given)
            self._note_removed(stones, ended)
            graves = {row[0]: row for row in (*mine, *stones)}
            for _ in self._merging(given, graves):
                pass
        return self.received()

    def received(self) -> Received:
        """What became of all that was taken so far."""
        counts = {name: self._counts[name] for name in (_ADDED, _CHANGED, _SAME, _KNOWN, _GONE)}
        return Received(
            **counts,
            removed=tuple(self._removed),
            waiting=tuple(self._waiting),
            lowered=tuple(self._lowered),
            opposed=tuple(self._opposed),
            uncompared=self._uncompared,
            rows=self._rows,
            refused=tuple(self._refused),
        )

    def _bury(self, given: "Contents") -> "tuple[dict[str, Row], list[Held]]":
        """Takes the tombstones, and with them the memories that they end.

        Returns all, by id, and the memories that wait because they outlived one.
        """
        exchange = self._store.exchange
        stones, ended = self._stones(given)
        kept = {row[0] for row in stones}
        outlived = [
            self._outlived(ended[row[0]], row)
            for row in given.rows.get("tombstone", ())
            if row[0] in ended and row[0] not in kept
        ]
        self._note_removed(stones, ended)
        for row in stones:
            if row[0] in ended:
                self._left += examples_of(self._store, row[0])
                exchange.remove(row[0])
                self._buried += [] if row[2] else [ended[row[0]]]
        self._put("tombstone", stones)
        if self._buried:
            erasing, remnants = self._store.erasing, _remnants(self._buried)
            erasing.unquote([one.id for one in self._buried])
            erasing.blank_reasons(remnants.quoting(erasing.reasons()))
        graves = {row[0]: row for row in exchange.rows("tombstone")}
        return graves, [one for one in outlived if one.head != ended[one.id].head]

    def _outlived(self, memory: "Held", grave: "Row") -> "Held":
        """A memory that another copy removed and this one keeps; if it was changed, it waits."""
        found = outliving(memory, grave)
        if found is None:
            return memory
        again, row = found
        self._written.append(row)
        self._waiting.append(again.id)
        return again

    def _stones(self, given: "Contents") -> "tuple[list[Row], dict[str, Held]]":
        """The tombstones that are taken, and the memories of this store that they may end."""
        exchange = self._store.exchange
        stones = merged_rows(
            "tombstone", exchange.rows("tombstone"), given.rows.get("tombstone", ())
        )
        ended = {held.id: held for held in exchange.held([row[0] for row in stones])}
        return [row for row in stones if not _outlives(ended.get(row[0]), row)], ended

    def _note_removed(self, stones: "Sequence[Row]", ended: "dict[str, Held]") -> None:
        """Counts what the tombstones end here, with what it says: afterwards nothing tells that."""
        found = [ended[row[0]] for row in stones if row[0] in ended]
        self._removed += [Gone(one.id, one.current.fields.summary) for one in found]
        self._counts[_GONE] += len(found)

    def _unquoted(self, given: "Contents", graves: "dict[str, Row]") -> "Contents":
        """What is given, as far as it quotes nothing that was erased here or there."""
        erased = {id for id, row in graves.items() if not row[2]}
        known = [*self._buried, *(one for one in given.memories if one.id in erased)]
        about = {row[3] for row in given.rows.get("event", ())} & erased
        about |= {one.id for one in known} | quoting(given, erased)
        return without_quotations(given, about, _remnants(known)) if about else given

    def _merging(
        self, given: "Contents", graves: "dict[str, Row]"
    ) -> "Iterator[tuple[Sequence[Held], list[Held]]]":
        """Yields the memories a batch at a time, and what is to be written of each."""
        ids = {one.id for one in given.memories}
        projects = {row[0] for row in self._store.exchange.rows("project")}
        projects |= {row[0] for row in given.rows.get("project", ())} | {GLOBAL.uid}
        for start in range(0, len(given.memories), BATCH):
            batch = given.memories[start : start + BATCH]
            known = {one.id: one for one in self._store.exchange.held([one.id for one in batch])}
            self._said = self._store.entries.said([_hashed(one.current.text) for one in batch])
            made: list[Held] = []
            for one in batch:
                if one.project not in projects:
                    self._refused.append(
                        Refused(one.id, f"its project {one.project!r} is not given")
                    )
                elif one.id in graves and not _outlives(one, graves[one.id]):
                    self._counts[_GONE] += 1
                else:
                    mine = known.get(one.id)
                    its = self._cleaned(one, mine)
                    if one.id in graves:
                        its = self._outlived(its, graves[one.id])
                    made += self._merge(its, mine, ids)
            yield batch, made

    def _merge(self, one: "Held", mine: "Held | None", ids: "set[str]") -> "list[Held]":
        """What is to be written for one memory: itself, merged, or with its twin."""
        if mine is not None:
            both = merged(mine, one)
            every = {version.id for copy in (mine, one) for version in copy.versions}
            self._given_way |= every.difference(version.id for version in both.versions)
            if both == mine:
                self._counts[_SAME] += 1
                return []
            self._counts[_CHANGED] += 1
            head = both.current
            if both.current.text != mine.current.text:
                self._fresh.append(both.id)
            if _weaker(both, mine):
                self._lowered.append(both.id)
            if head.reason == JOINED and head.fields.needs_review and head.id != mine.head:
                self._waiting.append(both.id)
            self._written += written(both, {version.id for version in mine.versions})
            return [both]
        twin = self._twin(one, ids)
        if twin is None:
            self._counts[_ADDED] += 1
            self._fresh.append(one.id)
            return [one]
        self._counts[_KNOWN] += 1
        pair = twins(one, twin)
        for memory in pair:
            self._written += written(
                memory, {version.id for version in (*one.versions, *twin.versions)}
            )
        return list(pair)

    def _twin(self, one: "Held", ids: "set[str]") -> "Held | None":
        """The active memory of this store alone that says the same in the same project."""
        if one.current.fields.state != "active":
            return None
        hash, now = _hashed(one.current.text), self._store.clock()
        if hash not in self._said:
            return None
        found = self._store.entries.saying(hash, (one.project,), now, ("active",))
        if found is None or found.id in ids:
            return None
        return self._store.exchange.held([found.id])[0]

    def _cleaned(self, one: "Held", mine: "Held | None") -> "Held":
        """A memory without secrets, trusted as far as its giver.

        A giver of less trust does not lower that of a text which is here.
        """
        versions = tuple(map(self._redacted, one.versions))
        trust = TRUSTS[min(TRUSTS.index(one.trust), self._most)]
        limited = self._most < len(TRUSTS) - 1
        if limited and mine is not None and mine.current.text == self._text(one.current.text):
            trust = max(trust, mine.trust, key=TRUSTS.index)
        return one.replace(versions=versions, trust=trust, agent=self._name(one.agent))

    def _redacted(self, version: "Version") -> "Version":
        # Names without a text, such as an empty key, would have all of it read as a command.
        texts = {
            name: said
            for name, said in version.fields.raw_dict().items()
            if said and isinstance(said, str | tuple | dict)
        }
        fields, found = redact_fields(texts, self._allow)
        return version.replace(
            text=self._text(version.text),
            fields=version.fields.replace(**fields) if found.findings else version.fields,
            actor=self._name(version.actor),
            reason=self._name(version.reason),
        )

    def _text(self, text: str) -> str:
        return redact(clean(text), self._allow).text

    def _write(self, made: "list[Held]", arrival: "Change") -> None:
        """Writes memories, with the vectors of their texts."""
        if not made:
            return
        # Of a memory that is the twin of several, the last.
        made = list({one.id: one for one in made}.values())
        heads = [one.current for one in made]
        vectors: Sequence[Vector] = [UNREAD] * len(made)
        identity = None
        try:
            vectors = self._embedder.embed([head.text for head in heads])
            identity = self._embedder.identity
        except ModelError:
            pass  # they are found by their words until `index` embeds them
        with self._store.transaction():
            model = None if identity is None else self._store.ensure_model(identity)
            numbers: dict[str, int] = {GLOBAL.uid: 0}
            for one in made:
                if one.project not in numbers:
                    number = self._store.projects.row(one.project)
                    assert number is not None  # noqa: S101 its project was put before
                    numbers[one.project] = number
            self._store.memories.receive(
                [
                    (one, _belief(one), numbers[one.project], vector)
                    for one, vector in zip(made, vectors, strict=True)
                ],
                model,
                arrival,
            )
            if self._store.projects.shared():
                set_apart(self._store)
            self.moved += [one.id for one in made]
            self._compressed += [
                one.id
                for one, head in zip(made, heads, strict=True)
                if head.fields.state == "compressed"
            ]

    def _compare(self, given: "Contents", arrival: "Change") -> None:
        """Lets what came and contradicts a memory of this store alone wait for a person."""
        exchange = self._store.exchange
        theirs = {one.id: one.current.text for one in given.memories}
        known = self._store.entries.named(sorted(exchange.ids() & theirs.keys()), None)
        said_there = {one.id for one in known if _hashed(one.text) == _hashed(theirs[one.id])}
        found, self._uncompared = contradictions(
            self._store,
            self._embedder,
            self._allow,
            self._fresh,
            exchange.ids() - said_there,
        )
        held = {one.id: one for one in exchange.held([id for one in found for id in one.ends])}
        self._flag(found, held, arrival, lambda _: False)

    def compare_copies(self, arrival: "Change", stays: "Callable[[Held], bool]") -> None:
        """Lets what another copy brought, and contradicts what a third or this one said, wait.

        Call after all was taken: what was decided in a copy is known by then. Each copy finds the same
        and writes the same versions. Of a pair of which one `stays` in this copy, that one alone waits:
        why the other one did would tell what the first one says.
        """
        self._uncross(arrival)
        self._release(arrival)
        exchange = self._store.exchange
        there = exchange.ids()
        fresh = [id for id in dict.fromkeys(self._fresh) if id in there]
        if not fresh:
            return
        found, self._uncompared = contradictions(
            self._store, self._embedder, self._allow, fresh, there.difference(fresh)
        )
        held = {one.id: one for one in exchange.held([id for one in found for id in one.ends])}
        # What one copy says was compared there, when it was kept.
        apart = [one for one in found if len({_writer(held[id]) for id in one.ends}) > 1]
        self._flag(apart, held, arrival, stays)
        if apart:
            with self._store.transaction():
                self._put_rest(Contents((), {}))

    def _uncross(self, arrival: "Change") -> None:
        """Lets memories hold again that replaced each other, each in another copy, once all was taken."""
        if not (self.moved or self._rows.get("relation")):
            return
        made: list[Held] = []
        changed: list[Row] = []
        with self._store.reading():
            relations = self._store.exchange.rows("relation")
            for ring in rings(relations):
                if not is_replaced(ring, relations):
                    found = uncrossed(self._store.exchange.held(sorted(ring)), relations)
                    made += found[0]
                    self._written += found[1]
                    changed += found[2]
        if not made:
            return
        self._waiting += [one.id for one in made if one.id not in self._waiting]
        self._write(made, arrival)
        with self._store.transaction():
            self._put("relation", changed)
            self._put_rest(Contents((), {}))

    def _release(self, arrival: "Change") -> None:
        """Lets examples hold again whose pattern neither copy has in force, once all was taken.

        It may have been ended in one copy while the other one changed them, or not have come along.
        """
        with self._store.reading():
            moved, relations = {*self.moved}, self._store.exchange.rows("relation")
            below = (row[0] for row in relations if row[2] == "example_of" and row[1] in moved)
            every = dict.fromkeys((*self._compressed, *self._left, *below))
            ids = [id for id in every if is_found_by_nothing(self._store, id)]
            found = [released(one) for one in self._store.exchange.held(ids)]
        if not found:
            return
        self._written += [row for _, row in found]
        self._write([one for one, _ in found], arrival)
        with self._store.transaction():
            self._put_rest(Contents((), {}))

    def _flag(
        self,
        found: "Sequence[Contradiction]",
        held: "dict[str, Held]",
        arrival: "Change",
        stays: "Callable[[Held], bool]",
    ) -> None:
        """Lets both of each pair wait; of one that `stays` and one that does not, the first alone."""
        waiting: dict[str, Held] = {}
        relations: list[Row] = []
        for one in found:
            older, newer = (held[id] for id in one.ends)
            flagged, audit, relation = opposed(older, newer, one.reason)
            if stays(older) != stays(newer):
                flagged = [memory for memory in flagged if stays(memory)]
                ids = {memory.id for memory in flagged}
                audit = [row for row in audit if row[3] in ids]
            held |= {memory.id: memory for memory in flagged}
            waiting |= {memory.id: memory for memory in flagged}
            self._written += audit
            relations.append(relation)
            self._opposed |= dict.fromkeys(reversed(one.ends))
        every = list(waiting.values())
        for start in range(0, len(every), BATCH):
            self._write(every[start : start + BATCH], arrival)
        with self._store.transaction():
            self._put("relation", relations)

    def _put_rest(self, given: "Contents") -> None:
        """Takes what refers to memories, and the audit of both copies. Inside a transaction."""
        exchange = self._store.exchange
        # What was pruned has its reason; what was erased has none.
        ids, erased = exchange.ids(), {row[0] for row in exchange.rows("tombstone") if not row[2]}
        projects = {row[0] for row in exchange.rows("project")} | {GLOBAL.uid}
        for sort in SORTS:
            rows = given.rows.get(sort, ())
            if sort in (*BEFORE_MEMORIES, "tombstone", "event"):
                continue
            if sort == "relation":
                rows = [
                    row for row in rows if row[0] in ids and (row[1] in ids or FILE in row[1][:5])
                ]
            elif sort in ("foreign_file", "foreign_name"):
                rows = [row for row in rows if row[0] in projects]
            self._put(sort, rows)
        if not (given.rows.get("event") or self._written or self._buried or self._given_way):
            return
        mine = exchange.rows("event")
        events = given.rows.get("event", ())
        # What follows from both copies may have been written in the other one before.
        known = {row[1] for row in events}
        written = [row for row in self._written if row[1] not in known]
        theirs = [self._told(row) for row in (*events, *written)]
        every = merged_events(
            [_bare(row) if row[3] in erased else row for row in mine],
            [_bare(row) if row[3] in erased else row for row in theirs],
        )
        # Which copies were joined on the way to this store is not told: another way leads to it, too.
        every = [
            row
            for row in every
            if row[1] not in self._given_way and (row[3] in ids or row[2:5:2] != (MERGED, MERGER))
        ]
        if every != mine:
            kept = common(mine, every)
            exchange.put_events(every, kept)
            if len(every) > len(mine):
                self._rows["event"] = len(every) - len(mine)

    def _told(self, row: "Row") -> "Row":
        """A row of the audit without secrets."""
        return (*row[:4], self._text(row[4]), self._text(row[5]), *row[6:])

    def _put(self, sort: str, given: "Sequence[Row]") -> None:
        """Takes the rows of a sort that are new or win. Inside a transaction."""
        exchange = self._store.exchange
        wins = merged_rows(sort, exchange.rows(sort), given)
        if wins:
            exchange.put(sort, wins)
            self._rows[sort] = len(wins)


def _writer(memory: "Held") -> str:
    """The copy that wrote the text that a memory has now."""
    text = memory.current.text
    return replica_of(min(one.hlc for one in memory.versions if one.text == text))


def _outlives(one: "Held | None", grave: "Row") -> bool:
    """Whether a copy used or changed a memory later than was known where it was pruned.

    What was erased is gone.
    """
    _, until, reason, _ = grave
    return one is not None and bool(reason) and max(last_touch(one)) > until


def _weaker(both: "Held", mine: "Held") -> bool:
    """Whether a memory of this store counts for less than before, once it was merged."""
    now, before = both.current.fields, mine.current.fields
    if before.state != "active" or (now.state == MERGED and both.current.actor == MERGER):
        return False  # another one says the same, and has what it had
    return (
        TRUSTS.index(both.trust) < TRUSTS.index(mine.trust)
        or before.pinned > now.pinned
        or now.state != "active"
    )


def _remnants(memories: "Iterable[Held]") -> Remnants:
    return Remnants([version.text for one in memories for version in one.versions])


def _bare(row: "Row") -> "Row":
    """A row of the audit of an erased memory: why something was done may quote it."""
    return (*row[:5], "", *row[6:])


def _belief(one: "Held") -> Belief:
    """The current version of a memory, as the store writes a new one."""
    head = one.current
    return Belief(
        text=head.text,
        hash=_hashed(head.text),
        fields=head.fields,
        importance=one.importance,
        origin=one.origin,
        source=one.source,
        trust=one.trust,
        session=one.session,
        actor=one.agent,
        half_life=one.half_life,
        tainted=one.tainted,
        decay_rate=one.decay_rate,
        occurred=one.said,
    )
