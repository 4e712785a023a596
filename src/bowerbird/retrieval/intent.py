"""The intent of a query, detected in its wording. Pure; the trace shows it.

Matches word by word: compiling equivalent patterns costs a cold command 6 ms.
"""

from itertools import pairwise

from bowerbird.core.clock import within
from bowerbird.core.errors import ModelError
from bowerbird.core.language import STOP_WORDS, language
from bowerbird.core.period import CALENDAR, period
from bowerbird.core.text import words
from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bowerbird.core.period import Period
    from bowerbird.core.ports.thinking import Expander

    # Phrases to search, and why there are none if the expander failed.
    Expansion = tuple[Sequence[str], ModelError | None]

# Forms of queries: for a name in code, for dependencies, for meaning.
IDENTIFIER = "identifier"
STRUCTURAL = "structural"
SEMANTIC = "semantic"

_STRUCTURAL = (
    "depend on", "depends on", "depending on", "depended on", "dependencies", "dependency",
    "callers of", "calls", "called by", "imports", "imported by", "used by", "uses of",
    "references to", "impact of", "affected by", "affects", "breaks if", "breaks when", "break if",
    "upstream", "downstream",
)  # fmt: skip
# Queries for the users of code: "callers of", "who calls", "which tests use", "where is it used".
_USES = frozenset(
    "call calls use uses invoke invokes need needs import imports reference references".split()
)
_USED = frozenset("called used invoked needed imported referenced".split())
_USE_PHRASES = frozenset((
    ("caller", "of"), ("callers", "of"), ("calls", "to"), ("uses", "of"), ("usage", "of"),
    ("usages", "of"), ("references", "to"),
))  # fmt: skip
# The kinds of memory that a phrase asks for; all matching rows add their kinds.
_WANTED = (
    (("decision",),
     ("decision", "decisions", "decide", "decided", "chose", "choose", "chosen", "choice",
      "settle on", "settled on", "agreed on", "agree on", "why did we", "why do we", "why are we")),
    (("procedure", "workflow_recipe"),
     ("how do i", "how do we", "how do you", "how can i", "how can we", "how should i",
      "how should we", "how to", "steps to", "steps for", "procedure", "workflow")),
    (("gotcha",),
     ("gotcha", "gotchas", "pitfall", "pitfalls", "trap", "traps", "caveat", "caveats", "beware",
      "watch out", "careful with")),
    (("error_pattern", "gotcha"),
     ("error", "errors", "exception", "traceback", "crash", "crashes", "crashing", "fail", "fails",
      "failed", "failing", "failure", "hang", "hangs", "flaky", "broken", "bug", "why does",
      "why is")),
    (("dead_end",),
     ("tried", "attempted", "dead end", "dead ends", "did not work", "didn t work", "gave up")),
    (("preference",),
     ("prefer", "prefers", "preferred", "preference", "preferences", "favourite", "favorite",
      "favourites", "favorites", "likes to")),
    (("requirement",),
     ("must", "require", "requires", "required", "requirement", "requirements", "mandatory")),
    (("work_state",),
     ("left off", "in progress", "where are we", "where were we", "next step", "next steps",
      "still to do")),
    (("task_calibration",), ("how long does", "how long did", "how long will", "estimate",
      "estimates")),
    (("causal_dependency",),
     ("depend on", "depends on", "affects", "impact of", "breaks if", "breaks when", "break if")),
    (("module_insight",), ("how does", "implemented", "defined", "handled")),
    (("pattern",), ("pattern", "patterns", "convention", "conventions", "usually")),
)  # fmt: skip
_ENDINGS = frozenset(
    "py js ts tsx jsx go rs java kt rb c h cpp cs php swift md toml yml yaml json sql sh cfg ini"
    " html css txt lock".split()
)
_SITES = frozenset("com org net io dev edu gov".split())
_AROUND = "\"'`“”«»‘’.,;:!?()[]{}<>…¿¡"
_SENTENCE_ENDS = (".", "!", "?", ":")
# Question marks; a text that contains none of them asks nothing that can be detected in every language.
MARKS = "?？؟"
# Pairs of quotation marks; an apostrophe is not one.
_QUOTES = (('"', '"'), ("“", "”"), ("«", "»"), ("„", "“"), ("`", "`"))
_LONGEST_PHRASE = 80
# A token with slashes and more parts than this is a path; "and/or" is not.
_STEPS = 2


class Intent(Record):
    """What a query asks for, by its wording.

    `form` is its class, `kinds` the kinds of memory it asks for, `identifiers` names in code, `names`
    those of people and products, `phrases` what to search beside the words, `calling` whether it asks
    for the users of what it names, `marked` whether it contains a question mark, `period` the time it
    names, `language` an ISO code or empty, `written` its tokens in their original case.
    """

    form: str = SEMANTIC
    kinds: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    period: "Period | None" = None
    language: str = ""
    calling: bool = False
    marked: bool = False
    written: "frozenset[str]" = frozenset()

    @property
    def together(self) -> tuple[str, ...]:
        """Words that should be adjacent: phrases and the parts of identifiers, separated by spaces."""
        runs = (words(text) for text in (*self.phrases, *self.identifiers))
        return tuple(dict.fromkeys(" ".join(run) for run in runs if len(run) > 1))

    @property
    def files(self) -> tuple[str, ...]:
        """The named files, with or without folders, in lower case."""
        named = (one.lower().lstrip("./~") for one in self.identifiers)
        return tuple(one for one in named if one.rpartition(".")[2] in _ENDINGS and "." in one)

    def names_file(self, path: str) -> bool:
        """Whether a path ends with a named file."""
        return any(f"/{path.lower()}".endswith(f"/{file}") for file in self.files)

    def __str__(self) -> str:
        parts = [self.form]
        parts += [f"in {self.language}"] if self.language else []
        parts += ["who uses it"] if self.calling else []
        parts += [f"wants {', '.join(self.kinds)}"] if self.kinds else []
        parts += [f"names {', '.join(self.names)}"] if self.names else []
        parts += [f"together: {', '.join(self.together)}"] if self.together else []
        parts += [f"about {self.period.words}"] if self.period else []
        return "; ".join(parts)


