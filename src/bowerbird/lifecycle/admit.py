"""The one write door for memories: a draft comes in, a decision goes out."""

from bowerbird.core.errors import BadInput
from bowerbird.core.kinds import DEFAULT, kind
from bowerbird.core.origins import trust_of
from bowerbird.core.text import clean, fold, summarise
from bowerbird.core.types import GLOBAL, Belief, Decision

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.ports import Embedder, Store
    from bowerbird.core.types import Draft, Project

# A memory is one to three sentences; what is longer belongs in a file.
LONGEST = 10_000
USUAL_IMPORTANCE = 0.5


class Admission:
    """Judges drafts for one project of one store."""

    def __init__(self, store: "Store", embedder: "Embedder", project: "Project") -> None:
        self._store = store
        self._embedder = embedder
        self._project = project

    def admit(self, draft: "Draft", *, everywhere: bool = False) -> Decision:
        """Store a draft unless the same text is known already.

        Raises BadInput for a text or value that cannot be taken, UnknownName for a kind or origin.
        """
        belief = complete(draft)
        vector = self._embedder.embed_query(belief.text)
        with self._store.transaction():
            project = self._store.ensure_project(GLOBAL if everywhere else self._project)
            known = self._store.memories.same_text(project, belief.text)
            if known is not None:
                return Decision(
                    known, "known", belief.kind, belief.summary, "the same text is kept"
                )
            model = self._store.ensure_model(self._embedder.identity)
            id = self._store.memories.add(project, belief, vector, model)
        return Decision(id, "created", belief.kind, belief.summary, "nothing like it was known")


def complete(draft: "Draft") -> Belief:
    """The draft with everything filled in that it left open. Raises BadInput and UnknownName."""
    text = clean(draft.text).strip()
    if not text:
        raise BadInput("the text is empty", "say what to keep, in one to three sentences")
    if len(text) > LONGEST:
        raise BadInput(
            f"the text has {len(text):,} characters; a memory holds {LONGEST:,}",
            "write it to a file and take that in with: bower index FILE",
        )
    importance = USUAL_IMPORTANCE if draft.importance is None else draft.importance
    if not 0.0 <= importance <= 1.0:
        raise BadInput(f"importance {importance} is out of range", "give a number from 0 to 1")
    return Belief(
        text=text,
        summary=summarise(text),
        kind=kind(draft.kind or DEFAULT).name,
        tags=tuple(dict.fromkeys(normal_tag(tag) for tag in draft.tags)),
        importance=importance,
        metadata=draft.metadata,
        origin=draft.origin,
        trust=trust_of(draft.origin),
        session=draft.session,
        actor=draft.actor or draft.origin,
    )


def normal_tag(tag: str) -> str:
    """A tag in its one form: folded letters and digits of any script, ``-`` and ``_``."""
    normal = "".join(
        char if char.isalnum() or char in "-_" else "-" for char in fold(tag).strip()
    ).strip("-")
    if not normal:
        raise BadInput(f"the tag {tag!r} holds no letter or digit", "name it in a word")
    return normal
