"""Another text or other fields for a memory that stays the same one, with its id and its history."""

from bowerbird.core.errors import BadInput, Denied, ModelError
from bowerbird.core.history import Change, Edited
from bowerbird.core.ids import new_id
from bowerbird.core.normal import normal_hash
from bowerbird.core.types import GLOBAL, TRUSTS
from bowerbird.core.value import Advice, Do
from bowerbird.guard.redact import redact
from bowerbird.guard.trust import reaches
from bowerbird.lifecycle.complete import complete
from bowerbird.lifecycle.keywords import keywords, terms
from bowerbird.lifecycle.restate import revise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from bowerbird.core.clock import Clock
    from bowerbird.core.draft import Draft
    from bowerbird.core.history import Version
    from bowerbird.core.kinds import Kinds
    from bowerbird.core.memories import Belief, Fields
    from bowerbird.core.ports.models import Embedder
    from bowerbird.core.ports.store import Store
    from bowerbird.core.types import Entry
    from bowerbird.guard.redact import Allow
    from bowerbird.lifecycle.complete import Anchored

# States of what is kept: what went comes back first.
_EDITABLE = frozenset(("active", "quarantined"))
# What is said anew of these ties it to what stands there now.
_ANCHORED = frozenset(("text", "files", "commit"))
# What is made of the text where nobody says otherwise.
_OF_THE_TEXT = ("summary", "citation")
# What follows from others, and is told as changed only to who gave it.
_FOLLOWING = frozenset((*_OF_THE_TEXT, "keywords", "anchors"))


