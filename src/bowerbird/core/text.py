"""Words, tokens and sentences of a text: one definition for the store, the models and the packer."""

import unicodedata
from functools import lru_cache
from operator import add

from bowerbird.core.errors import BadInput
from bowerbird.core.pattern import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# English function words, folded.
ENGLISH = frozenset(
    "a about above after again against all also am an and any are as at be because been before"
    " being below between both but by can could d did do does doing don down during each few"
    " for from further had has have having he her here hers herself him himself his how i if in"
    " into is it its itself just ll m me might more most must my myself no nor not now of off"
    " on once only or other our ours ourselves out over own re s same shall she should so some"
    " such t than that the their theirs them themselves then there these they this those"
    " through to too under until up us ve very was we were what when where which while who"
    " whom whose why will with would you your yours yourself yourselves".split()
)
# Patterns that a plain ASCII query does not need stay strings until they are used (`re` caches compiled
# ones): compiling them all costs a cold command 1.5 ms. Scripts written without spaces between words
# (Thai, Lao, Burmese, Khmer, Chinese, Japanese), and Hangul, where particles are attached to the word:
# searched by pairs of adjacent characters.
_UNSPACED_RUN = (
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0002ffff]+"
)
# Alphabets whose letters carry diacritics end below Thai; above, decomposing would take letters apart
# (Hangul into jamo, voiced kana into unvoiced).
_ACCENTED_RUN = "[\x80-\u0dff\u1e00-\u1fff]+"
# Besides those, letters of other shape and the same meaning: printed ligatures and the full-width forms
# among Chinese and Japanese.
_VARIED_RUN = "[\x80-\u0dff\u1e00-\u1fff\ufb00-\ufb06\uff10-\uff5a]+"
# Arabic attaches the article, "and" and "with" to the word, and writes some letters in two ways. What is
# stripped, while three letters stay, is what the light stemmer of Larkey et al. (2007) strips.
_ARABIC_BEFORE = r"\b(?:[وف]?(?:[بك]?ال|لل)|و)(?=\w{3})"
# The letters before are looked at last: at each character of a text they would take most of the time.
_ARABIC_AFTER = r"(?:ها|ان|ات|ون|ين|يه)\b(?<=\w{5})|[هي]\b(?<=\w{4})"
# Where a sentence may end before white space: not after a single letter ("J. Miller", "z. B.", "p.m."),
# a common abbreviation, with a number behind it ("Abs. 2", "Dec. 24"), or a full stop that makes a number
# an ordinal (“ab dem 1. Februar”, “am 3. und 4. Mai”, “bis 31. 12.”, “from 7.12. until 18.12.”).
STOP = (
    r"(?<!\b[^\W\d_]\.)(?<!\b(?:Dr|Mr|Ms|St|Mt|Fr|Hr|Nr|vs|cf|ca|lt)\.)"
    r"(?<!\b(?:Mrs|vgl|bzw|ggf|Tel|Str|Abt)\.)(?<!\b(?:Prof|inkl|exkl|evtl|zzgl|bzgl|dept)\.)"
    r"(?<!\bapprox\.)(?<=[.!?…])(?!(?<=[^\W\d_]\.)\s+\d)"
    r"(?!(?:(?<=\b\d\.)|(?<=\b\d\d\.))\s+(?:[a-zäöü]|\d{1,2}\."
    r"|(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)))"
)
_SENTENCE_END = rf"{STOP}\s+|(?<=[。！？])|\n\s*\n"
# Characters that change how a terminal or a model reads the text without being seen: C0/C1 controls
# except tab and line feed, bidirectional overrides, zero-width characters, Unicode tags, and variation
# selectors, which can encode a hidden text byte by byte.
INVISIBLE = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
# Letters of other alphabets that look like Latin ones, in this order.
ALIKE = "авсԁеһіјӏорԛѕԝхуАВСЕНІЈКМОРЅТХΑΒΕΖΗΙΚΜΝΟΡΤΥΧνο"
_LATIN = "abcdehijlopqswxyABCEHIJKMOPSTXABEZHIKMNOPTYXvo"
_TO_LATIN = str.maketrans(ALIKE, _LATIN)
# The only invisible characters that Python considers printable: the first bytes of Unicode tags in
# UTF-8.
_TAGS = "\U000e0000".encode()[:2]
_BETWEEN_WORDS = r"(?<=[^\s\0])\0+(?=[^\s\0])"
# The separator between the parts of one of Bowerbird's lines: a dot with blanks around it.
_DOT = r"(?<!\S)·|·(?!\S)"
_WORD = r"[^\W_]+"
_SPLIT_WORD = r"[^\W_]+(?: [^\W_]+)*"
# Translation tables for bytes: folded, or by letter case; bytes of non-ASCII characters are kept apart
# from both. Tables process plain text five times as fast as patterns.
_LETTERS = b"abcdefghijklmnopqrstuvwxyz"
_FOLDED = (
    b" " * 48 + b"0123456789" + b" " * 7 + _LETTERS + b" " * 6 + _LETTERS + b" " * 5
) + bytes(range(128, 256))
_CASES = b" " * 48 + b"0" * 10 + b" " * 7 + b"A" * 26 + b" " * 6 + b"a" * 26 + b" " * 5 + b"." * 128
# Where identifiers are split, by letter case in `_CASES`: after the first byte of one of these.
_SEAMS = (b"aA", b"0A", b"AAa")

