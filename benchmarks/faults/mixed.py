"""Mixed writes by seed, and the content that a store must have after them.

The expected content is computed from the acknowledgements alone: of the answers of the store only the ids
of new memories are used. An act under way when the process died happened wholly or not at all, unless it
takes several transactions: then each memory and each file is the old one or the new one.
"""

import json
import os
import random
from collections.abc import Callable
from typing import Any

from bowerbird import Bowerbird
from bowerbird.core.types import STATES
from bowerbird.storage.sqlite.file.connection import connect

Act = dict[str, Any]
# The clock advances with each act, so that what is written first is older.
START = 1_767_225_600_000
STEP = 1_000
HOUR = 3_600_000
FILES = 4
PARAGRAPHS = 6
# Each takes several transactions.
PIECEWISE = {"prune", "index"}
_ALIVE = {"active", "quarantined"}
_WEIGHTS = {
    "remember": 6,
    "repeat": 3,
    "extend": 2,
    "link": 3,
    "forget": 3,
    "revert": 3,
    "fleeting": 1,
    "prune": 1,
    "index": 20,
}
# After this many acts files may be indexed.
_INDEXED = 8
# With fewer active memories, only new ones are written.
_FEW = 4
_KIND = "example_of"
_NAMES = "heron otter badger lynx marten kestrel plover avocet weasel bittern merlin curlew".split()
_THINGS = (
    "valve ledger lantern anvil spindle bellows chisel trowel gasket pulley winch sieve".split()
)
_PLACES = "attic cellar quarry jetty orchard kiln granary foundry stable mill chapel dairy".split()


class Expected:
    """The expected content of a store: memories by id, manual links, and files with their words."""

    def __init__(self) -> None:
        self.now = START
        self.number = 0
        self.memories: dict[str, tuple[str, frozenset[str], bool]] = {}
        self.days: dict[str, int] = {}
        self.links: set[tuple[str, str, str]] = set()
        self.files: dict[str, Any] = {}
        self.last: dict[str, Act] = {}

    def revertible(self) -> list[str]:
        """The memories that the last act changed: later acts may have flagged or settled others."""
        return sorted(id for id, act in self.last.items() if act["number"] == self.number)

    def copy(self) -> "Expected":
        """A copy."""
        twin = Expected()
        twin.now, twin.number = self.now, self.number
        twin.memories, twin.days = dict(self.memories), dict(self.days)
        twin.links, twin.files, twin.last = set(self.links), dict(self.files), dict(self.last)
        return twin

    def alive(self) -> list[str]:
        """The active memories, oldest first."""
        return [id for id, (_, _, alive) in self.memories.items() if alive]

    def _let_go(self, id: str) -> None:
        text, tags, _ = self.memories[id]
        self.memories[id] = (text, tags, False)
        self.last.pop(id, None)

    def after(self, act: Act, made: str | None) -> None:
        """Apply an act that happened; `made` is the id of the memory that it created, if any."""
        verb, id = act["verb"], act.get("id", "")
        self.now, self.number = act["now"], act["number"]
        if made:
            self._make(act, made)
        elif verb == "repeat":
            text, tags, alive = self.memories[id]
            self.memories[id] = (text, tags | {act["tag"]}, alive)
            self.last[id] = act
        elif verb == "link":
            self.links.add((id, act["target"], act["kind"]))
            self.last[id] = act
        elif verb == "forget":
            self._let_go(id)
            self.last[id] = act
        elif verb == "revert":
            self._revert(id)
        elif verb == "prune":
            for one in self.alive():
                if self.days.get(one, self.now + 1) <= self.now:
                    self._let_go(one)
        elif verb == "index":
            self.files = dict.fromkeys(act["files"], act["word"])

    def _make(self, act: Act, made: str) -> None:
        tags = frozenset(act["tags"])
        if act["verb"] == "extend":
            tags |= self.memories[act["id"]][1]
            self._let_go(act["id"])
        self.memories[made] = (act["text"], tags, True)
        if act["verb"] == "fleeting":
            self.days[made] = act["expires"]

    def _revert(self, id: str) -> None:
        last = self.last.pop(id)
        text, tags, alive = self.memories[id]
        if last["verb"] == "repeat":
            tags -= {last["tag"]}
        elif last["verb"] == "link":
            self.links.discard((id, last["target"], last["kind"]))
        else:
            alive = True
        self.memories[id] = (text, tags, alive)

    def items(self) -> dict[Any, Any]:
        """The content as a table, for comparison."""
        compared: dict[Any, Any] = dict(self.memories)
        compared.update(dict.fromkeys(self.links, True))
        compared.update(self.files)
        return compared