class Editor:
    """Changes memories in place of one store, in the name of whoever acts."""

    def __init__(
        self,
        store: "Store",
        allow: "Allow",
        kinds: "Kinds",
        clock: "Clock",
        anchored: "Anchored | None" = None,
    ) -> None:
        self._store = store
        self._allow = allow
        self._kinds = kinds
        self._clock = clock
        self._anchored = anchored

    def edit(self, entry: "Entry", draft: "Draft", given: "Collection[str]", reason: str) -> Edited:
        """Give a memory what a draft says of the fields that were `given`. Inside no transaction.

        The text is in force as far as the least trusted of those who wrote it. Raises BadInput,
        UnknownName, and Denied where it is believed more than whoever edits it.
        """
        completed = complete(draft, self._allow, self._clock(), self._kinds)
        belief = completed.belief
        if _ANCHORED & {*given}:
            belief = self._tied(entry, belief, draft.files if "files" in given else None)
        with self._store.transaction():
            head = self._store.memories.head(entry.id)
            self._require_editable(entry, head, belief)
            fields = self._fields(head, belief, given)
            if "text" in given and belief.hash != normal_hash(head.text):
                self._refuse_twin(entry, belief)
            text = belief.text if "text" in given else head.text
            changed = _changed(head, text, fields, given)
            trust = min(entry.trust, belief.trust, key=TRUSTS.index)
            if not changed:
                return self._told(entry, head, (), trust, completed.redacted)
            comment = redact(reason, self._allow).text or f"edited: {', '.join(changed)}"
            change = Change(new_id(self._clock()), "edited", belief.actor, comment)
            version = revise(self._store, head, fields, change, text)
            if trust != entry.trust:
                self._store.memories.believe(entry.id, trust)
        return self._told(entry, version, changed, trust, completed.redacted)

    def _tied(self, entry: "Entry", belief: "Belief", files: "Iterable[str] | None") -> "Belief":
        """A belief with its anchors, by these files or else by those that the memory has already."""
        if self._anchored is None:
            return belief
        if files is None:
            with self._store.reading():
                files = self._store.memories.head(entry.id).fields.files
        tied = belief.replace(fields=belief.fields.replace(files=tuple(files)))
        anchors = self._anchored(tied, entry.project == GLOBAL.uid).fields.anchors
        return belief.replace(fields=belief.fields.replace(anchors=anchors))

    def _require_editable(self, entry: "Entry", head: "Version", belief: "Belief") -> None:
        if head.fields.state not in _EDITABLE:
            raise BadInput(
                f"{entry.id} is {head.fields.state}",
                Advice("bring it back first: ", Do("revert", entry.id)),
            )
        if not reaches(belief.trust, entry.trust):
            raise Denied(
                f"{entry.id} is believed more ({entry.trust}) than what you write ({belief.trust})",
                Advice("keep what you know beside it: ", Do("curate")),
            )

    def _fields(self, head: "Version", belief: "Belief", given: "Collection[str]") -> "Fields":
        """The fields as they stand from now on: those that were given, and what follows from the text."""
        old, new = head.fields, belief.fields
        names = {name for name in given if name in old.__slots__}
        names |= {"anchors"} if _ANCHORED & {*given} else set()
        if "text" in given and belief.text != head.text:
            names |= {*_OF_THE_TEXT}
            if "keywords" not in given:
                counts = self._store.words.counts(terms(belief.text))
                found = keywords(belief.text, counts)
                new = new.replace(keywords=tuple(dict.fromkeys(found)))
                names.add("keywords")
        if "kind" in names and old.kind != new.kind:
            names.add("payload")  # another kind carries another structure
            if old.kind in self._kinds and old.half_life == (
                self._kinds.get(old.kind).half_life or 0.0
            ):
                names.add("half_life")
        if (new.verified and "verified" in names) or "review" in names:
            names |= {"needs_review", "review"}
        fields = old.replace(**{name: getattr(new, name) for name in names})
        if new.state == "quarantined":
            fields = fields.replace(state=new.state, needs_review=True, review=new.review)
        return fields

    def _refuse_twin(self, entry: "Entry", belief: "Belief") -> None:
        where = (entry.project,)
        twin = self._store.entries.saying(belief.hash, where, self._clock(), ("active",))
        if twin is not None and twin.id != entry.id:
            raise BadInput(
                f"{twin.id} says that already",
                Advice("keep that one and forget this one: ", Do("forget", entry.id)),
            )

    @staticmethod
    def _told(
        entry: "Entry",
        version: "Version",
        changed: tuple[str, ...],
        trust: str,
        redacted: tuple[str, ...],
    ) -> Edited:
        fields = version.fields
        return Edited(
            id=entry.id,
            version=version.id,
            changed=changed,
            summary=fields.summary,
            kind=fields.kind,
            tags=fields.tags,
            state=fields.state,
            trust=trust,
            redacted=redacted,
            needs_review=fields.needs_review,
            review=fields.review,
            expires=fields.expires,
        )


def read_anew(
    store: "Store",
    ids: "Iterable[str]",
    embedder: "Embedder",
    contextual: "Embedder | None",
) -> None:
    """Let the models read the memories whose text is another one now; what cannot be read waits."""
    for id in ids:
        row = store.contextual.row_of(id)
        try:
            model = store.model_row(embedder.identity)
            if model is not None:
                found, _ = store.vectors.next_unread(model, 1, row - 1)
                mine = [one for one in found if one.row == row]
                vectors = embedder.embed([one.text for one in mine]) if mine else ()
                with store.transaction():
                    store.vectors.write(mine, vectors, model)
            waits = store.contextual.next_unread(1, row - 1) if contextual is not None else []
            if contextual is not None and waits and waits[0][0] == row:
                text = waits[0][1]
                (vector,) = contextual.embed([text])
                with store.transaction():
                    store.contextual.write({row: (text, vector)}, contextual.identity)
        except ModelError:
            return


def _changed(
    head: "Version", text: str, fields: "Fields", given: "Collection[str]"
) -> tuple[str, ...]:
    names = [
        name for name in fields.__slots__ if getattr(fields, name) != getattr(head.fields, name)
    ]
    names = ["text", *names] if text != head.text else names
    return tuple(one for one in names if one in given or one not in _FOLLOWING) or tuple(names)
