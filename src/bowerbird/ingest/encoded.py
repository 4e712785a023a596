"""Takes encoded data out of a file's text: base64, hexadecimal digits, noise hold no word to be found.

Each piece of it would cost as a word that nobody knows: it would be judged as a secret, cut for the model
and be given rows of its own. 4 MB of it took 8 s.
"""

import re
import zlib

# A file with less of it is left as it is: keys, checksums and the hashes of packages may be looked for.
FEWEST_ENCODED = 65_536
# The characters of one line of it, and those from which neighbours on one line or several are a run. No
# quotation marks: what JSON and code are made of stays.
_WORD = re.compile(r"[!#-&(-\[\]-~]{40,}")
_RUN = 1_024
# What may stand between two lines: an indentation, quotation marks, a sign that joins strings.
_GAP = 16
# The share of its size that zlib leaves of the beginning of a run: .85 of base85, .76 of base64, .57 of
# hexadecimal digits; of paths, long names and packed code less than .45. With other signs it has to be
# more than base64 has.
_SAMPLE = 4_096
_LEAST_LEFT = 0.5
_LEAST_LEFT_OF_SIGNS = 0.7
# The same of a block of whatever characters, which prose and code leave at most .6 of.
_PLAIN = str.maketrans("", "", "+/=_-")


def without_encoded(text: str) -> tuple[str, str]:
    """The text without its encoded data, every line in its place, and what was left out."""
    if len(text) < FEWEST_ENCODED:
        return text, ""
    whole = len(text)
    found = [span for run in _runs(text) if _is_encoded(text, run) for span in run]
    if sum(end - start for start, end in found) >= FEWEST_ENCODED:
        text = _without(text, found)
    noise = _noise(text)
    if sum(end - start for start, end in noise) >= FEWEST_ENCODED:
        text = _without(text, noise)
    left_out = whole - len(text)
    return text, f"{left_out:,} characters of encoded data are left out" if left_out else ""


def _without(text: str, spans: "list[tuple[int, int]]") -> str:
    """The text without some spans, whose line ends stay."""
    parts: list[str] = []
    at = 0
    for start, end in spans:
        parts += text[at:start], "\n" * text.count("\n", start, end)
        at = end
    parts.append(text[at:])
    return "".join(parts)


def _noise(text: str) -> "list[tuple[int, int]]":
    """The blocks of a text that hold random characters, also where blanks part them; none of JSON."""
    if text[:_SAMPLE].lstrip()[:1] in ("{", "["):
        return []
    starts = range(0, len(text) - _SAMPLE, _SAMPLE)
    return [(at, at + _SAMPLE) for at in starts if _is_noise(text[at : at + _SAMPLE])]


def _is_noise(block: str) -> bool:
    left = len(zlib.compress(block.encode(), 1)) if block.isascii() else 0
    return left >= _LEAST_LEFT_OF_SIGNS * len(block)


def _runs(text: str) -> "list[list[tuple[int, int]]]":
    """The words as long as lines of encoded data, those together that stand behind one another."""
    runs: list[list[tuple[int, int]]] = []
    at = -_GAP
    for word in _WORD.finditer(text):
        start, end = word.span()
        if start - at > _GAP or not runs:
            runs.append([])
        runs[-1].append((start, end))
        at = end
    return runs


def _is_encoded(text: str, run: "list[tuple[int, int]]") -> bool:
    if sum(end - start for start, end in run) < _RUN:
        return False
    sample = "".join(text[start : min(end, start + _SAMPLE)] for start, end in run[:_SAMPLE])
    data = sample[:_SAMPLE]
    least = _LEAST_LEFT if data.translate(_PLAIN).isalnum() else _LEAST_LEFT_OF_SIGNS
    return len(zlib.compress(data.encode(), 1)) >= least * len(data)
