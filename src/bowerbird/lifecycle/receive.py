"""Takes the contents of another copy of a store: each memory is merged with the one known by its id.

`copies` has the rules, which give the same store whichever of two is taken into the other, and change
nothing the second time. A text that two memories say, each known to one copy alone, is one memory
afterwards. What was erased in either copy is erased in both; what was pruned in one is forgotten in both,
unless the other one used or changed it later than the first one knew: then it waits if it was changed.
"""

from collections import Counter
from functools import lru_cache, partial

from bowerbird.core.errors import ModelError
from bowerbird.core.exchange import BEFORE_MEMORIES, SORTS, Contents, Received, Refused
from bowerbird.core.history import Gone
from bowerbird.core.ids import made_at
from bowerbird.core.memories import Belief
from bowerbird.core.normal import normal_hash
from bowerbird.core.origins import START_CONFIDENCE
from bowerbird.core.relations import FILE
from bowerbird.core.text import clean
from bowerbird.core.types import BELOW, FORGOTTEN, GLOBAL, TRUSTS, UNREAD
from bowerbird.guard.redact import redact, redact_fields
from bowerbird.lifecycle.apart import set_apart
from bowerbird.lifecycle.conclusions import (
    COMPARED,
    CONTRADICTED,
    acted_on,
    contradiction,
    decided,
    let_go,
    of_one_text,
    opposed,
    parts_copies,
    premise,
    released,
    rings,
    said_by_copies,
    told,
    uncrossed,
    undone_patterns,
    writer,
)
from bowerbird.lifecycle.copies import (
    ERASED_TEXT,
    MERGED,
    MERGER,
    common,
    erased_text,
    is_concluded,
    merged,
    merged_events,
    merged_rows,
    outlives,
    removed,
    written,
)
from bowerbird.lifecycle.erase import taken_back
from bowerbird.lifecycle.opposing import near
from bowerbird.lifecycle.remnants import Remnants
from bowerbird.lifecycle.restate import RELEASED, is_found_by_nothing
from bowerbird.lifecycle.unquote import quoting, without_quotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

    from bowerbird.core.exchange import Held, Row
    from bowerbird.core.history import Change, Version
    from bowerbird.core.ports.models import Embedder
    from bowerbird.core.ports.progress import Progress
    from bowerbird.core.ports.store import Store
    from bowerbird.core.types import Vector
    from bowerbird.guard.redact import Allow

# Memories in one transaction: about a third of a second, while other writers wait.
BATCH = 200
_NAMES = 1_024
# A text is asked for its normal form a few times while its batch is taken.
_hashed = lru_cache(4 * BATCH)(normal_hash)
# Each memory of what is taken, by what became of it.
_ADDED, _CHANGED, _SAME, _KNOWN, _GONE = "added", "changed", "same", "known", "gone"


# What this store alone knew, and what the one source alone did that was given.
_HERE, _THERE = "here", "there"
# What comes with less trust is what others wrote.
_OWN = TRUSTS.index("normal")