class Choice:
    """Chooses the next act, by seed and expected content."""

    def __init__(self, seed: str, notes: str) -> None:
        self._random = random.Random(seed)  # noqa: S311
        self._notes = notes

    def next(self, expected: Expected) -> Act:
        """An act that is possible with the expected content."""
        draw = self._random
        alive = [id for id in expected.alive() if id not in expected.days]
        verb = self._verb(expected, alive)
        act: Act = {
            "verb": verb,
            "now": expected.now + STEP,
            "number": expected.number + 1,
            "tags": [],
        }
        if verb in {"remember", "fleeting"}:
            one, thing, place = draw.choice(_NAMES), draw.choice(_THINGS), draw.choice(_PLACES)
            act["text"] = f"The {thing} of {one} {expected.number} is kept in the {place}"
            act["tags"] = draw.sample(_PLACES, draw.randrange(3))
            if verb == "fleeting":
                act["expires"] = act["now"] + HOUR
        elif verb == "prune":
            act["now"] += 2 * HOUR
        elif verb == "index":
            act["word"] = f"word{expected.number}"
            act["files"] = [os.path.join(self._notes, f"{n}.md") for n in range(FILES)]
        elif verb == "revert":
            act["id"] = draw.choice(expected.revertible())
        else:
            act["id"] = draw.choice(alive)
            self._about(act, expected, alive)
        return act

    def _verb(self, expected: Expected, alive: list[str]) -> str:
        verbs = dict(_WEIGHTS)
        if len(alive) < _FEW:
            return "remember"
        if not expected.revertible():
            del verbs["revert"]
        if expected.number % _INDEXED:
            del verbs["index"]
        return self._random.choices([*verbs], [*verbs.values()])[0]

    def _about(self, act: Act, expected: Expected, alive: list[str]) -> None:
        draw, id = self._random, act["id"]
        text = expected.memories[id][0]
        if act["verb"] == "link":
            # An existing link would be no change, and could not be reverted.
            targets = [one for one in alive if one != id and (id, one, _KIND) not in expected.links]
            if targets:
                act["target"], act["kind"] = draw.choice(targets), _KIND
                return
            act["verb"] = "repeat"
        if act["verb"] == "repeat":
            act["text"], act["tag"] = text, f"tag{expected.number}"
        elif act["verb"] == "extend":
            act["text"] = f"{text} and came from the {draw.choice(_PLACES)}"


def do(bird: Bowerbird, act: Act) -> str | None:
    """Run an act through the public verbs; returns the id of a new memory. Raises what they raise."""
    verb = act["verb"]
    if verb in {"remember", "fleeting", "extend"}:
        return bird.remember(act["text"], tags=act["tags"], expires=act.get("expires")).id
    if verb == "repeat":
        bird.remember(act["text"], tags=[act["tag"]])
    elif verb == "link":
        bird.link(act["id"], act["target"], act["kind"])
    elif verb == "forget":
        bird.forget(act["id"])
    elif verb == "revert":
        bird.revert(act["id"])
    elif verb == "prune":
        bird.prune()
    else:
        write_notes(act)
        bird.index(os.path.dirname(act["files"][0]))
    return None


def write_notes(act: Act) -> None:
    """The files that an act of indexing reads."""
    os.makedirs(os.path.dirname(act["files"][0]), exist_ok=True)
    for number, path in enumerate(act["files"]):
        said = [
            f"# Part {n}\n\n{act['word']} of {number} in {n}. {'It says so. ' * 9}"
            for n in range(PARAGRAPHS)
        ]
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n\n".join(said))


def opened(path: str, now: Callable[[], int]) -> Bowerbird:
    """Open the store as the acts do."""
    return Bowerbird.open(path, project="shop", clock=now)


def contents(path: str, now: int) -> dict[Any, Any]:
    """The content of a store, in the form of `Expected.items`."""
    found: dict[Any, Any] = {}
    with opened(path, lambda: now) as bird:
        for entry in bird.list(memories_only=True, limit=100_000, states=[*STATES]):
            found[entry.id] = (entry.text, frozenset(entry.tags), entry.state in _ALIVE)
    connection = connect(path, write=False)
    rows = "SELECT source, target, kind FROM relation WHERE present = 1 AND automatic = 0"
    found.update(dict.fromkeys(connection.execute(rows), True))
    whole = (
        "SELECT d.path, count(*), min(substr(e.text, instr(e.text, 'word'), 12)), group_concat(e.text)"
        " FROM document d JOIN facet f ON f.document = d.id JOIN entry e ON e.id = f.id GROUP BY d.path"
    )
    for name, _, word, text in connection.execute(whole):
        first = str(word).split()[0]
        mixed = str(text).count(f"{first} of") != PARAGRAPHS
        found[name] = f"mixed: {text}" if mixed else first
    connection.close()
    return found


def judged(found: dict[Any, Any], before: Expected, act: Act | None) -> tuple[Expected, list[str]]:
    """The content after an act that may have happened, from what was found, and what is wrong with it."""
    olds = before.items()
    if act is None:
        return before, differences(olds, found)
    after = before.copy()
    made = None
    if act["verb"] in {"remember", "fleeting", "extend"}:
        new = {id: one for id, one in found.items() if id not in olds and isinstance(one, tuple)}
        made = next((id for id, one in new.items() if one[0] == act["text"]), None)
    after.after(act, made)
    news = after.items()
    if found == news:
        return after, []
    if found == olds:
        before.now, before.number = act["now"], act["number"]
        return before, []
    if act["verb"] not in PIECEWISE:
        wrong = differences(olds, found)
        return before, [f"{json.dumps(act)} is half done: {one}" for one in wrong]
    wrong = [
        f"{key}: {found.get(key)}"
        for key in {*olds, *news, *found}
        if found.get(key) != olds.get(key) and found.get(key) != news.get(key)
    ]
    between = before.copy()
    between.now, between.number = act["now"], act["number"]
    for id in between.memories:
        if between.memories[id][2] and not (id in found and found[id][2]):
            between._let_go(id)  # noqa: SLF001 its own kind
    between.files = {path: found[path] for path in news if path in after.files and path in found}
    return between, wrong


def differences(expected: dict[Any, Any], found: dict[Any, Any]) -> list[str]:
    """The differences to what was acknowledged, in words."""
    return [
        f"{key}: expected {expected.get(key)}, found {found.get(key)}"
        for key in {*expected, *found}
        if expected.get(key) != found.get(key)
    ]


def sound(path: str) -> list[str]:
    """The damage that the product's own check finds in the file, its rows and its words."""
    with opened(path, lambda: START) as bird:
        return [f"{one.hurt} {one.entry}: {one.told}" for one in bird.admin.verify().damages]