class Quoted:
    """The rules' expander: what a question quotes is searched as a phrase."""

    budget_s = 0.0

    def expand(self, text: str) -> tuple[str, ...]:
        """The quoted phrases of a question."""
        return tuple(dict.fromkeys(_phrases(text)))


QUOTED = Quoted()


def expanded(expander: "Expander", text: str) -> "Expansion":
    """What to search beside the words of a question; nothing, and why, if the expander fails."""
    try:
        return within(expander.budget_s, lambda: expander.expand(text)), None
    except ModelError as error:
        return (), error


def intent(text: str, now: int | None = None, phrases: "Sequence[str]" = ()) -> Intent:
    """The intent of a query; time expressions are parsed only if `now` (UTC milliseconds) is given.

    `phrases` are those that its expander gave.
    """
    said = tuple(words(text))
    run = f" {' '.join(said)} "
    identifiers = tuple(dict.fromkeys(_identifiers(text)))
    form = IDENTIFIER if identifiers else SEMANTIC
    # Lists: a generator of 130 phrases takes three times as long, for every query.
    if [one for one in _STRUCTURAL if one in run and f" {one} " in run]:
        form = STRUCTURAL
    kinds = [
        kind
        for kinds, phrases in _WANTED
        if [one for one in phrases if one in run and f" {one} " in run]
        for kind in kinds
    ]
    return Intent(
        form=form,
        kinds=tuple(dict.fromkeys(kinds)),
        identifiers=identifiers,
        names=tuple(dict.fromkeys(_names(text))),
        phrases=tuple(phrases),
        period=None if now is None else period(text, said, now),
        language=language(text, said),
        calling=_calling(said),
        marked=has_mark(text),
        written=frozenset(token.strip(_AROUND) for token in text.split()),
    )


def has_mark(text: str) -> bool:
    """Whether a text contains a question mark."""
    return bool([mark for mark in MARKS if mark in text])


def _calling(said: "tuple[str, ...]") -> bool:
    """Whether the words of a query ask for the users of something."""
    if not _USE_PHRASES.isdisjoint(pairwise(said)):
        return True
    first, second, third, *_ = (*said, "", "", "")
    if first == "where":
        return second in {"is", "are"} and not _USED.isdisjoint(said)
    if first not in {"who", "what", "which"}:
        return False
    return second in _USES or (first != "who" and third in _USES and second != "does")


def _identifiers(text: str) -> "Iterator[str]":
    for token in text.split():
        bare = token.strip(_AROUND)
        called = token.rstrip(".,;:!?").endswith("()") and bare.replace(".", "").isidentifier()
        if called or is_identifier(bare):
            yield bare


def is_identifier(token: str) -> bool:
    """Whether a token is a name in code: a path, a file, or a dotted, joined or camel-case name."""
    if not token.isascii() or "@" in token or "://" in token:
        return False
    if token.startswith("--"):
        return token[2:3].isalpha()
    if "/" in token:
        parts = [part for part in token.split("/") if part]
        return token[0] in "/.~" or len(parts) > _STEPS or any(map(is_identifier, parts))
    if "::" in token:
        return True
    if "." in token:
        parts = token.split(".")
        if parts[-1].lower() in _ENDINGS:
            return any(map(str.isalpha, parts[0]))
        whole = len(parts[0]) > 1 and all(map(str.isidentifier, parts))
        return whole and parts[-1].lower() not in _SITES
    if "_" in token.strip("_"):
        return token.isidentifier()
    return token.isidentifier() and _is_camel(token)


def _is_camel(token: str) -> bool:
    return any(a.islower() and b.isupper() for a, b in pairwise(token))


def _names(text: str) -> "Iterator[str]":
    """Runs of capitalised words within a sentence, without stop words, months and weekdays."""
    run: list[str] = []
    begins = True
    for token in text.split():
        word = token.strip(_AROUND).removesuffix("'s").removesuffix("’s")
        common = word.lower() in STOP_WORDS["en"] or word.lower() in CALENDAR
        named = word[:1].isupper() and not begins and not common and not is_identifier(word)
        if run and (not named or token[0] in _AROUND):
            yield " ".join(run)
            run = []
        if named:
            run.append(word)
        begins = token.endswith(_SENTENCE_ENDS)
        if run and token[-1] in _AROUND:
            yield " ".join(run)
            run = []
    if run:
        yield " ".join(run)


def _phrases(text: str) -> "Iterator[str]":
    for opening, closing in _QUOTES:
        if opening == closing:
            found = text.split(opening)[1:-1:2]
        else:
            opened = (part.partition(closing) for part in text.split(opening)[1:])
            found = [phrase for phrase, closed, _ in opened if closed]
        for phrase in found:
            if 1 < len(phrase.strip()) <= _LONGEST_PHRASE and "\n" not in phrase:
                yield phrase.strip()