class Receiving:
    """Takes the contents of other stores into one."""

    def __init__(
        self,
        store: "Store",
        embedder: "Embedder",
        allow: "Allow",
        most_trust: str = "full",
    ) -> None:
        """Memories get at most `most_trust`."""
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
        # The ids of versions that came, or were here, and may have given way to others.
        self._versions: set[str] = set()
        # What memories of this store alone say of what a batch says, by their projects.
        self._said: set[tuple[str, bytes]] = set()
        # The memories of this store that were erased or pruned elsewhere.
        self._removed: list[Gone] = []
        # Those that gained something from one that was erased, without it.
        self._bared: list[Held] = []
        # Those that were erased, as they were.
        self._buried: list[Held] = []
        # What the memories of each source say that was given.
        self._given: list[dict[str, tuple[object, ...]]] = []
        # How often a memory of this store was merged, and by how many sources it was given as it is here.
        self._merged: Counter[str] = Counter()
        self._in_both: Counter[str] = Counter()
        # New or changed memories as they were before.
        self._before: dict[str, Held | None] = {}
        # What else conclusions may be about: examples of patterns that went, ends of relations that came.
        self._tied: list[str] = []
        self._opposed: dict[str, None] = {}
        self._uncompared = 0
        # Those that this store holds just as they were given, once they are written.
        self._as_given: set[str] = set()
        # The ids of new or changed memories.
        self.moved: list[str] = []
        # The marks (`Exchange.marks`) of memories that were written just as they were given.
        self.marks: dict[str, str] = {}

    def run(
        self, given: "Contents", arrival: "Change", progress: "Progress | None" = None
    ) -> Received:
        """Takes everything, in batches: a kill leaves each memory in its old or its new state.

        Once all that is to be taken was, call `conclude`. The audit says of each memory that was new
        or changed that it came so, by `arrival`.
        """
        given = self._with_what_says_it(given)
        with self._store.transaction():
            for sort in BEFORE_MEMORIES:
                self._put(sort, given.rows.get(sort, ()))
        with self._store.transaction():
            graves = self._bury(given)
        there = {one.id: one for one in self._store.exchange.held([one.id for one in self._bared])}
        self._write([one for one in self._bared if there.get(one.id, one) != one], arrival)
        self._bared.clear()
        given = self._unquoted(given, graves)
        if progress is not None:
            progress.start("merging", len(given.memories))
        for held, made in self._merging(given, graves):
            self._write(made, arrival)
            if progress is not None:
                progress.advance(len(held))
        with self._store.transaction():
            self._put_rest(given)
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
            given = self._with_what_says_it(given)
            mine = self._store.exchange.rows("tombstone")
            stones, ended, pruned = self._stones(given)
            self._note_removed(ended)
            graves = {row[0]: row for row in (*mine, *stones)}
            for _, made in self._merging(given, graves):
                for one in made:
                    if was := self._before[one.id]:
                        self._note(was, one)
            for one in pruned:
                if one.id not in self._before and (now := removed(one, graves[one.id])):
                    self._note(one, now)
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

    def _with_what_says_it(self, given: "Contents") -> "Contents":
        """What is given, with the tombstones of whatever says what was erased here or there.

        That are the patterns of an erased memory, and other memories that began with its text
        before it was erased: one copy did not know the one, or the other one not that.
        """
        exchange, rows = self._store.exchange, given.rows
        stones = [*exchange.rows("tombstone"), *rows.get("tombstone", ())]
        erased = {
            id: at for at, id in sorted((at, id) for id, at, reason, _ in stones if not reason)
        }
        if not erased:
            return given
        links = [
            row
            for row in (*exchange.rows("relation"), *rows.get("relation", ()))
            if row[2] == "example_of" and row[6]
        ]
        known = [*exchange.held([*erased]), *(one for one in given.memories if one.id in erased)]
        said = {id: at for id, at in sorted(erased.items()) if id.startswith(ERASED_TEXT)}
        began = [
            (one.id, one.project, first.text, first.created)
            for one in given.memories
            if said and (first := one.versions[0])
        ]
        if said.keys() - {row[0] for row in exchange.rows("tombstone")}:
            began += exchange.births()
        new = {
            id
            for id, project, text, at in began
            if at <= said.get(erased_text(project, _hashed(text)), -1)
        } - erased.keys()
        while (
            more := {row[1] for row in links if row[0] in erased or row[0] in new}
            - new
            - erased.keys()
        ):
            new |= more
        given = self._without_gained(given, known)
        if not new:
            return given
        made = [(id, made_at(id), "", f"{made_at(id):013d}-0000-{MERGER}") for id in sorted(new)]
        return given.replace(rows={**rows, "tombstone": [*rows.get("tombstone", ()), *made]})

    def _without_gained(self, given: "Contents", erased: "Sequence[Held]") -> "Contents":
        """What is given, without what memories gained from erased ones that were merged into them.

        Notes those of this store that are to be written without it.
        """
        rows = (*self._store.exchange.rows("relation"), *given.rows.get("relation", ()))
        merged = {
            one.id: one
            for one in erased
            if any(version.fields.state == MERGED for version in one.versions)
        }
        into = {(row[0], row[1]) for row in rows if row[2] == "supersedes" and row[1] in merged}
        if not into:
            return given
        its = {one.id: one for one in given.memories}
        mine = {one.id: one for one in self._store.exchange.held([id for id, _ in into])}
        for copies in (its, mine):
            for id, gone in sorted(into):
                if id in copies:
                    copies[id] = taken_back(copies[id], merged[gone])
        self._bared += mine.values()
        return given.replace(memories=[*its.values()])

    def _bury(self, given: "Contents") -> "dict[str, Row]":
        """Takes the tombstones, and with them the memories that were erased; returns all, by id."""
        exchange = self._store.exchange
        stones, ended, pruned = self._stones(given)
        self._note_removed(ended)
        gone = {one.id for one in ended}
        # What was concluded about what these are linked with may not hold without them.
        links = [row[:2] for row in exchange.rows("relation")] if gone else []
        tied = {id for ends in links if gone.intersection(ends) for id in ends} - gone
        self._tied += (id for id in tied if not id.startswith(FILE))
        for id in gone:
            exchange.remove(id)
        self._put("tombstone", stones)
        graves = {row[0]: row for row in exchange.rows("tombstone")}
        self._buried += ended
        if ended:
            erasing, remnants = self._store.erasing, _remnants(self._buried)
            erasing.unquote([one.id for one in self._buried])
            erasing.blank_reasons(remnants.quoting(erasing.reasons()))
        self._tied += [one.id for one in pruned]
        return graves

    def _stones(self, given: "Contents") -> "tuple[list[Row], list[Held], list[Held]]":
        """The tombstones that are taken, and which memories were erased and pruned by them."""
        exchange = self._store.exchange
        stones = merged_rows(
            "tombstone", exchange.rows("tombstone"), given.rows.get("tombstone", ())
        )
        graves = {row[0]: row for row in stones}
        held = exchange.held([*graves])
        pruned = [one for one in held if graves[one.id][2]]
        return stones, [one for one in held if not graves[one.id][2]], pruned

    def _note_removed(self, ended: "Sequence[Held]") -> None:
        """Counts what tombstones end here, with what it says: afterwards nothing tells that."""
        self._removed += [Gone(one.id, one.current.fields.summary) for one in ended]
        self._counts[_GONE] += len(ended)

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
        said: dict[str, tuple[object, ...]] = {}
        self._given.append(said)
        projects = {row[0] for row in self._store.exchange.rows("project")}
        projects |= {row[0] for row in given.rows.get("project", ())} | {GLOBAL.uid}
        for start in range(0, len(given.memories), BATCH):
            batch = given.memories[start : start + BATCH]
            known = {one.id: one for one in self._store.exchange.held([one.id for one in batch])}
            hashes = [_hashed(one.current.text) for one in batch if one.id not in known]
            found = self._store.entries.named(self._store.exchange.saying(hashes), None)
            self._said = {
                (one.project, _hashed(one.text))
                for one in found
                if one.state == "active" and one.id not in ids
            }
            made: list[Held] = []
            for one in batch:
                if one.project not in projects:
                    self._refused.append(
                        Refused(one.id, f"its project {one.project!r} is not given")
                    )
                elif one.id in graves and not graves[one.id][2]:
                    self._counts[_GONE] += 1
                else:
                    mine = known.get(one.id)
                    cleaned = self._cleaned(one, mine)
                    said[one.id] = _says(cleaned)
                    made += self._merge(one, cleaned, mine, graves.get(one.id))
            yield batch, made

    def _merge(
        self, given: "Held", one: "Held", mine: "Held | None", grave: "Row | None"
    ) -> "list[Held]":
        """What is to be written for one memory as it was given and cleaned: itself, or merged."""
        both = one if mine is None else merged(mine, one)
        both = (grave and removed(both, grave)) or both
        every = (*one.versions, *both.versions, *(mine.versions if mine else ()))
        self._versions |= {version.id for version in every if is_concluded(version)}
        if mine is not None and _says(one) == _says(mine):
            self._in_both[one.id] += 1
        if both == mine:
            self._counts[_SAME] += 1
            return []
        (self._as_given.add if both == given else self._as_given.discard)(one.id)
        if mine is None:
            head = one.current
            known = (one.project, _hashed(head.text)) in self._said
            new = _KNOWN if known and head.fields.state == "active" else _ADDED
            self._counts[_GONE if grave and not outlives(one, grave) else new] += 1
        else:
            self._counts[_CHANGED] += 1
            self._merged[one.id] += 1
        self._before.setdefault(one.id, mine)
        return [both]

    def _cleaned(self, one: "Held", mine: "Held | None") -> "Held":
        """A memory without secrets, trusted as far as its giver.

        A giver of less trust does not lower that of a text which is here.
        """
        known = {version.id: version for version in mine.versions} if mine else {}
        # What is here word for word came in without secrets.
        versions = tuple(
            version if known.get(version.id) == version else self._redacted(version)
            for version in one.versions
        )
        if self._most < _OWN:
            versions = tuple(
                known.get(version.id) or _of_others(version, known.values()) for version in versions
            )
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
            # Taken here, as another process may change them as soon as it can.
            ids = {one.id for one in made}
            self.marks |= self._store.exchange.marks([*ids & self._as_given])
            self._as_given -= ids
            if self._store.projects.shared():
                set_apart(self._store)
            self.moved += [one.id for one in made]

    def conclude(
        self, arrival: "Change", stays: "Callable[[Held], bool]" = lambda _: False
    ) -> None:
        """Draws what follows from all that was taken and was here. Call once all was taken.

        Of two memories that contradict each other, of which one `stays` in this copy, that one alone
        waits: why the other one did would tell what the first one says.
        """
        about = {*self.moved, *self._tied}
        drawn: dict[tuple[str, str], Row] = {}
        while about:
            about = self._concluded(about, drawn, arrival, stays)
        self._account()
        if self._versions:
            with self._store.transaction():
                self._put_rest(Contents((), {}))

    def _concluded(
        self,
        about: "set[str]",
        drawn: "dict[tuple[str, str], Row]",
        arrival: "Change",
        stays: "Callable[[Held], bool]",
    ) -> set[str]:
        """Concludes about some memories; returns them and others if something links them.

        To `drawn` the relations are added that were concluded before: each time they are taken back.
        """
        exchange = self._store.exchange
        with self._store.reading():
            rows = exchange.rows("relation")
            stood = self._together(about, rows)
            graves = exchange.rows("tombstone")
        self._remember(stood.values())
        acted = acted_on(stood.values())
        links = {_ends(row): row for row in said_by_copies(rows, stood, acted)}
        now = {id: premise(one, acted) for id, one in stood.items()}
        drawn |= {(min(row[:2]), max(row[:2])): row for row in rows if decided(row)}
        # Which may contradict each other.
        pairs = {pair for pair in drawn if {*pair} <= now.keys()}

        apart = partial(self._apart, drawn)
        links = self._end_and_uncross(now, links, graves)
        left = self._link(rows, links)
        self._rewrite(stood, now, arrival)
        stood = {**now}
        with self._store.reading():
            below = [id for id, one in now.items() if one.current.fields.state == BELOW]
            for id in [id for id in below if is_found_by_nothing(self._store, id)]:
                self._draw(now, released(now[id]), RELEASED)
        for group in _by_text(now.values()):
            for kept, goes, row in of_one_text(group, apart):
                self._draw(now, kept, MERGED)
                self._draw(now, goes, MERGED)
                links.setdefault(_ends(row), row)
        self._rewrite(stood, now, arrival)
        others = self._near(now, pairs)
        tied = {id for row in left if decided(row) for id in row[:2]}
        if more := {one.id for one in others if one.id in tied and self._opposes(one, now, pairs)}:
            return {*now, *more}
        now |= {one.id: one for one in others}
        stood = {**now}
        known = {frozenset(row[:2]) for row in links.values() if row[2] in COMPARED}
        for pair in sorted(pairs):
            if frozenset(pair) not in known and {*pair} <= now.keys():
                older, newer = sorted((now[id] for id in pair), key=_told_first)
                link = self._oppose(now, older, newer, stays) if apart(older, newer) else None
                if link is not None:
                    links[_ends(link)] = link
                    if drawn.get(pair) != link:
                        self._opposed |= dict.fromkeys((newer.id, older.id))
        self._link(left, links)
        self._rewrite(stood, now, arrival)
        return set()

    def _remember(self, stood: "Iterable[Held]") -> None:
        """Notes memories as they are before something is concluded about them."""
        for one in stood:
            self._before.setdefault(one.id, one)
            self._versions |= {known.id for known in one.versions if is_concluded(known)}

    def _apart(self, drawn: "Container[tuple[str, str]]", one: "Held", other: "Held") -> bool:
        """Whether no copy knew both when they were written: else it compared them itself.

        Nor did this store before, or one that was given, have both as they are now.
        """
        if (min(one.id, other.id), max(one.id, other.id)) in drawn:
            return True
        before = {id: _says(was) for id in (one.id, other.id) if (was := self._before.get(id))}
        for said in (before, *self._given):
            if all(said.get(each.id) == _says(each) for each in (one, other)):
                return False
        known = [
            (bool(self._before.get(id)), any(id in said for said in self._given))
            for id in (one.id, other.id)
        ]
        return writer(one) != writer(other) or known[0] != known[1]

    def _end_and_uncross(
        self, now: "dict[str, Held]", links: "dict[Row, Row]", graves: "Sequence[Row]"
    ) -> "dict[Row, Row]":
        """Forgets what was removed elsewhere, ends what patterns say no more, and opens rings.

        Returns the relations.
        """
        for row in graves:
            pruned = removed(now[row[0]], row) if row[0] in now and row[2] else None
            if pruned is not None:
                self._draw(now, pruned, MERGED)
        for pattern in [*undone_patterns(now, links.values())]:
            self._draw(now, pattern, FORGOTTEN)
        for one in [*let_go(now, links.values())]:
            self._draw(now, one, MERGED)
        for ring in rings(links.values()):
            if ring <= now.keys():
                again, changed = uncrossed([now[id] for id in sorted(ring)], links.values())
                for one in again:
                    self._draw(now, one, MERGED)
                withdrawn = {_ends(row): row for row in changed if not row[6]}
                links = {_ends(row): row for row in changed} | links | withdrawn
        return links

    def _near(self, now: "Mapping[str, Held]", pairs: "set[tuple[str, str]]") -> "list[Held]":
        """Adds the pairs that no copy knew together and are near, and returns what is not in `now`."""
        exchange = self._store.exchange
        fresh = {id: one for id, one in now.items() if _said_anew(one, self._before[id])}
        with self._store.reading():
            if fresh:
                sides = self._sides(fresh)
                found, self._uncompared = near(self._store, self._embedder, sides)
                pairs |= found
            others = exchange.held(sorted({id for pair in pairs for id in pair} - now.keys()))
        self._remember(others)
        return others

    def _sides(self, fresh: "Mapping[str, Held]") -> "dict[str, str]":
        """Which copy alone knew each memory as it is, by `opposing.near`; `fresh` are new here."""
        in_all = {id for id, times in self._in_both.items() if times == len(self._given)}
        sides = dict.fromkeys(self._store.exchange.ids() - fresh.keys() - in_all, _HERE)
        for id, one in fresh.items():
            if not any(said.get(id) == _says(one) for said in self._given):
                sides[id] = id
            else:  # one source knew together what it gave; of several, each knew what it wrote
                sides[id] = _THERE if len(self._given) == 1 else writer(one)
        return sides

    def _oppose(
        self, now: "dict[str, Held]", older: "Held", newer: "Held", stays: "Callable[[Held], bool]"
    ) -> "Row | None":
        """Lets two memories wait if they contradict each other; returns their relation."""
        reason = contradiction(older, newer, self._allow)
        if not reason:
            return None
        waiting, row = opposed(older, newer, reason)
        if stays(older) != stays(newer):
            waiting = [one for one in waiting if stays(one)]
        for one in waiting:
            self._draw(now, one, CONTRADICTED)
        return row

    def _opposes(
        self, one: "Held", now: "Mapping[str, Held]", pairs: "set[tuple[str, str]]"
    ) -> bool:
        """Whether a memory contradicts one of some with which it may."""
        others = {id for pair in pairs if one.id in pair for id in pair} & now.keys()
        each = (sorted((one, now[id]), key=_told_first) for id in others)
        return any(contradiction(older, newer, self._allow) for older, newer in each)

    def _together(self, about: "set[str]", relations: "Sequence[Row]") -> "dict[str, Held]":
        """Memories with all those on which what is concluded about them depends."""
        ties: dict[str, set[str]] = {}
        for row in relations:
            if decided(row) or row[2] in ("example_of", "supersedes"):
                ties.setdefault(row[0], set()).add(row[1])
                ties.setdefault(row[1], set()).add(row[0])
        seen: set[str] = set()
        held: dict[str, Held] = {}
        left = about
        while left:
            new: set[str] = set()
            while left:
                new |= left
                left = {id for one in left for id in ties.get(one, ())} - new - seen
            seen |= new
            held |= {one.id: one for one in self._store.exchange.held(sorted(new))}
            acted = acted_on(held.values())
            texts = {one.current.text for one in (premise(one, acted) for one in held.values())}
            left = {*self._store.exchange.saying([_hashed(text) for text in texts])} - seen
            for ring in rings(said_by_copies(relations, held, acted)):
                left |= (ring - seen) if ring & held.keys() else set()
        return held

    def _draw(self, now: "dict[str, Held]", one: "Held", action: str) -> None:
        """Takes a memory with the version that was concluded, and its audit."""
        now[one.id] = one
        self._versions.add(one.head)
        self._written.append(told(one, action))

    def _link(self, stood: "Sequence[Row]", links: "Mapping[Row, Row]") -> "list[Row]":
        """Makes these the relations, and returns them."""
        before = {_ends(row): row for row in stood}
        put = [row for ends, row in links.items() if before.get(ends) != row]
        gone = [ends for ends in before if ends not in links]
        if put or gone:
            with self._store.transaction():
                self._store.exchange.put("relation", put)
                self._store.exchange.drop_relations(gone)
        return [*links.values()]

    def _rewrite(
        self, stood: "Mapping[str, Held]", now: "Mapping[str, Held]", arrival: "Change"
    ) -> None:
        """Writes memories as they are now where they stood otherwise."""
        made = [one for id, one in now.items() if stood[id] != one]
        for start in range(0, len(made), BATCH):
            self._write(made[start : start + BATCH], arrival)

    def _account(self) -> None:
        """Tells what became of memories that were here before."""
        before = {id: one for id, one in self._before.items() if one is not None}
        for one in self._store.exchange.held([*before]):
            was = before[one.id]
            if one == was:
                self._counts[_CHANGED] -= self._merged[one.id]
                self._counts[_SAME] += self._merged[one.id]
                continue
            self._written += written(one, {version.id for version in was.versions})
            self._note(was, one)
        self._before.clear()

    def _note(self, was: "Held", now: "Held") -> None:
        """Notes whether a memory counts for less than before, or waits for a person."""
        known = {version.id for version in was.versions}
        if _weaker(now, was):
            self._lowered.append(now.id)
        if now.current.fields.needs_review and any(
            version.id not in known and version.fields.needs_review and parts_copies(version)
            for version in now.versions
        ):
            self._waiting.append(now.id)

    def _put_rest(self, given: "Contents") -> None:
        """Takes what refers to memories, and the audit of both copies. Inside a transaction."""
        exchange = self._store.exchange
        # What was pruned has its reason; what was erased has none.
        erased = {row[0] for row in exchange.rows("tombstone") if not row[2]}
        projects = {row[0] for row in exchange.rows("project")} | {GLOBAL.uid}
        for sort in SORTS:
            rows = given.rows.get(sort, ())
            if sort in (*BEFORE_MEMORIES, "tombstone", "event"):
                continue
            if sort == "relation" and rows:
                ids = exchange.ids()
                rows = [
                    row for row in rows if row[0] in ids and (row[1] in ids or FILE in row[1][:5])
                ]
            elif sort in ("foreign_file", "foreign_name"):
                rows = [row for row in rows if row[0] in projects]
            self._put(sort, rows)
        given_way = self._versions - exchange.versions(self._versions)
        if not (given.rows.get("event") or self._written or self._buried or given_way):
            return
        mine, ids = exchange.rows("event"), exchange.ids()
        events = given.rows.get("event", ())
        # What follows from both copies may have been written in the other one before.
        known = {row[1] for row in events}
        # What was concluded, taken back and concluded again is told once.
        written = [row for row in dict.fromkeys(self._written) if row[1] not in known]
        theirs = [self._told(row) for row in (*events, *written)]
        every = merged_events(
            [_bare(row) if row[3] in erased else row for row in mine],
            [_bare(row) if row[3] in erased else row for row in theirs],
        )
        # What was concluded on the way to this store is not told: another way leads to it, too.
        every = [
            row for row in every if row[4] != MERGER or (row[3] in ids and row[1] not in given_way)
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
        if not given:
            return
        exchange = self._store.exchange
        wins = merged_rows(sort, exchange.rows(sort), given)
        if wins:
            exchange.put(sort, wins)
            self._rows[sort] = len(wins)
        if sort == "relation":
            self._tied += [id for row in wins for id in row[:2] if not id.startswith(FILE)]


def _ends(row: "Row") -> "Row":
    """What identifies a relation."""
    return row[:3]


def _told_first(memory: "Held") -> tuple[int, str]:
    return memory.said, memory.id


def _by_text(memories: "Iterable[Held]") -> "list[list[Held]]":
    """Memories in force that say the same in one project."""
    found: dict[tuple[str, bytes], list[Held]] = {}
    for one in memories:
        if one.current.fields.state == "active":
            found.setdefault((one.project, _hashed(one.current.text)), []).append(one)
    return [group for _, group in sorted(found.items()) if len(group) > 1]


def _said_anew(one: "Held", before: "Held | None") -> bool:
    """Whether a memory says something that it did not, or holds again."""
    return before is None or _says(one) != _says(before)


def _says(one: "Held") -> tuple[object, ...]:
    """What a memory says, of what, and while it holds."""
    now = one.current
    return now.text, now.fields.state, now.fields.kind, now.fields.valid_to


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


def _of_others(version: "Version", known: "Iterable[Version]") -> "Version":
    """A version of others: neither pinned, verified nor surer than an import, unless its text is so."""
    fields = version.fields
    own = [one.fields for one in known if one.text == version.text]
    fields = fields.replace(
        pinned=fields.pinned and any(one.pinned for one in own),
        verified=fields.verified and any(one.verified for one in own),
        confidence=min(
            fields.confidence, max([START_CONFIDENCE["import"], *(one.confidence for one in own)])
        ),
    )
    return version.replace(fields=fields)


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
