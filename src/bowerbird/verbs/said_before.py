"""What a person said for good in earlier prompts of a project, and which of it a sentence changes."""

from bowerbird.core.errors import ModelError
from bowerbird.core.origins import TAUGHT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.types import Entry, Project
    from bowerbird.verbs.keeping import Keeping
    from bowerbird.wiring.acting import Acting
    from bowerbird.wiring.opened import Opened

_CHANGES = frozenset({"supersedes", "contradicts"})


class SaidBefore:
    """The memories in a person's words, and a comparison with them alone by the judge of admission."""

    def __init__(
        self,
        entries: "Sequence[Entry]",
        opened: "Opened",
        keeping: "Keeping",
        acting: "Acting",
        project: "Project",
    ) -> None:
        """`entries` are the memories in the person's words that hold now, newest first."""
        self.entries = entries
        self._opened = opened
        self._keeping = keeping
        self._acting = acting
        self._project = project

    def changed_by(self, text: str) -> "Entry | None":
        """The memory to whose subject a sentence gives another value; None: it changes none."""
        draft = self._acting.draft(text, {"kind": "fact"}).replace(origin="user", source=TAUGHT)
        admission = self._keeping.admission([draft], self._project)
        changed = [one.id for one in admission.compared(draft) if one.relation in _CHANGES]
        return next((one for one in self.entries if one.id in changed), None)

    def near(self, text: str, others: "Sequence[str]") -> list[float]:
        """The cosines of a text with some others, by the contextual model; 0 if it cannot be read."""
        try:
            return [one.near for one in self._opened.contextual().aligned(text, others)]
        except ModelError:
            return [0.0] * len(others)

    def in_english(self, text: str) -> str:
        """A text of another language word by word in English; as it is if it cannot be read."""
        try:
            return self._opened.contextual().in_english(text)
        except ModelError:
            return text


def met(opened: "Opened", subject: str, texts: "Sequence[str]") -> list[float]:
    """How near the words of a subject are to the nearest of each text, by the contextual model.

    It reads words of other languages, too; 0 if it cannot be read.
    """
    try:
        model = opened.contextual()
        asked, *read = model.embed([subject, *texts])
    except ModelError:
        return [0.0] * len(texts)
    found = model.met(asked, {at: one.words for at, one in enumerate(read)})
    return [found[at][0] if at in found else 0.0 for at in range(len(texts))]
