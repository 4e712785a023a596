"""The labelled texts that the redactor is measured on: secrets made up by shape, and benign texts.

`shapes.jsonl` holds no secret, only templates, so that no scanner of repositories has anything to
find in it. What stands in « » is a secret that must not survive, what stands in single ones is
filler; both hold a small pattern language: characters, classes with a count (``[A-Z0-9]{16}``,
``{20,40}``) and choices (``(red|blue)``). A class with one character hides a word from scanners:
``PRIVATE [K]EY``.

Half of each kind is held out: rules are written looking at the other half alone.
"""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path
from typing import NamedTuple

SEED = "bowerbird-secrets-1"
HERE = Path(__file__).parent
DEV = "dev"
HELD = "held"


class Shape(NamedTuple):
    """A text with secrets in it, as it stands in a note, a log or a file."""

    id: str
    kind: str
    half: str
    text: str
    secrets: tuple[str, ...]


class Benign(NamedTuple):
    """A text without a secret; `source` says where it is from."""

    id: str
    source: str
    half: str
    text: str


def _rank(id: str) -> str:
    return hashlib.sha256(f"{SEED}:{id}".encode()).hexdigest()


def _halves(groups: dict[str, list[str]]) -> dict[str, str]:
    """Each id's half: of every group the first half in an order that only the seed knows."""
    halves = {}
    for ids in groups.values():
        for place, id in enumerate(sorted(ids, key=_rank)):
            halves[id] = DEV if 2 * place < len(ids) else HELD
    return halves


def _rows(name: str) -> list[dict[str, str]]:
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line]


def shapes() -> list[Shape]:
    """All synthetic secrets in their contexts; the same ones in every run."""
    rows = _rows("shapes.jsonl")
    groups: dict[str, list[str]] = {}
    for row in rows:
        groups.setdefault(row["kind"], []).append(row["id"])
    halves = _halves(groups)
    return [_shape(row["id"], row["kind"], halves[row["id"]], row["text"]) for row in rows]


def benign() -> list[Benign]:
    """All benign texts; the made-up ones are expanded like the secrets."""
    rows = _rows("benign.jsonl")
    groups: dict[str, list[str]] = {}
    for row in rows:
        groups.setdefault(row["source"].split("/")[0], []).append(row["id"])
    halves = _halves(groups)
    return [Benign(row["id"], row["source"], halves[row["id"]], _benign_text(row)) for row in rows]


def _benign_text(row: dict[str, str]) -> str:
    if row["source"] != "made":
        return row["text"]
    return _shape(row["id"], "", "", row["text"]).text


def _shape(id: str, kind: str, half: str, template: str) -> Shape:
    chance = random.Random(f"{SEED}:{id}")
    text: list[str] = []
    secrets: list[str] = []
    place = 0
    while place < len(template):
        char = template[place]
        if char not in "«‹":
            text.append(char)
            place += 1
            continue
        end = template.index("»" if char == "«" else "›", place)
        made = expand(template[place + 1 : end], chance)
        text.append(made)
        if char == "«":
            secrets.append(made)
        place = end + 1
    return Shape(id, kind, half, "".join(text), tuple(secrets))


def expand(pattern: str, chance: random.Random) -> str:
    """A random text of that shape."""
    made: list[str] = []
    place = 0
    while place < len(pattern):
        char = pattern[place]
        if char == "[":
            end = pattern.index("]", place + 1)
            letters = _letters(pattern[place + 1 : end])
            place = end + 1
            count = 1
            if pattern[place : place + 1] == "{":
                end = pattern.index("}", place)
                least, _, most = pattern[place + 1 : end].partition(",")
                count = chance.randint(int(least), int(most or least))
                place = end + 1
            made += chance.choices(letters, k=count)
        elif char == "(":
            end = pattern.index(")", place)
            made.append(chance.choice(pattern[place + 1 : end].split("|")))
            place = end + 1
        else:
            made.append(char)
            place += 1
    return "".join(made)


def _letters(inside: str) -> list[str]:
    letters: list[str] = []
    place = 0
    while place < len(inside):
        if inside[place + 1 : place + 2] == "-" and place + 2 < len(inside):
            letters += map(chr, range(ord(inside[place]), ord(inside[place + 2]) + 1))
            place += 3
        else:
            letters.append(inside[place])
            place += 1
    return letters
