"""Tells a secret in a sentence from the sentence's other words, by its looks and by where it stands.

People tell a secret in countless sentences, so no list of them is kept. Each word that may be one gets
the sum of the weights of what is seen: what it is made of, whether dictionaries have it, which word for a
secret is how far away, what stands before and behind it. `benchmarks/told.py` fits the weights and tells
how well they do on sentences of an author whom they were not fitted to.
"""

import os
from bisect import bisect_left, bisect_right
from functools import lru_cache

from bowerbird.core.language import STOP_WORDS
from bowerbird.core.pattern import late
from bowerbird.core.text import fold
from bowerbird.guard import heuristics
from bowerbird.guard.automaton import pattern
from bowerbird.guard.verdicts import verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Found = tuple[int, int, str]

# A word for a secret is looked at with this many bytes before and behind it, on its line.
_BEFORE, _BEHIND = 300, 1_600
_FEWEST_WORDS = 3
_SHORTEST_LINE = 14
# A sentence consists of plain words for the most part; commands and code do not.
_PROSE = 0.4

# Of so many words a quarter are for secrets in no text that people write: it is a list of names.
_LIST, _NOUNS_OF = 40, 0.25

# What words for a secret stand for: what is chosen, what is drawn, what is digits, and where one enters.
_P, _K, _C, _L = "pkcl"
_NOUNS = {
    **dict.fromkeys(
        "pw pwd mdp clave senha palavra-passe heslo parola geslo lozinka salasana creds cred"
        " credential credentials zugangsdaten zugang identifiants credenciales credenciais credenziali"
        " inloggegevens".split(),
        _P,
    ),
    **dict.fromkeys(
        "clé clés chiave chave klucz ключ anahtar anahtarı seed jeton webhook mnemonic psk"
        " bearer".split(),
        _K,
    ),
    **dict.fromkeys("pin pins pincode puk passcode zugangscode türcode".split(), _C),
    **dict.fromkeys(
        "login logon signin ssh melde logg connecte connecter connectez entra entre accedi wifi"
        " wi-fi wlan vpn router bios unlock decrypt".split(),
        _L,
    ),
}
_CHOSEN = tuple(
    "passwor kennwor passphras passwd wachtwoord lösenord losenord adgangskod passord slaptažod hasł"
    " jelsz şifre парол contrase".split()
)
_DRAWN = tuple("token tokens secret secrets key keys apikey schlüssel sleutel nyckel".split())
_ENTERS = ("anmeld", "einlogg", "inlog", "entsperr", "eingelogg")
# With the word before them.
_PAIRS = {
    "passe": (_P, ("de",)),
    "paso": (_P, ("de",)),
    "in": (_L, ("log", "logged", "logging", "sign", "signed")),
    "on": (_L, ("log", "logged")),
} | dict.fromkeys(
    ("code", "codes"),
    (
        _C,
        tuple(
            "unlock door gate alarm arm disarm lock access entry recovery backup security panel safe"
            " 2fa mfa otp totp".split()
        ),
    ),
)
# A keyword is a part of a text: of a word this long, and of a shorter one with what stands behind it.
_LONG_NAME = 4
# Behind these “pass” is a noun, and no verb.
_PASS, _A_PASS = "pass", ("the", "with", "user")
_OF_A_PASS = ("old", "new", "sudo", "db", "pass", "wrong")
# A code of entering in other languages: code de secours, código de acceso.
_CODES = ("code", "codes", "código", "códigos", "codice", "codici")
_OF = ("de", "du", "do", "da", "del", "della", "d'accès", "d’accès", "di", "pin")
_FRENCH = ("de ", "du ", "d'", "d’", "pin")

