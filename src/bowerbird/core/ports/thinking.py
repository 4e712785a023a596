"""Ports to what rules decide today and a language model may decide in their place.

Each may be slow and may fail: none is called under the write lock or inside a read snapshot, and what it
cannot do is left out, which the answer says.
"""

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from bowerbird.core.memories import Pair, Verdict
from bowerbird.core.thinking import Prompt, Said, Task

Session_contra = TypeVar("Session_contra", contravariant=True)
Digest_contra = TypeVar("Digest_contra", contravariant=True)
Lesson_co = TypeVar("Lesson_co", covariant=True)


class LanguageModel(Protocol):
    """One model that answers prompts. Knows nothing of tasks, limits, prices or other models."""

    # What it is called in answers and counts, such as ``ollama qwen3:4b``.
    name: str
    # Whether what it reads leaves this machine.
    remote: bool

    def answer(self, prompt: Prompt, patience: float) -> Said:
        """What it says, within `patience` seconds. Raises ModelError."""
        ...


class Thinker(Protocol):
    """Has tasks done by language models, within limits. Knows nothing of what becomes of answers."""

    def ask(self, task: Task, data: str) -> dict[str, Any]:
        """The answer to a task about some text, as its schema says; not checked further.

        Secrets are taken out of the text before it is sent. Raises ModelError.
        """
        ...


class Thinking(Thinker, Protocol):
    """A thinker that tells which model was asked in place of another."""

    notes: list[str]


class Extractor(Protocol[Session_contra, Digest_contra, Lesson_co]):
    """Finds what a recorded session teaches. Knows nothing of stores, trust or what is kept already.

    It runs before anything is written. A session in which it fails is read again by the next run.
    """

    def lessons(
        self, session: Session_contra, past: Sequence[Digest_contra]
    ) -> Sequence[Lesson_co]:
        """The lessons of a session, after the digests of earlier ones. Raises ModelError."""
        ...


class Expander(Protocol):
    """Finds what else to search for a question. Knows nothing of stores: it runs before one is read."""

    # The seconds that it is given; 0: it takes no time to speak of, and is not interrupted.
    budget_s: float

    def expand(self, text: str) -> Sequence[str]:
        """Phrases to search beside the words of a question. Raises ModelError."""
        ...


class Reranker(Protocol):
    """Orders texts by how well they answer a question. Knows nothing of scores, stores or entries.

    It runs after the read snapshot is closed, and changes the order alone, never the relevance.
    """

    # The number of best entries that it is given, and the seconds for them.
    most: int
    budget_s: float
    # Whether it is asked only where the ranking has no clear best entry.
    unsure_only: bool

    def order(self, question: str, texts: Sequence[str]) -> Sequence[int]:
        """The positions of the texts, the best first, each once. Raises ModelError."""
        ...


class Summariser(Protocol):
    """Sums up texts that say the like. Knows nothing of stores, trust or which memories they are."""

    def pattern(self, texts: Sequence[str]) -> tuple[str, Sequence[int]] | None:
        """One to three sentences with what the texts have in common, and the positions of their examples.

        The first text is the most typical. None if there is nothing to say. Raises ModelError.
        """
        ...


class Judge(Protocol):
    """Decides what a new memory says about a stored one. Knows nothing of stores, trust or projects."""

    # Whether it takes longer than a writer may wait: then it is asked after the write, from a queue, and
    # what it decides waits for review.
    slow: bool

    def judge(self, pair: Pair) -> Verdict:
        """The relation of the new text to the stored one. Raises ModelError."""
        ...