_ASCII = bytes(range(128))

# Colours and cursor movements, as copied from a terminal's log.
_TERMINAL = r"\x1b\[[0-?]*[ -/]*[@-~]"
_TWO_BYTES = 0xFFFF
# Characters of an unspaced script that are indexed together.
PAIR = 2
# Bytes per token, for all budgets: a quarter of the UTF-8 bytes, rounded up.
BYTES_PER_TOKEN = 4


def count_tokens(text: str) -> int:
    """The tokens of a text as every budget counts them: ceil(UTF-8 bytes / 4)."""
    size = len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
    return -(-size // BYTES_PER_TOKEN)


def clean(text: str) -> str:
    """Text without lone surrogates, invisible and control characters; line ends become line feeds.

    Terminal sequences, such as colours, are removed completely. NUL separates words, as `find -print0`
    writes it: it becomes a blank between two of them, and is dropped at line ends.
    """
    if not may_hide(text):
        return text
    if "\x1b[" in text:
        text = re.sub(_TERMINAL, "", text)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.isascii():
        text = text.encode("utf-8", "replace").decode("utf-8")
    if "\0" in text:
        text = re.sub(_BETWEEN_WORDS, " ", re.sub(INVISIBLE.replace("\0", "\1", 1), "", text))
    return re.sub(INVISIBLE, "", text)


def may_hide(text: str) -> bool:
    """Whether a line may contain INVISIBLE characters, lone surrogates or line ends; usually it does not.

    Compiling the pattern that finds them costs a cold command as much as loading three modules.
    """
    return not text.isprintable() or _TAGS in text.encode()


def to_latin(word: str) -> str:
    """A word of several alphabets with its look-alike letters as the Latin ones they look like."""
    latin = word.translate(_TO_LATIN)
    return latin if latin.isascii() and any(char.isascii() for char in word) else word


def one_line(text: str) -> str:
    """A foreign name or remark as one part of a line of Bowerbird's, which it cannot end."""
    line = " ".join(clean(text).splitlines()).replace("\t", " ")
    return re.sub(_DOT, "•", line) if "·" in line else line


def fold(text: str) -> str:
    """Lower case without diacritics, as the full-text index and the models see words."""
    if text.isascii():
        return text.lower()
    return re.sub(_ACCENTED_RUN, _without_accents, text.lower())


def _without_accents(match: "re.Match[str]") -> str:
    decomposed = unicodedata.normalize("NFKD", match.group())
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def bare(text: str) -> str:
    """The letters by which words are searched: folded, and without vowel signs.

    The full-text index strips accents from Latin letters only, and ends a word at any mark: it would keep
    й where a query has и, and index Hindi and vocalised Arabic by single letters. So both are given base
    letters only. In the scripts of India these are the same for most forms of a word.
    """
    text = text.lower()
    if text.isascii() or all("\u2000" <= char < "\u2c00" for char in _beyond_ascii(text)):
        return text
    return _in_base_letters(text)


def _beyond_ascii(text: str) -> set[str]:
    """The characters of a text beyond ASCII: in most English texts only quotation marks and dashes."""
    others = text.encode("utf-8", "surrogatepass").translate(None, _ASCII)
    return set(others.decode("utf-8", "surrogatepass"))


def _in_base_letters(text: str) -> str:
    """The text with every run of letters beyond ASCII in base letters.

    All runs of the text at once, kept apart by a character that is in none: one by one they take several
    times as long, and in Arabic or Russian each word is one.
    """
    parts = re.split(f"({_VARIED_RUN})", text)
    if len(parts) > 1:
        parts[1::2] = _letters("\0".join(parts[1::2])).split("\0")
    return "".join(parts)


def _letters(runs: str) -> str:
    plain = _in_forms(runs.lower(), _PLAIN_FORMS)
    letters = _without_marks(unicodedata.normalize("NFKD", plain))
    if re.search("[\u0600-\u06ff]", letters):
        letters = re.sub(_ARABIC_BEFORE, "", _in_forms(letters, _ARABIC_FORMS))
        letters = re.sub(_ARABIC_AFTER, "", letters)
    return letters


class _Unmarked(dict[int, "int | None"]):
    """A table of translation that drops accents and vowel signs.

    It fills as characters are met, as far as two bytes name them: no text makes it grow beyond.
    """

    def __missing__(self, code: int) -> "int | None":
        found = None if unicodedata.category(chr(code))[0] == "M" else code
        if code <= _TWO_BYTES:
            self[code] = found
        return found


_UNMARKED = _Unmarked()
# Letters without a decomposition, as they are typed on a keyboard that lacks them.
_PLAIN_FORMS = dict(
    zip("ßæœøđðþłħı", ("ss", "ae", "oe", "o", "d", "d", "th", "l", "h", "i"), strict=True)
)
_ARABIC_FORMS = dict(zip("ىةیک\u0640", ("ي", "ه", "ي", "ك", ""), strict=True))


def _in_forms(text: str, forms: "dict[str, str]") -> str:
    """The text with some letters in other forms: most are in no text, and a search takes no time."""
    for letter, form in forms.items():
        if letter in text:
            text = text.replace(letter, form)
    return text


def _without_marks(text: str) -> str:
    """Without accents and vowel signs."""
    # Letters alone have none; what keeps runs apart is no letter.
    return text if text.replace("\0", "").isalnum() else text.translate(_UNMARKED)


def words(text: str) -> list[str]:
    """The bare words of a text in order: letters and digits; identifiers split at case and ``_``.

    Runs of scripts written without spaces come as pairs of neighbouring characters.
    """
    text = plain(text)
    data = text.encode("utf-8", "surrogatepass")
    data = _split(data, _seams(data.translate(_CASES)))
    if text.isascii():
        return data.translate(_FOLDED).decode().split()
    folded = segment(bare(data.decode("utf-8", "surrogatepass")))
    data = folded.encode("utf-8", "surrogatepass").translate(_FOLDED)
    found: list[str] = []
    for run in data.decode("utf-8", "surrogatepass").split():
        found += [run] if run.isalnum() else re.findall(_WORD, run)
    return found


def plain(text: str) -> str:
    """The text in ASCII if only its punctuation is not: dashes and curly quotation marks."""
    if text.isascii():
        return text
    for char in _beyond_ascii(text):
        if not "\u2000" <= char < "\u2c00" or char.isalnum():
            return text
    return text.encode("ascii", "replace").decode()


def _seams(cases: bytes) -> list[int]:
    """The offsets at which identifiers are split, in order."""
    found = []
    for seam in _SEAMS:
        at = cases.find(seam)
        while at >= 0:
            found.append(at + 1)
            at = cases.find(seam, at + 1)
    found.sort()
    return found


def _split(data: bytes, offsets: list[int]) -> bytes:
    """The same bytes with a blank at each of these offsets."""
    if not offsets:
        return data
    return b" ".join(map(data.__getitem__, map(slice, [0, *offsets], [*offsets, len(data)])))


@lru_cache(maxsize=4_096)
def spaced(text: str) -> str:
    """The words of a text in one string, each between blanks, and unsplit names too.

    To search it for many words: " word " is in it, or " prefix". This takes a third of the time of
    `words`, and nothing for a text that was read a moment ago: hits are read twice, and queries find the
    same entries.
    """
    text = plain(text)
    if not text.isascii():
        return f" {' '.join((*words(text), *together(text)))} "
    data = text.encode()
    cases = data.translate(_CASES)
    seams = _seams(cases)
    run = _split(data, seams).translate(_FOLDED).decode()
    if not seams:
        return f" {run} "
    names = " ".join(data[start:end].decode() for start, end, _ in _parted(cases, seams))
    return f" {run} {names.lower()} "


def together(text: str) -> dict[str, tuple[str, ...]]:
    """Names that are split at case changes, as one word, each with its parts: github for GitHub."""
    parted = (tuple(words(run)) for run in _parts(text.encode("utf-8", "surrogatepass")))
    return {"".join(parts): parts for parts in parted}


def _pairs(run: str) -> str:
    if not run.isalnum():  # no mark is
        run = _without_marks(run)
    return f" {' '.join(map(add, run, run[1:])) or run} "


def segment(text: str) -> str:
    """The text with unspaced scripts cut into overlapping pairs, so that a word index finds them.

    Character pairs measured nDCG .964 on Chinese questions where whole runs measured .11.
    """
    if text.isascii():
        return text
    parts = re.split(f"({_UNSPACED_RUN})", text)
    parts[1::2] = map(_pairs, parts[1::2])
    return "".join(parts)


def parted(text: str) -> list[str]:
    """The words of a text, each with the blanks behind it; of unspaced scripts the characters."""
    one = _UNSPACED_RUN.removesuffix("+")
    return re.findall(rf"{one}\s*|[^\s{one[1:-1]}]+\s*", text)


def is_unspaced(word: str) -> bool:
    """Whether a word is in a script that is searched by pairs of characters."""
    return segment(word) != word


def searchable(text: str) -> str:
    """The text for the full-text index: base letters outside ASCII, segmented, identifiers split.

    ASCII keeps its case, by which camelCase words are split; the parts are added.
    """
    if not text.isascii():
        text = segment(_in_base_letters(text))
    parts = _parts(text.encode("utf-8", "surrogatepass"))
    return text + "\n" + " ".join(parts) if parts else text


def _parts(data: bytes) -> list[str]:
    """The identifiers of a text that can be split, split."""
    cases = data.translate(_CASES)
    found = []
    for start, end, within in _parted(cases, _seams(cases)):
        run = _split(data[start:end], within).decode("utf-8", "surrogatepass")
        if run.isascii():
            found.append(run)
        else:
            # In other alphabets, letters belong to a word; dashes and quotation marks do not.
            found += [word for word in re.findall(_SPLIT_WORD, run) if " " in word]
    return found


def _parted(cases: bytes, seams: list[int]) -> "Iterator[tuple[int, int, list[int]]]":
    """The start and end of each identifier that can be split, and its offsets of splitting."""
    start = end = 0
    within: list[int] = []
    for at in seams:
        if at >= end:
            if within:
                yield start, end, within
            start = cases.rfind(b" ", 0, at) + 1
            end = cases.find(b" ", at)
            end = len(cases) if end < 0 else end
            within = []
        within.append(at - start)
    if within:
        yield start, end, within


def sentences(text: str) -> list[str]:
    """The sentences of a text, trimmed, none empty."""
    return [part.strip() for part in re.split(_SENTENCE_END, text) if part and part.strip()]


def summarise(text: str, limit: int = 160) -> str:
    """The first sentence, cut at a word before `limit` characters."""
    first = ""
    for one in sentences(text):
        first = f"{first} {one}".strip()
        if not first.endswith("…"):  # where words are left out it goes on
            break
    first = " ".join(first.split())
    if len(first) <= limit:
        return first
    cut = first.rfind(" ", 0, limit)
    return first[: cut if cut > limit // 2 else limit - 1].rstrip() + "…"


def normal_tag(tag: str) -> str:
    """A normalised tag: folded letters, vowel signs and digits of any script, and ``-_:@./+``.

    Those tell names apart: ``user:ada@x.org`` is not ``user:ada.x.org``. Any other character is a dash.
    """
    return _tag(tag, "-_:@./+")


def normal_tags(given: "Iterable[str]") -> list[str]:
    """Normalised tags, each once; a comma parts two."""
    parts = (one for tag in given for one in tag.split(",") if one.strip() or one == tag)
    return [*dict.fromkeys(map(normal_tag, parts))]


def plain_tag(tag: str) -> str:
    """A tag as stores had it that knew letters, digits, ``-`` and ``_`` only."""
    return _tag(tag, "-_")


def _tag(tag: str, kept: str) -> str:
    normal = "".join(
        char if char.isalnum() or char in kept or unicodedata.category(char)[0] == "M" else "-"
        for char in fold(tag).strip()
    ).strip("-")
    if not any(map(str.isalnum, normal)):
        raise BadInput(f"the tag {tag!r} holds no letter or digit", "name it in a word")
    return normal
