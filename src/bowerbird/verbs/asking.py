"""Wires the verbs that read: queries, context for a task, lookups by id or filter, and usage records."""

import os
from itertools import islice

from bowerbird.core.answers import NOTHING_THEN, UNDIGESTED
from bowerbird.core.clock import within
from bowerbird.core.errors import BadInput, ModelError, StoreMissing
from bowerbird.core.query import ORDERS, Filter, Query, question
from bowerbird.core.types import MEMORY
from bowerbird.core.value import Do, Note
from bowerbird.wiring.acting import Verbs
from bowerbird.wiring.reach import allowed

# At most this many changed files are indexed before a query; the next ones take in the rest.
MOST_AT_SEARCH = 100
# Sessions without a digest that an answer names, and the characters of what each was asked.
_MOST_NAMED = 8
_LONGEST_NAME = 120

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from bowerbird.core.answers import Entries, Hits
    from bowerbird.core.narrow import Narrowing
    from bowerbird.core.packs import Item, Pack
    from bowerbird.core.phases import Phase
    from bowerbird.core.ports.store import Store
    from bowerbird.core.roles import Role
    from bowerbird.core.sessions import Timeline
    from bowerbird.core.trace import Trace
    from bowerbird.core.types import Entry
    from bowerbird.retrieval.lookup import Lookup
    from bowerbird.retrieval.pipeline import Retrieval


def _then(store: "Store", moment: int, projects: "Sequence[str] | None", *, held: bool) -> Note:
    """That an answer is of another day; or that nothing is known of that day yet."""
    from time import localtime  # start-up: only questions about another day need it

    from bowerbird.core.clock import day

    with store.reading():
        begins = store.overview.begins(projects)
    if begins is not None and moment < begins and not held:
        first = day(begins, localtime)
        return Note("then", f"the memories here begin on {first}: nothing is known of before")
    return Note("then", f"this is what held on {day(moment, localtime)}")


def _remark_time(hits: "Hits", store: "Store", filter: "Filter", gone: "Iterable[Note]") -> None:
    """Says of an answer that it is of another day, or that some hits hold from a later day only."""
    if filter.as_of is not None:
        note = _then(store, filter.as_of, filter.projects, held=bool(filter.then.here))
        for one in (note, *gone):
            hits.trace.remark("as_of", one)
    elif plans := _plans(hits, filter.now):
        hits.trace.remark("coming", Note("coming", plans))


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_NAME else f"{line[: _LONGEST_NAME - 1]}…"


def _plans(hits: "Hits", now: int | None) -> str:
    """That some hits do not hold yet, and from when on; empty if all do."""
    begins = [
        hit.entry.valid_from
        for hit in hits
        if now is not None and hit.entry.valid_from is not None and hit.entry.valid_from > now
    ]
    if not begins:
        return ""
    from time import localtime  # start-up: few answers hold a plan

    from bowerbird.core.clock import day

    first = day(min(begins), localtime)
    if len(begins) == 1:
        return f"one of these is still to come: it holds from {first}"
    return f"{len(begins)} of these are still to come: the first holds from {first}"


