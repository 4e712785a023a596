"""A tenant as of a moment, as a file has it, with the words of this backend's tables."""

from bowerbird.storage.postgres.nouns.words import PostgresWords
from bowerbird.storage.postgres.search.candidates import PostgresSource
from bowerbird.storage.sqlite.past import Past, PastCandidates, PastWords


class PostgresPast(Past):
    """What a tenant held at a moment."""

    @property
    def _words(self) -> "type[PastWords]":
        return _Words

    @property
    def _candidates(self) -> "type[PastCandidates]":
        return _Candidates


class _Words(PastWords, PostgresWords):
    """Counts of words of then, over those of today's tables."""


class _Candidates(PastCandidates, PostgresSource):
    """Candidates of then, over those of today's tables."""
