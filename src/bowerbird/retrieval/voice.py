"""Who says a passage, against who asks and who is named. Pure."""

from bowerbird.core.text import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from bowerbird.retrieval.analyse import Question

# The role under which transcripts keep the person; the asker of "what did I decide?" is that person.
PERSON = "user"


def by_asker(question: "Question", speakers: "Mapping[int, str]") -> dict[int, float]:
    """1 for what the person said, when the question speaks in the first person.

    On BEAM, R@10 rises from .47 to .56: what one did stands in one's own turns, not in the answers.
    """
    if not question.first_person:
        return {}
    return {row: 1.0 for row, speaker in speakers.items() if speaker == PERSON}


def by_name(question: "Question", speakers: "Mapping[int, str]") -> dict[int, float]:
    """1 for what a person said whom the question names (LoCoMo R@10 .754 to .769)."""
    asked = set(question.words)
    named = {
        speaker
        for speaker in set(speakers.values())
        if speaker and not asked.isdisjoint(words(speaker))
    }
    return {row: 1.0 for row, speaker in speakers.items() if speaker in named}
