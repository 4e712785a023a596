"""Writes the lists by which the contextual model reads other languages than English word by word.

    python scripts/build_glosses.py FOLDER

FOLDER holds unpacked packages whose programs speak several languages (`SOURCES.md` beside the lists
names them; all from Debian's `main`): message catalogs (`.mo`, `.po`) and the names of Unicode's
characters (`annotations*/de.xml` …). What a message is in English and in another language is aligned
word by word (IBM model 1, Brown et al., 1993: each English word stems from one of the other text, and
the probabilities that make that likeliest). A word's gloss is the likeliest English word that is no
stop word, with a second one where it is about as likely. Of words whose neighbours in the list say the
same, one stays. Needs numpy, and some 20 s a language.
"""

from __future__ import annotations

import argparse
import gettext
import hashlib
import html
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import numpy as np

from bowerbird.core.language import GLOSSED, STOP_WORDS
from bowerbird.core.text import ENGLISH, words
from bowerbird.models.embed.glosses import INFLECTION, PART, WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# As catalogs are named that speak a language in one of its countries.
SPOKEN = {"pt": ("pt", "pt_BR", "pt-BR")}
# Words of a message that are aligned; messages of a language: more add rare names alone.
LONGEST, MESSAGES = 25, 120_000
ROUNDS = 6
# The least probability of a gloss: of a word that was seen in one message, of one seen in several, of a
# second word beside the first, and its share of the first's; of a stop word where nothing else tells,
# and in how many messages.
ONCE, OFTEN, SECOND, SHARE, STOP, SEEN = 0.3, 0.12, 0.3, 0.6, 0.3, 3
# What denies and what asks is not left out with the other words that carry grammar alone.
ASKING = {
    "de": "nicht=not kein=no keine=no keinen=no wann=when wer=who wo=where warum=why wie=how was=what",
    "fr": "pas=not qui=who quand=when ou=where comment=how combien=how_much pourquoi=why que=what"
    " quel=what quelle=what quels=what quelles=what",
    "es": "no=not quien=who cuando=when donde=where como=how cuanto=how_much cuantos=how_many"
    " por=why que=what cual=what",
    "it": "non=not chi=who quando=when dove=where come=how quanto=how_much quanti=how_many"
    " perche=why che=what quale=what cosa=what",
    "nl": "niet=not geen=no wie=who wanneer=when waar=where hoe=how hoeveel=how_much waarom=why"
    " wat=what welke=what",
    "pt": "nao=not quem=who quando=when onde=where como=how quanto=how_much quantos=how_many"
    " porque=why que=what qual=what",
}
_ENTRY = r'msgid ((?:"(?:[^"\\]|\\.)*"\s*)+)msgstr ((?:"(?:[^"\\]|\\.)*"\s*)+)'
_STRING = r'"((?:[^"\\]|\\.)*)"'
_MARKUP = r"<[^>]*>|%\d*\$?[sdi]|%\(\w+\)s|\$\w+|\{[^}]*\}"
_ACCELERATOR = r"[_&~](?=\w)"
_SENTENCES = r"(?<=[.!?…])\s+"


def messages(folder: Path, code: str) -> Iterator[tuple[str, str]]:
    """Messages in English and in a language."""
    for spoken in SPOKEN.get(code, (code,)):
        for path in sorted(folder.glob(f"**/{spoken}/LC_MESSAGES/*.mo")):
            with path.open("rb") as file:
                catalog = vars(gettext.GNUTranslations(file))["_catalog"]
            for key, text in catalog.items():
                english = key[0] if isinstance(key, tuple) else key
                if english and isinstance(text, str):
                    yield english.split("\x04")[-1].split("^")[-1], text
        for path in sorted(folder.glob(f"**/{spoken}.po")):
            for found in re.finditer(_ENTRY, path.read_text(encoding="utf-8", errors="replace")):
                ends = ("".join(re.findall(_STRING, one)) for one in found.groups())
                english, text = (end.replace("\\n", " ").replace('\\"', '"') for end in ends)
                yield english, text
    theirs = _names(folder, code)
    for key, name in _names(folder, "en").items():
        if key in theirs:
            yield name.replace("|", " "), theirs[key].replace("|", " ")


def _names(folder: Path, code: str) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    for path in sorted(folder.glob(f"**/annotations*/{code}.xml")):
        for one in ET.parse(path).iter("annotation"):  # noqa: S314 of a package
            found.setdefault((one.get("cp", ""), one.get("type", "")), one.text or "")
    return found


