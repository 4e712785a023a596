"""Parses a query with operators: AND, OR, NOT, brackets, "a phrase" and prefixes*.

Adjacent words are joined by AND; NOT binds closest, then AND, then OR. In lower case the three are
ordinary words. The result is a tree, which a store translates for its own index.
"""

from bowerbird.core.errors import BadInput
from bowerbird.core.pattern import late
from bowerbird.core.text import words
from bowerbird.core.value import FrozenRecord

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Protocol, TypeAlias

    Node: TypeAlias = "Phrase | Either | Together"

    class Grammar(Protocol):
        """Renders the parts of a query in the syntax of an index."""

        def phrase(self, forms: tuple[str, ...], *, begins: bool) -> str:
            """Adjacent words, in one of several forms."""
            ...

        def either(self, parts: list[str]) -> str:
            """At least one of some parts."""
            ...

        def together(self, wanted: list[str], others: list[str]) -> str:
            """All of some parts, and none of others."""
            ...


# Maximum parts of a query; nobody types more.
MOST_PARTS = 100
# Maximum nesting. SQLite's FTS5 rejects an expression with 100 open constructs, and a level has up to
# seven, as in (x OR y z NOT (
MOST_DEEP = 12
# Maximum words that a prefix expands to, the most frequent: FTS5 reads a posting list for each.
MOST_COMPLETED = 50
_PART = late(r'"[^"]*"|[()]|[^\s()"]+')
_AND = "AND"
_OR = "OR"
_NOT = "NOT"
_OPEN = "("
_CLOSE = ")"
_REMEDY = 'write: redis AND (timeout OR "timed out") NOT stag*'


class Phrase(FrozenRecord):
    """Adjacent words, in one of several `forms`; if `begins`, the last one is a prefix."""

    forms: tuple[str, ...]
    begins: bool = False

    def said(self, grammar: "Grammar") -> str:
        """The part in the syntax of an index."""
        return grammar.phrase(self.forms, begins=self.begins)


class Either(FrozenRecord):
    """At least one of some parts."""

    parts: "tuple[Node, ...]"

    def said(self, grammar: "Grammar") -> str:
        """The part in the syntax of an index."""
        return grammar.either([one.said(grammar) for one in self.parts])


class Together(FrozenRecord):
    """All of the `wanted`, and none of the `others`."""

    wanted: "tuple[Node, ...]"
    others: "tuple[Node, ...]" = ()

    def said(self, grammar: "Grammar") -> str:
        """The part in the syntax of an index."""
        wanted = [one.said(grammar) for one in self.wanted]
        return grammar.together(wanted, [one.said(grammar) for one in self.others])


class Matching(FrozenRecord):
    """A parsed query: the `tree` that entries must match.

    `text` is the wanted part, without negated words, by which entries are ranked; `beginnings` are those
    of its words that are prefixes.
    """

    tree: "Node"
    text: str
    beginnings: tuple[str, ...] = ()


def matching(text: str) -> Matching:
    """Parses a query with operators. Raises BadInput if it is not valid."""
    parts = _PART.findall(text.replace("()", " "))
    if len(parts) > MOST_PARTS:
        raise BadInput(f"the question has {len(parts):,} parts", f"{MOST_PARTS} are read")
    if text.count('"') % 2:
        raise BadInput("a quotation mark is not closed", _REMEDY)
    reading = _Reading(parts)
    tree = reading.alternatives()
    if reading.here is not None:
        raise BadInput("a bracket has no counterpart", _REMEDY)
    texts = [part.rstrip("*") for part in reading.wanted]
    begun = (words(part.lower()) for part in reading.wanted if part.endswith("*"))
    return Matching(tree, " ".join(texts), tuple(run[0] for run in begun if len(run) == 1))


