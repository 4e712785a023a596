"""WordPiece tokens as in uncased BERT: words in lower case without accents, split into known pieces.

After Devlin et al., 2018 (`BertTokenizer`): control characters are dropped, each Chinese character and
each punctuation mark is a word of its own, and words are split from the left by longest match.
"""

import unicodedata

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.models.embed.tokentable import TokenTable

FIRST = b"[CLS]"
LAST = b"[SEP]"
UNKNOWN = b"[UNK]"
# Words with more letters count as unknown, as in BERT: hashes and encoded data.
LONGEST_WORD = 100
# Maximum characters of a text read per requested token; words are shorter on average.
CHARACTERS_A_TOKEN = 16
# Words cached with their pieces, about 200 bytes each. Splitting one takes 10 to 40 µs, embedding a text
# of twenty 12 ms.
CACHED_WORDS = 4_096
# ASCII characters that count as punctuation although Unicode calls them symbols.
_MARKS = frozenset("$+<=>^`|~")
# Categories of characters that are dropped: combining accents, control and format characters.
_DROPPED = frozenset(("Mn", "Cf", "Co", "Cn"))
# The blocks of Chinese characters: first, last.
_CHINESE = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


class WordPiece:
    """Splits texts into rows of a `TokenTable`."""

    def __init__(self, tokens: "TokenTable") -> None:
        self._tokens = tokens
        self._known: dict[str, tuple[int, ...]] = {}
        self._first, self._last, self._unknown = map(tokens.find, (FIRST, LAST, UNKNOWN))

    def rows(self, text: str, most: int) -> list[int]:
        """The rows of a text with the start and end tokens, at most `most`."""
        rows = [self._first]
        for word in _words(text[: most * CHARACTERS_A_TOKEN]):
            rows += self._known.get(word) or self._cut(word)
            if len(rows) >= most:
                break
        return [*rows[: most - 1], self._last]

    def _cut(self, word: str) -> tuple[int, ...]:
        rows: list[int] = []
        start, find = 0, self._tokens.find
        if len(word) > LONGEST_WORD:
            return (self._unknown,)
        while start < len(word):
            prefix = "##" if start else ""
            for end in range(len(word), start, -1):
                row = find((prefix + word[start:end]).encode("utf-8", "replace"))
                if row >= 0:
                    rows.append(row)
                    start = end
                    break
            else:
                return (self._unknown,)
        if len(self._known) >= CACHED_WORDS:
            self._known.clear()
        found = self._known[word] = tuple(rows)
        return found


def _words(text: str) -> "Iterator[str]":
    """Words in lower case without accents; punctuation and Chinese characters one by one."""
    if not text.isascii():
        spaced = "".join(f" {one} " if _is_chinese(one) else one for one in text)
        plain = unicodedata.normalize("NFD", spaced.lower())
        text = "".join(one for one in plain if unicodedata.category(one) not in _DROPPED)
    for run in text.lower().split():
        if run.isalnum():
            yield run
            continue
        start = 0
        for end, one in enumerate(run):
            if unicodedata.category(one).startswith("P") or one in _MARKS:
                if end > start:
                    yield run[start:end]
                yield one
                start = end + 1
        if start < len(run):
            yield run[start:]


def _is_chinese(one: str) -> bool:
    code = ord(one)
    return any(low <= code <= high for low, high in _CHINESE)