class Asking(Verbs):
    """The verbs that read."""

    def query(self, query: "Query") -> "Hits":
        """Answers a query after indexing changed files; its hits count as handed to the caller."""
        self._refresh()
        hits = self.answer(query)
        self._acting.hand([one for hit in hits for one in hit.trusts], hits.trace)
        return hits

    @property
    def least_trust(self) -> str:
        """The least trust of what a search returns if nothing is said of it."""
        return self._acting.least_trust

    @property
    def confined(self) -> bool:
        """Whether the caller sees no other project."""
        return self._reach.confined

    def _refresh(self) -> None:
        """Indexes changed files before a query on this machine, if `index.at_search` is on."""
        who = self._acting.who
        if self._config["index.at_search"] == "on" and who.local and who.may_write:
            from bowerbird.verbs.indexing import Indexing

            here = self._config, self._opened, self._reach, self._acting
            Indexing(*here).refresh(most=MOST_AT_SEARCH)

    def answer(self, query: "Query") -> "Hits":
        """Answers a query. Without a store the answer is empty and says so."""
        from bowerbird.retrieval.pipeline import Retrieval
        from bowerbird.retrieval.present import AS_RANKED
        from bowerbird.retrieval.undamaged import nothing_yet

        try:
            store = self._opened.reader()
        except StoreMissing as missing:
            return nothing_yet(query, missing)
        moment = query.filter.as_of
        if moment is not None:
            store = store.as_of(moment, self._opened.embedder)
        if not query.fast:
            self._opened.ask_ahead(query.text)
        retrieval = Retrieval(
            store,
            self._opened.embedder,
            self._opened.contextual,
            is_word=self._opened.is_word,
            reranker=self._opened.reranker() or AS_RANKED,
        )
        kept = self._opened.results()
        hits = retrieval.answer(query) if kept is None else kept.answer(query, store, retrieval)
        if query.expand:
            hits = self._widened(query.replace(expand=False), hits, retrieval)
        if moment is None and any(hit.entry.anchors for hit in hits):
            from bowerbird.verbs.anchors import with_anchors_checked

            ordered = query.sort != "recency" and "life" not in query.without
            hits = with_anchors_checked(hits, store, self._reach, ordered=ordered)
        if query.sort == ORDERS[0] and any(hit.entry.audience for hit in hits):
            from bowerbird.retrieval.sharing import shared_first

            details = store.details([hit.entry.row for hit in hits])
            sure = {row: one.fields.confidence for row, one in details.items()}
            hits = hits.replace(hits=shared_first(hits.hits, sure))
        _remark_time(hits, store, query.filter, self._gone(store, query.filter))
        of_then = any(stage.name == "kinds" for stage in hits.trace.stages)
        if hits.nothing_then or of_then or any(hit.recalled for hit in hits):
            hits = self._with_undigested(query, hits)
        if query.filter.projects is not None:
            for note in self._reach.notes():
                hits.trace.remark("project", note)
        return hits

    def _gone(self, store: "Store", filter: "Filter") -> "Iterator[Note]":
        """That some of what held on another day is deleted by now: of which project is not known."""
        if filter.as_of is None or self._reach.bounds is not None:
            return
        with store.reading():
            count = store.overview.gone(filter.as_of)
        if count:
            many = "a memory" if count == 1 else f"{count:,} memories"
            yield Note("gone", f"{many} of then, of any project, cannot be told: deleted since")

    def _with_undigested(self, query: "Query", hits: "Hits") -> "Hits":
        """Hits with a note of the sessions, without a digest, of the time that a query names.

        What is nearest to that time is none of it. Who is not on this machine gets no prompt from there.
        """
        from bowerbird.core.period import period
        from bowerbird.core.text import words
        from bowerbird.verbs.sessions import Recorded

        now = self._opened.clock() if query.filter.now is None else query.filter.now
        when = period(query.text, tuple(words(query.text)), now)
        projects = query.filter.projects
        if when is None:
            return hits
        from bowerbird.verbs.timeline import told_of

        lookup, who = self.lookup(), self._acting.who
        known = islice(Recorded(self._opened).during(when, projects), _MOST_NAMED)
        left = [one for one in known if told_of(lookup, one[0]) is None]
        if not left:
            return hits
        from time import localtime  # start-up: only questions about a time need it

        from bowerbird.core.clock import day

        own = who.local and not who.person
        named = (
            " · ".join(
                filter(None, (day(at, localtime), f"“{_cut(asked)}”" if asked and own else ""))
            )
            for _, at, asked in left
        )
        if hits.nothing_then:
            others = tuple(hit for hit in hits if not hit.recalled)
            hits = hits.replace(hits=others, total_found=len(others))
            hits.trace.notes = [one for one in hits.trace.notes if one[1].kind != NOTHING_THEN]
        begin, end = (day(at, localtime) for at in (when.start, when.end))
        said = f"Sessions from {begin} to {end} without a digest: "
        hits.trace.remark("sessions", Note(UNDIGESTED, said, "; ".join(named)))
        return hits

    def _widened(self, query: "Query", hits: "Hits", retrieval: "Retrieval") -> "Hits":
        """Hits with those of a language model's other wordings; its trace says which, or why none.

        It is asked while no snapshot is open. An imagined answer is only compared with what is stored.
        """
        from bowerbird.retrieval.widening import is_poor, joined

        trace = hits.trace
        expander = self._opened.language().expander()
        if expander is None:
            trace.skip("expand", "no language model is set; set llm.provider and llm.model")
            return hits
        try:
            phrases = within(expander.budget_s, lambda: expander.expand(query.text))
            if phrases:
                others = [retrieval.answer(query.replace(text=one)) for one in phrases]
                hits, new = joined(hits, others, query)
                trace.ran("expand", new, "also asked: " + "; ".join(phrases))
            if is_poor(hits) and not query.fast:
                passage = within(expander.budget_s, lambda: expander.imagine(query.text))
                if passage:
                    without = (*query.without, "lexical")
                    imagined = query.replace(text=passage, without=without, fuzzy=False)
                    hits, new = joined(hits, [retrieval.answer(imagined)], query)
                    trace.ran("hyde", new, "compared with an imagined answer")
        except ModelError as error:
            trace.skip("expand", error.message, "; ", error.remedy)
        return hits

    def context(
        self,
        task: str,
        filter: "Filter",
        phase: str | None,
        budget: int | None,
        role: str | None,
        steps: int | None,
        unit: str | None,
    ) -> "Pack":
        """Packs what the store holds for a task into a token budget; for a role, in its sections."""
        question(task, "task", 'say what is to be done: "fix the login bug"')
        if budget is not None and budget < 0:
            raise BadInput(f"budget cannot be {budget}", "give it a whole number from 0")
        if budget is None:
            budget = self._config["context.budget"] or None
        from bowerbird.core import roles

        query = Query(task, filter=filter, depth=self._config["query.depth"])
        self._refresh()
        if role is not None:
            return self._for_role(query, budget, roles.role(role), steps, unit)
        for name, given in (("steps are", steps), ("a unit is", unit)):
            if given is not None:
                whom = ", ".join(roles.ROLES)
                raise BadInput(f"{name} for a role", f"say whom it is for: {whom}")
        from bowerbird.core.packs import Pack
        from bowerbird.retrieval.context import DEPTH, budget_of, packed
        from bowerbird.retrieval.relevance import WEAK

        query = query.replace(phase=self.phase(phase))
        total = budget_of(query.phase, budget)
        hits = self.answer(query.replace(limit=DEPTH, min_score=WEAK))
        items = self._attributed(packed(hits, query.phase, budget), query)
        if not items:
            self._remark_untrusted(query, hits.trace)
        trusts = [trust for item in items for trust in item.trusts]
        self._acting.hand(trusts, hits.trace)
        named = query.phase.name if query.phase else None
        return Pack(query.text, items, total, named, hits.trace.took_ms, hits.trace)

    def _attributed(self, items: "tuple[Item, ...]", query: "Query") -> "tuple[Item, ...]":
        """The items of a pack with whose words they are.

        What the owner said binds no member's agent, and what held on another day none.
        """
        ids = [item.id for item in items if item.path is None]
        if not ids or self._acting.who.person or query.filter.as_of is not None:
            return items
        from bowerbird.core.recalled import attributed

        store = self._opened.reader()
        with store.reading():
            entries = store.entries.named(ids, None)
            details = store.details([one.row for one in entries])
        found = {one.id: one.replace(details=details.get(one.row)) for one in entries}
        return tuple(
            attributed(item, found[item.id]) if item.id in found else item for item in items
        )

    def _remark_untrusted(self, query: "Query", trace: "Trace") -> None:
        """Says of an empty pack if entries of less trust would have filled it, and what to do."""
        from bowerbird.core.types import TRUSTS
        from bowerbird.retrieval.context import GATE

        if query.filter.min_trust == TRUSTS[0]:
            return
        wide = query.filter.replace(min_trust=TRUSTS[0])
        found = self.answer(query.replace(filter=wide, limit=1, min_score=GATE)).hits
        if not found:
            return
        entry = found[0].entry
        least = query.filter.min_trust
        said = f"what fits is {entry.trust} text, less trusted than {least}: a query finds it"
        own: tuple[str | Do, ...] = ()
        if entry.path:
            own = (", and if the files are yours: ", Do("trust", os.path.dirname(entry.path)))
        trace.remark("trust", Note("untrusted", said, *own))

    def with_session(self, pack: "Pack", session: str, filter: "Filter") -> "Pack":
        """A pack with what a session was given and has left so far. Raises as `so_far`."""
        from bowerbird.verbs.so_far import so_far

        return pack.replace(so_far=so_far(self._opened, self._acting, session, filter))

    def _for_role(
        self,
        query: "Query",
        budget: int | None,
        role: "Role",
        planned: int | None,
        unit: str | None,
    ) -> "Pack":
        from bowerbird.core import roles
        from bowerbird.core.packs import Pack
        from bowerbird.retrieval.context import budget_of
        from bowerbird.retrieval.relevance import WEAK
        from bowerbird.retrieval.roles import files_of, sectioned

        query = query.replace(phase=self.phase(role.phase), min_score=WEAK)
        asked = [self._of_kind(query, one.kind, one.most, one.sort) for one in role.sections]
        total = budget_of(query.phase, budget)
        relayed = self._relayed(query, role, unit)
        items = sectioned([hits.hits for hits in asked], total, relayed)
        items = self._attributed(items, query)
        if not items:
            self._remark_untrusted(query, asked[0].trace)
        trusts = [trust for item in items for trust in item.trusts]
        self._acting.hand(trusts, asked[0].trace)
        ratio = roles.ratio_of(self._payloads(query, roles.CALIBRATION, roles.MOST_CALIBRATIONS))
        patterns = self._payloads(query, roles.PREFETCH, roles.MOST_PATTERNS) if role.files else []
        pack = Pack(query.text, items, total, role.phase, asked[0].trace.took_ms, asked[0].trace)
        return pack.replace(
            role=role.name,
            ratio=None if ratio is None else round(ratio, 2),
            step_limit=None if planned is None else roles.step_limit(planned, ratio),
            files=files_of(patterns, self._reach.project.root),
        )

    def _relayed(self, query: "Query", role: "Role", unit: str | None) -> "Sequence[Entry]":
        """The state that earlier roles recorded for a work unit."""
        if not unit or not self._opened.exists():
            return ()
        from bowerbird.verbs.work_units import left_on
        from bowerbird.wiring.methodologies import methodology_or_native

        relays = methodology_or_native(self._config).relays
        if role.name not in relays:
            return ()
        with self._opened.reader().reading():
            return left_on(self.lookup(query.filter.as_of), query.filter, unit, relays[role.name])

    def _of_kind(self, query: "Query", kind: str, most: int, sort: str) -> "Hits":
        filter = query.filter.replace(kinds=(kind,), families=(MEMORY,))
        return self.answer(query.replace(filter=filter, limit=most, sort=sort))

    def _payloads(self, query: "Query", kind: str, most: int) -> "list[dict[str, Any] | None]":
        """The payloads of the memories of one kind that match a task best."""
        hits = self._of_kind(query, kind, most, "relevance")
        if not len(hits):
            return []
        with self._opened.reader().reading():
            lookup = self.lookup(query.filter.as_of)
            entries = [lookup.get(hit.id) for hit in hits]
        return [one.details.fields.payload for one in entries if one.details is not None]

    def phase(self, name: str | None) -> "Phase | None":
        """The phase of that name. Raises UnknownName and BadConfig."""
        if name is None:
            return None
        from bowerbird.wiring.methodologies import phase_named

        return phase_named(self._config, name)

    def get(self, id: str, as_of: "int | str | None") -> "Entry":
        """One entry, as it is or as it was. Raises NotFound and BadInput."""
        if as_of is None:
            return self.lookup().get(id)
        from bowerbird.core.errors import NotFound
        from bowerbird.core.narrow import as_of as moment_of
        from bowerbird.core.value import Advice, Do

        moment = moment_of(as_of, self._opened.clock())
        try:
            return self.lookup(moment).get(id)
        except NotFound:
            known = self.lookup().get(id)
            remedy = Advice("its versions: ", Do("history", known.id))
            raise NotFound(f"{id} was not known then", remedy) from None

    def lookup(self, as_of: int | None = None) -> "Lookup":
        """Looks up entries by id or by filter, as they are or as they were."""
        from bowerbird.retrieval.lookup import Lookup

        store = self._opened.reader()
        if as_of is not None:
            past = store.as_of(as_of, self._opened.embedder)
            return Lookup(past, self._reach.bounds, self._acting.show)
        return Lookup(store, self._reach.bounds, self._acting.show, self._looked_at)

    def _looked_at(self, entries: "Sequence[Entry]") -> "Sequence[Entry]":
        """The same entries with their anchors checked."""
        if not any(entry.anchors for entry in entries):
            return entries
        from bowerbird.verbs.anchors import Looking

        looking = Looking(self._opened.reader(), self._reach)
        return [looking.entry(entry) for entry in entries]

    def listed(self, filter: "Filter", limit: int, offset: int) -> "Entries":
        """Entries, newest first; none without a store."""
        from bowerbird.core.answers import Entries
        from bowerbird.core.value import Note

        try:
            store = self._opened.reader()
        except StoreMissing as missing:
            return Entries(notes=(Note("missing", missing.message),))
        with store.reading():
            lookup = self.lookup(filter.as_of)
            found, damaged = lookup.list(filter, limit, offset), lookup.left_out()
            damaged = (*damaged, *self._gone(store, filter))
        everywhere = filter.projects is None
        return Entries(found, damaged if everywhere else (*damaged, *self._reach.notes()))

    def timeline(self, limit: int, *, everywhere: bool) -> "Timeline":
        """The latest sessions by their digests; none without a store."""
        from bowerbird.core.sessions import Timeline
        from bowerbird.verbs.timeline import timeline

        self._reach.refuse_beyond(everywhere, "all_projects")
        try:
            store = self._opened.reader()
        except StoreMissing as missing:
            return Timeline(notes=(missing.message,))
        with store.reading():
            projects = self._reach.everywhere if everywhere else self._reach.seen
            return timeline(store, self.lookup(), projects, limit)

    def filter(
        self,
        by: "Narrowing",
        everywhere: bool,
        own: "Iterable[str]" = (),
        matching: str | None = None,
        *,
        coming: bool = False,
    ) -> "Filter":
        """The filter of a verb: the visible projects, or `everywhere`, narrowed by its arguments.

        `coming`: with what holds from a later day only, unless they say otherwise. `own` are the verb's
        other arguments, suggested if one is mistyped. Raises BadInput and UnknownName.
        """
        self._reach.refuse_beyond(everywhere, "all_projects")
        if matching is not None:
            if by.get("matching") is not None:
                raise BadInput("operators make a matching of the question", "give one of the two")
            by["matching"] = matching
        projects = self._reach.everywhere if everywhere else self._reach.seen
        filter = Filter(projects=projects, now=self._opened.clock(), coming=coming)
        if not by:
            return filter
        from bowerbird.verbs.narrowing import narrowed

        return self._then(narrowed(filter, by, own, self._opened))

    def _then(self, filter: "Filter") -> "Filter":
        """A filter of another day, with what is otherwise since."""
        if filter.as_of is None or not self._opened.exists():
            return filter
        store = self._opened.reader()
        with store.reading():
            found: Filter = store.then(filter, self._reach.bounds)
        return found

    def note_usage(self, ids: "Sequence[str]", session: str) -> bool:
        """Records which entries were used, for the next writer to count.

        Does nothing for read-only callers.
        """
        if not self._acting.who.may_write:
            return False
        self._acting.handed(ids)
        session = session or self._acting.who.session
        if session:
            from bowerbird.guard.redact import redact

            session = redact(session, allowed(self._config)).text
        where, backend = self._opened.path, self._opened.backend
        return backend.note_usage(where, ids, session, self._opened.clock(), self._opened.drops)