def sentences(folder: Path, code: str) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The folded words of sentences in English and in a language."""
    found = set()
    for pair in messages(folder, code):
        texts = [re.sub(_ACCELERATOR, "", re.sub(_MARKUP, "", html.unescape(one))) for one in pair]
        english, other = (re.split(_SENTENCES, text) for text in texts)
        both = zip(english, other, strict=True) if len(english) == len(other) else [tuple(texts)]
        for one, two in both:
            ends = tuple(words(one)), tuple(words(two))
            if all(0 < len(end) <= LONGEST for end in ends) and ends[0] != ends[1]:
                found.add(ends)
    every = sorted(found)
    return every[:: len(every) // MESSAGES + 1]


def aligned(
    pairs: list[tuple[tuple[str, ...], tuple[str, ...]]],
) -> dict[str, list[tuple[float, str]]]:
    """By word of the language its English words with their probabilities, the likeliest first."""
    english: dict[str, int] = {}
    other: dict[str, int] = {"": 0}
    keys, groups, group = [], [], 0
    for one, two in pairs:
        columns = np.array([english.setdefault(word, len(english)) for word in one])
        rows = np.array([0, *(other.setdefault(word, len(other)) for word in two)])
        keys.append(((rows[None, :] << 20) + columns[:, None]).ravel())
        groups.append(np.repeat(np.arange(group, group + len(columns)), len(rows)))
        group += len(columns)
    unique, places = np.unique(np.concatenate(keys), return_inverse=True)
    of = np.concatenate(groups)
    row = unique >> 20
    chance = np.ones(len(unique))
    for _ in range(ROUNDS):
        share = chance[places]
        share /= np.bincount(of, share)[of]
        count = np.bincount(places, share, len(unique))
        chance = count / np.bincount(row, count)[row]
    name, other_name = list(english), list(other)
    found: defaultdict[str, list[tuple[float, str]]] = defaultdict(list)
    for at in np.flatnonzero((chance > OFTEN / 2) & (count > OFTEN)):
        word = other_name[row[at]]
        found[word].append((float(chance[at]), name[unique[at] & ((1 << 20) - 1)]))
    return {word: sorted(likely, reverse=True) for word, likely in found.items() if word}


def glosses(folder: Path, code: str) -> dict[str, str]:
    """By folded word what it is in English."""
    pairs = sentences(folder, code)
    seen = Counter(word for _, two in pairs for word in set(two))
    found = {}
    for word, likely in aligned(pairs).items():
        if not word.isalpha() or len(word) == 1 or word in STOP_WORDS[code]:
            continue
        telling = [one for one in likely if one[1] not in ENGLISH and one[1].isalpha()]
        if telling and telling[0][0] >= (ONCE if seen[word] == 1 else OFTEN):
            best = telling[0][0]
            second = [one for chance, one in telling if chance >= max(SECOND, SHARE * best)]
            found[word] = " ".join(second[:2] or [telling[0][1]])
        elif not telling and likely[0][0] >= STOP and seen[word] >= SEEN and likely[0][1].isalpha():
            found[word] = likely[0][1]
    asking = (pair.split("=") for pair in ASKING[code].split())
    return found | {word: gloss.replace("_", " ") for word, gloss in asking}


def pruned(found: dict[str, str]) -> dict[str, str]:
    """Without forms whose shorter neighbour says the same."""
    kept: dict[str, str] = {}
    last = ""
    for word in sorted(found, key=str.encode):
        form = last and len(last) > PART and word.startswith(last)
        if form and len(word) - len(last) <= INFLECTION and kept[last] == found[word]:
            continue
        kept[word] = found[word]
        last = word
    return kept


def write(code: str, found: dict[str, str]) -> None:
    """Write the list of a language, sorted as bytes with the blank behind each word."""
    lines = sorted(f"{word} {gloss}\n".encode() for word, gloss in found.items())
    (Path(WEIGHTS) / f"glosses-{code}.txt").write_bytes(b"".join(lines))


def revision(codes: Iterable[str] = GLOSSED) -> str:
    """The first digits of the SHA-256 of all lists: `REVISION` in `bowerbird/models/embed/glosses.py`."""
    data = b"".join((Path(WEIGHTS) / f"glosses-{code}.txt").read_bytes() for code in codes)
    return hashlib.sha256(data).hexdigest()[:6]


def main() -> None:
    """Read the folder that is named, write the lists into the package."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    for code in GLOSSED:
        found = pruned(glosses(folder, code))
        write(code, found)
        print(code, len(found))
    print("REVISION", revision())


if __name__ == "__main__":
    main()