def completed(asked: Matching, known: "Callable[[str], Mapping[str, int]]") -> Matching:
    """The same tree, each prefix expanded to the words it matches: an index of stems holds no *billin*.

    `known` returns the words with a prefix, and how often each occurs.
    """
    if not asked.beginnings:
        return asked
    found = {begun: known(begun) for begun in asked.beginnings}
    commonest = {
        begun: sorted(words, key=lambda word: (-words[word], word))[:MOST_COMPLETED]
        for begun, words in found.items()
    }
    looked_for = []
    for word in asked.text.split():
        # A word that occurs in no entry as a separate word is useless for ranking.
        others = commonest.get(word.lower(), [])
        whole = not others or word.lower() in found[word.lower()]
        looked_for.append(word if whole else others[0])
    return Matching(_completed(asked.tree, commonest), " ".join(looked_for), asked.beginnings)


def _completed(node: "Node", words: "Mapping[str, Sequence[str]]") -> "Node":
    if isinstance(node, Either):
        return Either(tuple(_completed(one, words) for one in node.parts))
    if isinstance(node, Together):
        wanted = tuple(_completed(one, words) for one in node.wanted)
        return Together(wanted, tuple(_completed(one, words) for one in node.others))
    others = tuple(dict.fromkeys(word for form in node.forms for word in words.get(form, ())))
    return Either((node, Phrase(others))) if node.begins and others else node


class _Reading:
    """A recursive descent parser over the parts of a query."""

    def __init__(self, parts: list[str]) -> None:
        self._parts = iter(parts)
        self.here = next(self._parts, None)
        self._deep = 0
        # The wanted words, as typed.
        self.wanted: list[str] = []

    def alternatives(self) -> "Node":
        """Parses parts joined by OR."""
        found = [self._together()]
        while self._met(_OR):
            found.append(self._together())
        return found[0] if len(found) == 1 else Either(tuple(found))

    def _together(self) -> "Node":
        """Parses adjacent parts, of which all must match, except negated ones."""
        wanted: list[Node | None] = []
        others: list[Node | None] = []
        while self.here not in {None, _OR, _CLOSE} or not wanted + others:
            if self._met(_AND) and (not wanted + others or self.here in {None, _AND, _OR, _CLOSE}):
                raise BadInput("AND lacks a term", _REMEDY)
            if not self._met(_NOT):
                wanted.append(self._one())
                continue
            looked_for = len(self.wanted)
            others.append(self._one())
            del self.wanted[looked_for:]
        said = tuple(one for one in wanted if one is not None)
        unsaid = tuple(one for one in others if one is not None)
        if not said:
            raise BadInput("there is nothing to search for", _REMEDY)
        return said[0] if len(said) == 1 and not unsaid else Together(said, unsaid)

    def _one(self) -> "Node | None":
        """A word, a phrase, a prefix, or a group in brackets; None for punctuation."""
        part = self._next()
        if part == _OPEN:
            self._deep += 1
            if self._deep > MOST_DEEP:
                raise BadInput("brackets are nested too deeply", f"{MOST_DEEP} are read")
            found = self.alternatives()
            if not self._met(_CLOSE):
                raise BadInput("a bracket has no counterpart", _REMEDY)
            self._deep -= 1
            return found
        if part in {None, _AND, _OR, _NOT, _CLOSE}:
            raise BadInput(f"{part or 'an operator'} where a word is expected", _REMEDY)
        forms = tuple(one for one in _said(part) if one)
        if not forms:
            return None
        self.wanted.append(part)
        return Phrase(forms, begins=part.endswith("*"))

    def _next(self) -> str | None:
        part, self.here = self.here, next(self._parts, None)
        return part

    def _met(self, part: str) -> bool:
        """Whether this token is next; if so, consumes it."""
        if self.here != part:
            return False
        self._next()
        return True


def _said(part: str) -> dict[str, None]:
    """The words of a part as indexed: names split at case changes, and unsplit.

    Some texts have GitHub, others github; within a phrase each form counts as one word.
    """
    return dict.fromkeys(" ".join(words(form)) for form in (part, part.lower()))