# Classes of the words around: a few in each language, as the verbs of telling are.
_AROUND = {
    word: name
    for name, said in {
        "is": "is was are be ist war lautet lauten heißt est était es era é è foi to auf jetzt now just"
        " still reads literally ahora maintenant agora adesso nu теперь jest byla är er ser sein là"
        " bleibt stays it's c'est that's called",
        "with": "with using via mit avec con com met by w/ z s",
        "give": "use try enter type put answer give set take nimm nimmt gib tippe prends mets pon usa"
        " utilise tu usar digite gebruik neem inserisci tried meant meinte voulais quise bedoelde",
        "and": "and und et y e en och i oraz or oder ou o of either entweder soit",
        "as": "as als comme como come jako som",
        "not": "not no nicht kein keine pas non niet não nie не never without ohne sans sin",
        "the": "a an the der die das dem den ein eine la le les un une el los las os um uma il lo gli uno"
        " de het een my your our mein meine its this that dieses ce cette este esta",
        "user": "user username account admin root benutzer benutzername utilisateur identifiant usuario"
        " usuário utente gebruiker konto",
        "for": "for in into when at",
    }.items()
    for word in said.split()
}
_SIGNS = {
    ":": "colon",
    "=": "colon",
    ",": "comma",
    "/": "slash",
    "|": "slash",
    "(": "paren",
} | dict.fromkeys(">→—–", "arrow")
_OPENS = "\"'`“„«‘’([{<*_…"
_CLOSES = "\"'`”»“«’)]}>,;:…*#"
_QUOTES = "\"'`“”„«»‘’"
_WORD = late(r"\S+")
_QUOTED = late(r"(?<![^\s(:=])[\"“„«»‘']\s?([^\W\d_](?:[^\W\d_]|[ '’-]){4,60}?)\s?[\"”“»«’'](?!\w)")
_NUMBER = late(r"(?i)[#~<>≥≤+-]?\d+(?:[.,:/x×-]\d+)*(?:%|[a-z]{1,4})?|v?\d+(?:\.\d+)+\S*")
_GROUPED = late(r"\d(?:[- ]\d){3,7}")
_ADDRESS = late(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|[a-z][a-z0-9._-]*@[a-z][a-z0-9-]*|[\w-]+:.*")
# Dates, tickets, names of constants, checksums, numbers in other systems.
_TICKET = late(
    r"\d{4}-\d\d-\d\d.*|[A-Z]{2,6}(?:-\d+)+|[A-Z][A-Z0-9]*(?:_\w+)+|[0-9A-F]{32,}|0x.*"
    r"|[0-9a-f]{40}|[0-9a-f]{64}"
)
_ID = late(r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_COMMIT = late(r"[0-9a-f]{7,12}")
_DOTTED = late(r"[^\W\d_]{4,}(?:\.[^\W\d_]{6,})+")
_FILE = late(r"\.[a-z][a-z0-9]{0,4}")
_CODE = late(r"[{};=]|\(\)|->|::| --?\w")
# Of "unreachable", "misconfigured", "throttled": dictionaries have what they are made from.
_PREFIXES = ("un", "mis", "non", "re")
_SUFFIXES = ("able", "ible", "ed", "ing", "ish")
# In words: how far from a word for a secret one is looked for. In characters: signs around a word.
_REACH = 20
_MARKS = 6
_SHORTEST = 4
_SHORTEST_WORD = 6
_LONGEST = 200
_PIN = 8
_SEVERAL = 2
_LONG = 16
_SHORT = 8
_PHRASE = 12
# In words: how far a plain word may stand behind the word for a password.
_NEAR = 3
_FAR = 8
_USER_BEFORE = 6
# What stands before no plain word that is a secret, unless it is marked by quotes or brackets.
_NO_PLACE = ("other", "the", "not")
# To look a word up takes .2 ms if no dictionary has it.
_MOST_LOOKED_UP = 3
# To search the lists takes .8 ms, to split them 90 and then 3 µs: of 4 MB of random words 14,000 are
# looked up.
_WORTH_SPLITTING = 64
_searched = {"through": 0}
# In words: what is read on either side of the words for a secret: their reach, a phrase, its neighbours.
_AROUND_ONE = _REACH + _PHRASE + 8
# In words on either side: by them it is told whether the dictionaries have the sentence's language.
_BESIDE = 5
# Names behind this many are not searched for one by one: a list of them is.
_SEVERAL_NAMES = 12
# How much farther away a word in another sentence counts, and one that only says where one enters.
_APART, _ASIDE = 6, 3
# Kinds of words that nothing but their place tells from others.
_PLAIN = frozenset(("word", "camel", "hyphen", "dotted"))
_PHRASES = ("phrase", "two")
_GROUPS = {
    **dict.fromkeys(_PLAIN, "plain"),
    **dict.fromkeys(_PHRASES, "phrase"),
    "digits": "pin",
}
# Distances in words, up to each number.
_AWAY = ((0, "0"), (1, "1"), (3, "2-3"), (8, "4-8"), (1_000, "far"))
_BLANKS = " \xa0\u202f"
_LISTS = os.path.join(os.path.dirname(os.path.dirname(__file__)), "models", "embed", "weights")
_LANGUAGES = ("de", "es", "fr", "it", "nl", "pt")
# Forms of one word differ in at most this many letters behind at least four that they share.
_INFLECTION, _STEM = 3, 4


class _Word:
    __slots__ = ("begin", "end", "low", "noun", "sentence", "text")

    def __init__(self, begin: int, end: int, text: str, low: str, noun: str, sentence: int) -> None:
        self.begin, self.end, self.text, self.low = begin, end, text, low
        self.noun, self.sentence = noun, sentence


def keywords() -> str:
    """What every text has in small letters that has a word for a secret, between bars."""
    codes = [*_CODES[2:], *(f"code{s} {of}" for s in ("", "s") for of in _FRENCH), "-code"]
    pairs = [f"{one} {second}" for second, (_, first) in _PAIRS.items() for one in first]
    words = {*_CHOSEN, *_DRAWN, *_ENTERS, *pairs, *codes}
    for one in (*_NOUNS, _PASS, "pw"):
        words |= {one} if len(one) > _LONG_NAME else {f"{one} ", f"{one}:"}
    return "|".join(sorted(one for one in words if not any(a in one for a in words - {one})))


def secrets(data: bytes, at: int, start: int, stop: int) -> "tuple[list[Found], int]":
    """The secrets in the sentences around a place in a block, and how far they were read."""
    begin = max(data.rfind(b"\n", max(start, at - _BEFORE), at) + 1, start, at - _BEFORE)
    end = data.find(b"\n", at, min(stop, at + _BEHIND))
    end = min(stop, at + _BEHIND) if end < 0 else end
    # A word that is cut in two would be taken for another one.
    if begin and data[begin - 1 : begin] != b"\n":
        begin = max(begin, data.find(b" ", begin, at))
    if end < len(data) and data[end : end + 1] != b"\n":
        end = max(at + 1, data.rfind(b" ", at, end))
    # Fields of JSON are no sentence.
    if end - begin < _SHORTEST_LINE or b'":' in data[begin:end]:
        return [], end
    text = data[begin:end].decode("utf-8", "surrogateescape")
    found = []
    for one, other in told(text):
        first = begin + len(text[:one].encode("utf-8", "surrogateescape"))
        if verdict(data, first, first + 1):
            continue
        found.append(
            (first, first + len(text[one:other].encode("utf-8", "surrogateescape")), "password")
        )
    return found, end


def told(text: str) -> "Iterator[tuple[int, int]]":
    """Where the secrets in some sentences stand."""
    for begin, end, names in seen(text):
        of = weights()
        if of[""] + sum(of.get(name, 0.0) for name in names) > 0:
            yield begin, end


def seen(text: str) -> "Iterator[tuple[int, int, list[str]]]":
    """The words that may be secrets, each with what is seen of it."""
    said = _said_in(text.replace("\\n", "\n "))
    for one in said.candidates() if said and said.nouns else ():
        if one.may_be_one() and (names := one.seen()):
            yield one.begin, one.end, names


# Of a word, before its neighbours are known.
_MAY_NAME, _ODD, _LETTERS, _BEFORE_ONE, _MARKED = 1, 2, 4, 8, 16


def _said_in(text: str) -> "_Said | None":
    """The part of a text that may tell a secret: what is around the words for one, if there are any.

    What else stands in a text is only split: 4 MB of random words took 15 s while each was looked at.
    """
    low = text.lower()
    # A letter whose small form is two would move the places of all others.
    low = low if len(low) == len(text) else "".join(one.lower()[0] for one in text)
    data = low.encode("utf-8", "surrogateescape")
    names = pattern(named())
    if not names.search(data):
        return None
    spans: list[tuple[int, int]] = []
    at = read = 0
    for match in names.finditer(data):
        begin, end = match.span()
        if len(data) != len(text):
            read += len(data[at:begin].decode("utf-8", "surrogateescape"))
            begin, at, end = read, begin, read + len(match.group().decode("utf-8", "ignore"))
        if len(spans) == _SEVERAL_NAMES:
            spans.append((begin, len(text)))
            break
        spans.append((begin, end))
    # One word more on either side: a match may be a part of one.
    before = text[: spans[0][0]].rsplit(None, _AROUND_ONE + 1)
    behind = text[spans[-1][1] :].split(None, _AROUND_ONE + 1)
    first = len(before[0]) if len(before) > _AROUND_ONE + 1 else 0
    last = len(text) - len(behind[-1]) if len(behind) > _AROUND_ONE + 1 else len(text)
    raws = [(match.start(), match[0]) for match in _WORD.finditer(text, first, last)]
    begins = [begin for begin, _ in raws]
    # With blanks within one that is two words.
    nouns = {
        begins[at]
        for begin, end in spans
        for at in range(bisect_right(begins, begin) - 1, bisect_left(begins, end))
        if _marks(raws[at][1]) & _MAY_NAME
    }
    few = len(raws) < _FEWEST_WORDS or not nouns
    if few or (len(raws) > _LIST and len(nouns) > _NOUNS_OF * len(raws)):
        return None
    around = _OPENS + _CLOSES + ".?"
    plain = [raw.isalpha() or raw.strip(around).rstrip("!").isalpha() for _, raw in raws]
    if sum(plain) < _PROSE * len(raws):
        return None
    leads = _BEFORE_ONE
    for _, raw in raws:
        one = _marks(raw)
        if one & (_ODD | _MARKED) or (one & _LETTERS and leads & _BEFORE_ONE):
            return _Said(text, raws, nouns)
        leads = one
    return None


@lru_cache
def named() -> str:
    """A pattern for what a word for a secret consists of at least, in small letters."""

    def bounded(word: str, *, before: bool = True) -> str:
        begin = r"\b" if before and word[0].isascii() else ""
        end = r"\b" if word[-1].isascii() else ""
        return begin + word.encode().decode("latin-1") + end

    pairs = (
        rf"\b(?:{'|'.join(first)})[^a-z0-9]+{second}\b" for second, (_, first) in _PAIRS.items()
    )
    whole = map(bounded, (*_NOUNS, *_CODES, _PASS))
    ends = (bounded(word, before=False) for word in (*_DRAWN, "pw"))
    begins = (word.encode().decode("latin-1") for word in (*_CHOSEN, *_ENTERS))
    return "|".join((*begins, *ends, *whole, *pairs))


@lru_cache(8192)
def _marks(raw: str) -> int:
    value = raw.strip(_OPENS + _CLOSES + ".?")
    low = value.lower().rstrip("!")
    noun = bool(_one_noun(low)) or low in _PAIRS or low in _CODES or low == _PASS
    if value.isalpha() and value.islower():  # most words: looked at closely where one may stand
        kind = "" if noun or len(value) < _SHORTEST_WORD else "word"
    else:
        kind = "" if noun and low.isalpha() else _kind(value)
    leads = noun or raw[-1] in ":,/|(=>→—–-.!?" or _AROUND.get(low, "the") not in _NO_PLACE
    return (
        _MAY_NAME * noun
        | _ODD * bool(kind and kind not in _PLAIN)
        | _LETTERS * (kind in _PLAIN)
        | _BEFORE_ONE * (leads or low.endswith(("'s", "’s")))
        | _MARKED * (len(raw) > 1 and raw[0] in _OPENS)
    )


def _words(text: str, raws: list[tuple[int, str]], named: set[int]) -> list[_Word]:
    words: list[_Word] = []
    sentence, ended = 0, raws[0][0]
    before = ""
    for start, raw in raws:
        if "\n" in text[ended:start]:
            sentence += 1
        stop = start + len(raw)
        lead, word, low = _bare(raw)
        begin = start + lead
        end = begin + len(word)
        noun = ""
        if start in named:
            noun = _P if low == _PASS and text[end:stop][:1] == ":" else _noun(low, before)
        words.append(_Word(begin, end, word, low, noun, sentence))
        if low in _OF and before in _CODES:
            words[-2].noun = _C
        elif low in heuristics.ABOUT and len(words) > 1:
            words[-2].noun = ""  # a password's hash, a token's type
        before, ended = low, stop
        if raw[-1] in ".!?…" or (stop - end > 1 and text[end] in ".!?"):
            sentence += 1
    return words


@lru_cache(8192)
def _bare(raw: str) -> "tuple[int, str, str]":
    """A word without the signs around it, how many stand before it, and in small letters."""
    begin, end = 0, len(raw)
    while begin < end and raw[begin] in _OPENS:
        begin += 1
    while begin < end and raw[end - 1] in _CLOSES:
        end -= 1
    if end - begin > 1 and raw[end - 1] in ".?":
        end -= 1
        while begin < end and raw[end - 1] in _CLOSES:
            end -= 1
    word = raw[begin:end]
    return begin, word, word.lower().rstrip("!")


def _noun(low: str, before: str) -> str:
    if low == _PASS:
        return _P if _AROUND.get(before) in _A_PASS or before in _OF_A_PASS else ""
    pair = _PAIRS.get(low)
    if pair and before in pair[1]:
        return pair[0]
    return _one_noun(low)


@lru_cache(4096)
def _one_noun(low: str) -> str:
    """What a word for a secret stands for; empty for any other word."""
    if not low.isalnum() and any(sign in low for sign in "/_."):
        return ""  # of a name in code, or a path
    if low.endswith(("'s", "’s")):
        low = low[:-2]
    last = low.rpartition("-")[2]
    found = _NOUNS.get(low) or _NOUNS.get(last, "")
    if found:
        return found
    if any(stem in low for stem in _CHOSEN) or low.endswith("pw"):
        return _P
    if low.endswith(_DRAWN):
        return _K
    if last != low and last in ("code", "codes"):
        return _C
    return _L if low.startswith(_ENTERS) else ""


@lru_cache(4096)
def _kind(value: str) -> str:
    """What a word is made of, if it may be a secret."""
    # What is cut short by dots stands for a value.
    if (
        not _SHORTEST <= len(value) <= _LONGEST
        or ".." in value
        or "://" in value
        or "\\" in value
        or "'@'" in value
    ):
        return ""
    if not any(map(str.isalpha, value)):
        digits = value.rstrip("#")
        if digits.isdigit():
            year = len(digits) == len("2026") and digits[:2] in ("19", "20")
            return (
                ""
                if year
                else "digits"
                if len(digits) <= _PIN
                else "number"
                if len(digits) >= _LONG
                else ""
            )
        return "digits" if _GROUPED.fullmatch(value) else ""
    if len(value) < _SHORTEST_WORD or value[0] in "/.~@$#-" or not heuristics.argument(value):
        return ""
    if value.startswith(heuristics.PUBLIC) or _ADDRESS.fullmatch(value) or _TICKET.fullmatch(value):
        return ""
    if any(part in value.lower() for part in heuristics.FIELDS) or _ID.fullmatch(value):
        return ""
    if any(sign in value for sign in "()=<[]{}:→*'’"):
        return ""
    if "/" in value and "+" not in value:
        return ""
    return _with_digits(value) if any(map(str.isdigit, value)) else _of_letters(value.rstrip("!.?"))


def _with_digits(value: str) -> str:
    if _NUMBER.fullmatch(value) or value.lower().startswith(heuristics.TERMS):
        return ""
    if _COMMIT.fullmatch(value):
        return "hex"
    small = value == value.lower() and value.replace("_", "").replace("-", "").isalnum()
    if small and (
        value.count("_") > 1 or (not value.isalnum() and sum(map(str.isdigit, value)) < _SEVERAL)
    ):
        return ""
    if heuristics.strong_password(value) or heuristics.short_key(value) or heuristics.random(value):
        return "strong"
    name = value.replace("_", "").replace("-", "")
    if name.isalnum() and value == value.lower() and name != value:
        return "joined-small"
    if value.rstrip("0123456789").isalpha():
        return "word-digits"
    return "digits-within"


def _of_letters(value: str) -> str:
    if value.replace("'", "").replace("’", "").isalpha():
        if value.islower() or value.istitle():
            return "word"
        return "" if value.isupper() else "camel"
    if heuristics.joined_field(value) or heuristics.quoted_field(value):
        parts = value.split("+")
        return "" if len(parts) > 1 and all(one.istitle() for one in parts) else "joined"
    if _FILE.fullmatch(value[value.rfind(".") :]):
        return ""
    if any(sign in "!#$%^&*+" for sign in value):
        return "signed"
    if "_" in value:
        return ""
    # An abbreviation makes it a name: Face-ID.
    if "-" in value:
        return "" if any(map(str.isupper, value.split("-"))) else "hyphen"
    return "dotted" if _DOTTED.fullmatch(value) else ""


class _Said:
    """The words of some sentences."""

    def __init__(self, text: str, raws: list[tuple[int, str]], named: set[int]) -> None:
        self.text, self.coded = text, bool(_CODE.search(text))
        self.words = _words(text, raws, named)
        self.nouns = [at for at, word in enumerate(self.words) if word.noun]
        self._users = [
            at
            for at, word in enumerate(self.words)
            if word.noun == _L or _AROUND.get(word.low) == "user"
        ]
        self._looked_up = 0

    def candidates(self) -> "Iterator[_Candidate]":
        """What may be a secret: words, and several in quotes."""
        nouns = self.nouns
        for at, word in enumerate(self.words):
            near = bisect_left(nouns, at - _REACH)
            if near == len(nouns) or nouns[near] > at + _REACH or self._is_aside(at):
                continue
            kind = _kind(word.text)
            if kind and not (word.noun and word.low.isalpha()):
                yield _Candidate(self, at, (word.begin, word.end), kind)
        first, last = self.words[0].begin, self.words[-1].end
        for match in _QUOTED.finditer(self.text, first, last + 1) if not self.coded else ():
            count = match[1].count(" ") + 1
            if 1 < count <= _PHRASE:
                begin = match.start(1)
                at = next(at for at, word in enumerate(self.words) if word.end > begin)
                kind = "phrase" if count > len(_PHRASES) else "two"
                yield _Candidate(self, at, match.span(1), kind, count)

    def _is_aside(self, at: int) -> bool:
        """Whether it is a plain unmarked word, behind no user's name and far from a word for a secret.

        Most words are, and what a word is made of is a hundred times as dear to tell.
        """
        word, nouns = self.words[at], self.nouns
        if not (word.text.isalpha() and word.text.islower()):
            return False
        near = bisect_left(nouns, at - _NEAR - 1)
        if near < len(nouns) and nouns[near] <= at + _NEAR + 1:
            return False
        blank = at and self.text[self.words[at - 1].end : word.begin] == " "
        return bool(blank) and not self.user_before(at)

    def user_before(self, at: int) -> bool:
        """Whether a user, or where one enters, is named in the words before one."""
        users = self._users
        near = bisect_left(users, at - _USER_BEFORE)
        return near < len(users) and users[near] < at

    def unknown(self, at: int) -> bool:
        """Whether the dictionaries have most of the words beside one, and not that one."""
        self._looked_up += 1
        if self._looked_up > _MOST_LOOKED_UP or known(self.words[at].low.rstrip("!.?")):
            return False
        beside = (*self.words[max(0, at - _BESIDE) : at], *self.words[at + 1 : at + _BESIDE])
        long = [word.low for word in beside if len(word.low) >= _STEM and word.low.isalpha()]
        others = len(long) - len(long) // 2  # so many unknown ones: the rest need not be looked up
        return len(long) > 1 and all(known(one) or (others := others - 1) > 0 for one in long)


class _Candidate:
    """A word that may be a secret, and where it stands."""

    def __init__(
        self, said: _Said, at: int, span: "tuple[int, int]", kind: str, count: int = 1
    ) -> None:
        self.begin, self.end = span
        self._said, self._at, self._kind, self._count = said, at, kind, count
        text, words = said.text, said.words
        ahead = text[max(0, self.begin - _MARKS) : self.begin]
        self._sign = ahead.rstrip(_QUOTES + _BLANKS)[-1:]
        self._quoted = bool(ahead) and ahead.rstrip(_BLANKS)[-1:] in _QUOTES
        self._before = _before(self._sign, words[at - 1].low if at else "")
        self._group = _GROUPS.get(kind, "odd")

    def _look_around(self) -> bool:
        """Finds the nearest word for a secret, and of what kinds there are in the sentence."""
        words, nouns, at = self._said.words, self._said.nouns, self._at
        sentence = words[at].sentence
        self._away, self._nearest = len(words) + _APART + _ASIDE, -1
        self._here = set()
        last = at + self._count
        for one in nouns[bisect_left(nouns, at - _REACH) : bisect_left(nouns, last + _REACH)]:
            if at <= one < last:
                continue
            noun = words[one]
            away = at - one - 1 if one < at else one - last
            away += _APART * (noun.sentence != sentence) + _ASIDE * (noun.noun == _L)
            if away < self._away:
                self._away, self._nearest = away, one
            if noun.sentence == sentence:
                self._here.add(noun.noun)
        if self._nearest < 0:
            return False
        noun = words[self._nearest]
        self._noun = noun.noun if noun.sentence == sentence else ""
        self._user = self._said.user_before(at)
        self._rest = self._said.text[self.end : self.end + _MARKS].lstrip(_QUOTES + _BLANKS + "#")[
            :1
        ]
        self._place = self._told()
        return True

    def may_be_one(self) -> bool:
        """Whether it stands where a secret of its kind does: code is full of tokens and odd words."""
        plain, marked = self._group == "plain", self._quoted or self._sign == "("
        if plain and (self._said.coded or (self._before in _NO_PLACE and not marked)):
            return False
        if not self._look_around():
            return False
        # “(user, password) (id)” are two things.
        between = self._said.text[self._said.words[self._nearest].end : self.begin]
        if between.replace(" ", "") == ")(":
            return False
        if plain:
            return self._may_be_plain(marked=marked)
        if self._kind == "digits":
            return _C in self._here or (self._noun == _P and self._away < _NEAR)
        if self._kind in ("strong", "number"):
            return True
        chosen = _P in self._here or (_L in self._here and self._user)
        close = self._place not in ("behind", "ahead")
        close = close or self._before in ("with", "give", "is", "slash")
        value = self._said.text[self.begin : self.end]
        far = self._kind in ("joined", "phrase", "two")
        far = far or (self._kind == "word-digits" and sum(map(str.isdigit, value)) == 1)
        return chosen and (close or not far)

    def _may_be_plain(self, *, marked: bool) -> bool:
        here, noun, away = self._here, self._noun, self._away
        near = self._nearest < self._at and noun == _P
        behind = self._nearest > self._at and away <= 1 and noun == _P
        if self._kind in ("hyphen", "dotted"):
            told_one = self._before in ("is", "with") and self._nearest < self._at
            told_one = told_one and noun in (_P, _L) and away <= _FAR + _ASIDE
            stands = told_one or behind or (marked and _P in here) or (near and not away)
            low = self._said.words[self._at].low
            return stands and heuristics.SMALL_WORDS.isdisjoint(low.split("-")[:2])
        stands = (near and away <= _NEAR) or behind or (self._user and bool(here & {_P, _L}))
        stands = stands or (marked and (_P in here or {_L, _K} <= here))
        return stands and (self._kind != "word" or self._said.unknown(self._at))

    def _told(self) -> str:
        """How it stands to the word for a secret."""
        words, at, noun, last = self._said.words, self._at, self._nearest, self._at + self._count
        if noun < at:
            if self._sign and self._sign in ":=(>→—–-":
                return {":": "colon", "=": "colon", "(": "paren"}.get(self._sign, "arrow")
            if words[at - 1].low.endswith(("'s", "’s")) or _AROUND.get(words[at - 1].low) == "is":
                return "told"
            return "direct" if noun == at - 1 else "behind"
        if self._rest and self._rest in ",(":
            return "named after"
        following = _AROUND.get(words[last].low, "") if last < len(words) else ""
        near = noun <= last + _NEAR
        return f"then {following}" if following in ("as", "is", "for") and near else "ahead"

    def _follows(self) -> str:
        words, last = self._said.words, self._at + self._count
        directly = self._said.text[self.end : self.end + 2].strip(_QUOTES)
        if not self._rest or directly in (".", "!", "?", ";", "\n") or self._rest in ".!?。":
            return "end"
        if self._rest in ",);":
            return "comma"
        return _AROUND.get(words[last].low if last < len(words) else "", "word")

    def seen(self) -> list[str]:
        """The names of its features."""
        group = self._group
        names = [
            *([f"with {one}" for one in sorted(self._here)] or ["apart"]),
            f"before {self._before}",
            self._place,
            f"then {self._follows()}",
            f"away {next(name for most, name in _AWAY if self._away <= most)}",
        ]
        names += [f"{group} {name}" for name in names] + [self._kind, group]
        names += [f"{group} quoted"] if self._quoted else []
        names += ["user"] if self._user else []
        names += ["code"] if self._said.coded else []
        return names + (self._made() if group == "odd" else [])

    def _made(self) -> list[str]:
        """What it is made of."""
        value = self._said.text[self.begin : self.end]
        names = ["long"] if len(value) >= _LONG else ["short"] if len(value) < _SHORT else []
        names += ["several digits"] if sum(map(str.isdigit, value)) > 1 else []
        names += ["mixed case"] if value != value.lower() and value != value.upper() else []
        stem = value.rstrip("0123456789!")
        if self._kind == "word-digits":
            names += ["stem"] if len(stem) >= _STEM else []
            names += ["stem known"] if len(stem) >= _STEM and known(stem) else []
            names += ["capitals"] if stem.isupper() else []
        return names


def _before(sign: str, before: str) -> str:
    if sign in _SIGNS:
        return _SIGNS[sign]
    if not before or sign in ".!?":
        return "start"
    if before.endswith(("'s", "’s")):
        return "is"
    return _AROUND.get(before, "noun" if _one_noun(before) else "other")


@lru_cache(1024)
def known(word: str) -> bool:
    """Whether a word, another form of it, or what it is made from in English is in a dictionary."""
    if _listed(word):
        return True
    bare = [word, *(word[len(one) :] for one in _PREFIXES if word.startswith(one))]
    stems = {rest[: -len(one)] for rest in bare for one in _SUFFIXES if rest.endswith(one)}
    made_from = {one for one in (*stems, *bare[1:]) if len(one) >= _STEM}
    return any(_listed(one) or _listed(f"{one}e") for one in made_from)


def _listed(word: str) -> bool:
    """Whether a word, or another form of it, is in one of the package's dictionaries."""
    folded = fold(word).encode()
    if any(word in stops for stops in STOP_WORDS.values()):
        return True
    _searched["through"] += 1
    if _searched["through"] > _WORTH_SPLITTING:
        if folded[:_STEM] not in _beginnings():
            return folded in _english_words()
        return any(_is_among(_entries(code), folded) for code in _LANGUAGES) or (
            folded in _english_words()
        )
    if any(_in_list(code, folded) for code in _LANGUAGES):
        return True
    # Beside the words of the longest list stand English ones.
    english = _list(_LANGUAGES[0])
    return b" " + folded + b"\n" in english or b" " + folded + b" " in english


@lru_cache
def _entries(code: str) -> list[bytes]:
    return [line.partition(b" ")[0] for line in _list(code).splitlines()]


@lru_cache
def _beginnings() -> frozenset[bytes]:
    """What a form of any word in the lists begins with: of random words nineteen in twenty do not."""
    return frozenset(entry[:_STEM] for code in _LANGUAGES for entry in _entries(code))


def _is_among(entries: list[bytes], word: bytes) -> bool:
    at = bisect_left(entries, word)
    return any(_is_form(word, one) for one in entries[max(0, at - 1) : at + 1])


@lru_cache
def _english_words() -> frozenset[bytes]:
    return frozenset(
        word for line in _list(_LANGUAGES[0]).split(b"\n") for word in line.split(b" ")[1:]
    )


def _in_list(code: str, word: bytes) -> bool:
    data = _list(code)
    low, high = 0, len(data)
    while low < high:
        middle = data.rfind(b"\n", low, (low + high) // 2) + 1
        middle = max(middle, low)
        line_end = data.find(b"\n", middle) + 1 or len(data)
        if data[middle:line_end].partition(b" ")[0] < word:
            low = line_end
        else:
            high = middle
    end = data.find(b"\n", low)
    entry = data[low:end].partition(b" ")[0]
    last = data[data.rfind(b"\n", 0, max(0, low - 1)) + 1 : max(0, low - 1)].partition(b" ")[0]
    return any(_is_form(word, one) for one in (entry, last))


def _is_form(word: bytes, other: bytes) -> bool:
    if word[:_STEM] != other[:_STEM]:
        return False
    least = min(len(word), len(other))
    shared = next((at for at in range(least) if word[at] != other[at]), least)
    return word == other or (
        shared >= _STEM and len(word) - shared <= _INFLECTION and len(other) - shared <= _INFLECTION
    )


@lru_cache
def weights() -> dict[str, float]:
    """The weight of each feature; of the empty name, what is added to all."""
    with open(os.path.join(os.path.dirname(__file__), "told.tsv"), encoding="utf-8") as file:
        rows = (line.rstrip("\n").split("\t") for line in file)
        return {name: float(weight) for name, weight in rows}


@lru_cache
def _list(code: str) -> bytes:
    with open(os.path.join(_LISTS, f"glosses-{code}.txt"), "rb") as file:
        return file.read()
