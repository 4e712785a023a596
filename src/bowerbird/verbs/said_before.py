"""What a person said for good in earlier prompts of a project, and which of it a sentence changes."""

from bowerbird.core.origins import TAUGHT
from bowerbird.sessions.learn.told_changes import clauses, tells_a_change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bowerbird.core.types import Entry, Project, Vector
    from bowerbird.verbs.keeping import Keeping
    from bowerbird.wiring.acting import Acting

    Embed = Callable[[Sequence[str]], Sequence[Vector]]

_CHANGES = frozenset({"supersedes", "contradicts"})
# A sentence that says that something has changed is about what it is this near to: the largest cosine of
# a clause of each. Of two authors' 70 changes 33 reach it with such words, of their 150 other pairs one
# (benchmarks/pairs.md).
_SAME_SUBJECT = 0.6
# The memories, newest first, that such a sentence is compared with.
_MOST_COMPARED = 100


class SaidBefore:
    """The memories in a person's words, and a comparison with them alone by the judge of admission."""

    def __init__(
        self,
        entries: "Sequence[Entry]",
        keeping: "Keeping",
        acting: "Acting",
        project: "Project",
        embed: "Embed | None" = None,
    ) -> None:
        """`entries` are the memories in the person's words that hold now, newest first.

        `embed` is of a model that reads sentences; None: only the judge compares.
        """
        self.entries = entries
        self._embed = embed
        self._keeping = keeping
        self._acting = acting
        self._project = project

    def changed_by(self, text: str) -> "Entry | None":
        """The memory to whose subject a sentence gives another value; None: it changes none."""
        draft = self._acting.draft(text, {"kind": "fact"}).replace(origin="user", source=TAUGHT)
        admission = self._keeping.admission([draft], self._project)
        changed = [one.id for one in admission.compared(draft) if one.relation in _CHANGES]
        found = next((one for one in self.entries if one.id in changed), None)
        return found or (self._of_told_change(text) if tells_a_change(text) else None)

    def _of_told_change(self, text: str) -> "Entry | None":
        """The memory that a sentence is about which says that something has changed."""
        if self._embed is None:
            return None
        import numpy as np  # start-up: as the model, which few sentences need

        own = clauses(text)
        best, near = None, _SAME_SUBJECT
        for entry in self.entries[:_MOST_COMPARED]:
            vectors = self._embed([*own, *clauses(entry.text)])
            rows = np.array([np.frombuffer(one.values, np.int8) for one in vectors], np.float32)
            rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1.0)
            cosine = float((rows[: len(own)] @ rows[len(own) :].T).max())
            if cosine >= near:
                best, near = entry, cosine
        return best
