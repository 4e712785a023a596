"""Three to five copies of a store that synchronise through folders which lose, cut and change files.

Each copy has a folder of its own and a clock that is up to a day wrong; a network carries files between
the folders: late, in any order, some of them cut, changed or under another name, and never between parts
that are separated. At the end all files arrive. Then every copy must hold the same, with everything that
was acknowledged anywhere.
"""

import json
import os
import random
import secrets
import shutil
from contextlib import closing, suppress

from bowerbird import Bowerbird
from bowerbird.core.errors import BowerbirdError
from bowerbird.guard.sealing import SALT
from bowerbird.host.places import folder as folder_of
from bowerbird.host.shared_folder import HEADER
from bowerbird.host.sync_state import SyncState
from bowerbird.storage.sqlite.file.connection import connect
from bowerbird.verbs.syncing import header_of
from faults.found import Found
from faults.mixed import START, opened

DAY = 86_400_000
# What happens between two times that the network carries files, and how often it does.
ACTS, PHASES = 6, 4
# How probable it is that an act stores something, that a copy synchronises after it, that it then loses
# its state, that a file that is there comes again, that one comes cut, changed, or under another name.
STORES, SYNCHRONISES, FORGETS, COMES_AGAIN = 0.35, 0.4, 0.1, 0.2
CUT, CHANGED, RENAMED = 0.15, 0.3, 0.4
# Until nothing is written any more.
MOST_ROUNDS = 12
# A cheap key: what is tried here is not the passphrase.
COST = 2
WORDS = "heron valve attic lamp harbour crane tulip engine ledger kiln".split()
KINDS = ("causes", "related_to")


class Copy:
    """A copy of the store, with its folder and its clock."""

    def __init__(self, folder: str, key: bytes, name: str, wrong: int) -> None:
        self.folder = os.path.join(folder, "shared")
        os.makedirs(self.folder)
        with open(os.path.join(self.folder, HEADER), "wb") as file:
            file.write(header_of(bytes.fromhex(name), key, COST))
        self.state = SyncState(folder_of("state", os.environ), os.path.realpath(self.folder))
        self.state.note(name, key)
        self.name = name
        self.now = START + wrong
        self.path = os.path.join(folder, "memory.db")

    def clock(self) -> int:
        """Its time, which goes on with each look."""
        self.now += 7
        return self.now

    def opened(self) -> Bowerbird:
        """Its store."""
        return opened(self.path, self.clock)

    def forget_what_was_read(self) -> None:
        """As when the state folder is lost, or the process is killed before it is written."""
        folder = os.path.join(folder_of("state", os.environ), "sync")
        with suppress(FileNotFoundError):
            os.unlink(os.path.join(folder, f"{self.name}-{self.replica()}.json"))

    def replica(self) -> str:
        """Its name; empty as long as nothing was stored."""
        if not os.path.exists(self.path):
            return ""
        connection = connect(self.path, write=False)
        with closing(connection):
            return str(next(connection.execute("SELECT value FROM meta WHERE key = 'replica'"))[0])


class Acknowledged:
    """What any copy has said to hold."""

    def __init__(self) -> None:
        self.versions: dict[str, set[str]] = {}
        self.uses: dict[str, int] = {}
        self.links: set[tuple[str, str, str]] = set()
        self.erased: set[str] = set()


def replicas(folder: str, count: int, seed: int) -> Found:
    """Histories, each of three to five copies."""
    found = Found("replicas", seed)
    for number in range(count):
        place = os.path.join(folder, f"history{number}")
        os.makedirs(place)
        lot = random.Random(f"{seed}/{number}")  # noqa: S311 no secret
        _history(found, f"history {number}", place, lot)
        shutil.rmtree(place)
        found.progress(number + 1, count)
    return found


def _history(found: Found, where: str, place: str, lot: random.Random) -> None:
    key, name = secrets.token_bytes(32), secrets.token_hex(SALT)
    copies = []
    for number in range(lot.randint(3, 5)):
        own = os.path.join(place, str(number))
        os.makedirs(own)
        copies.append(Copy(own, key, name, lot.randint(-DAY, DAY)))
    said = Acknowledged()
    for _ in range(PHASES):
        for _ in range(ACTS):
            one = lot.choice(copies)
            with one.opened() as bird:
                _act(bird, said, lot)
                found.count("acts", 1)
                if lot.random() < SYNCHRONISES:
                    bird.admin.sync(one.folder, personal=True, deletions=True)
            if lot.random() < FORGETS:
                one.forget_what_was_read()
                found.count("forgotten", 1)
        parts = [lot.randint(0, 1) for _ in copies]
        for source in copies:
            for goal in copies:
                if source is not goal and parts[copies.index(source)] == parts[copies.index(goal)]:
                    _carry(source.folder, goal.folder, goal.replica(), lot, found)
    _heal(copies)
    _settle(found, where, copies)
    _compare(found, where, copies, said)


def _act(bird: Bowerbird, said: Acknowledged, lot: random.Random) -> None:
    """Something that a person or an agent does."""
    ids = [one.id for one in bird.list(memories_only=True, limit=1_000)] if _exists(bird) else []
    with suppress(BowerbirdError):  # what cannot be done changes nothing
        if not ids or lot.random() < STORES:
            about = " ".join(lot.sample(WORDS, 3))
            text = f"The {about} is number {lot.randint(0, 20)}"
            made = bird.remember(text, tags=lot.sample(["a", "b", "c"], lot.randint(0, 2)))
            said.versions.setdefault(made.id, set())
            id = made.id
        else:
            id = lot.choice(ids)
            _change(bird, said, lot, id, lot.choice(ids))
        if id not in said.erased:
            versions = bird.history(id).versions
            said.versions.setdefault(id, set()).update(
                one.text for one in versions if one.actor != "merge"
            )


def _exists(bird: Bowerbird) -> bool:
    return os.path.exists(bird.path)


def _change(bird: Bowerbird, said: Acknowledged, lot: random.Random, id: str, other: str) -> None:
    match lot.choice(
        ["edit", "edit", "tag", "pin", "forget", "revert", "use", "use", "link", "erase"]
    ):
        case "edit":
            bird.edit(id, f"The {' '.join(lot.sample(WORDS, 4))} was edited")
        case "tag":
            bird.edit(id, tags=lot.sample(["a", "b", "c", "d"], 2))
        case "pin":
            bird.edit(id, pinned=lot.randint(0, 1) == 1)
        case "forget":
            bird.forget(id)
        case "revert":
            bird.revert(id)
        case "use":
            if bird.used([id], session=secrets.token_hex(8)):
                said.uses[id] = said.uses.get(id, 0) + 1
        case "link" if id != other:
            kind = lot.choice(KINDS)
            bird.link(id, other, kind)
            said.links.add((id, other, kind))
        case "erase":
            bird.admin.erase([id])
            said.erased.add(id)


def _carry(source: str, goal: str, own: str, lot: random.Random, found: Found) -> None:
    """Some files of others go to a copy's folder, in any order, and not all of them as they were."""
    files = [one for one in _files(source) if one[0] != own]
    lot.shuffle(files)
    for replica, name in files[: lot.randint(0, len(files))]:
        to = os.path.join(goal, replica, name)
        if os.path.exists(to) and lot.random() > COMES_AGAIN:
            continue
        with open(os.path.join(source, replica, name), "rb") as file:
            data = file.read()
        fate = lot.random()
        if fate < CUT:
            data = data[: lot.randint(0, len(data) - 1)]
            found.count("cut", 1)
        elif fate < CHANGED:
            at = lot.randrange(len(data))
            data = data[:at] + bytes((data[at] ^ (1 << lot.randint(0, 7)),)) + data[at + 1 :]
            found.count("changed", 1)
        elif fate < RENAMED:
            to = os.path.join(goal, lot.choice(_replicas(source)), f"{99:08d}-{name[9:]}")
            found.count("under another name", 1)
        os.makedirs(os.path.dirname(to), exist_ok=True)
        with open(to, "wb") as file:
            file.write(data)


def _replicas(folder: str) -> list[str]:
    return [one for one in os.listdir(folder) if one != HEADER]


def _files(folder: str) -> list[tuple[str, str]]:
    return [
        (one, name) for one in _replicas(folder) for name in os.listdir(os.path.join(folder, one))
    ]


def _heal(copies: list[Copy]) -> None:
    """Every folder gets the files of each copy as that copy has them, and no others."""
    for owner in copies:
        own = _own(owner)
        for other in copies:
            if other is not owner and own:
                to = os.path.join(other.folder, own)
                shutil.rmtree(to, ignore_errors=True)
                shutil.copytree(os.path.join(owner.folder, own), to)


def _own(copy: Copy) -> str:
    """The folder of a copy among those of its shared one; empty if it has written nothing."""
    own = copy.replica()
    return own if own and os.path.isdir(os.path.join(copy.folder, own)) else ""


def _settle(found: Found, where: str, copies: list[Copy]) -> None:
    """All synchronise until none has anything to write."""
    for _ in range(MOST_ROUNDS):
        moved = 0
        for copy in copies:
            with copy.opened() as bird:
                done = bird.admin.sync(copy.folder, personal=True, deletions=True)
            got = done.received
            moved += done.sent + done.rows + got.added + got.changed + got.known + got.gone
        _heal(copies)
        if not moved:
            return
    found.violate(where, f"after {MOST_ROUNDS} rounds they still write")


def _compare(found: Found, where: str, copies: list[Copy], said: Acknowledged) -> None:
    told = []
    for copy in copies:
        with Bowerbird.open(copy.path, clock=copy.clock) as bird:
            if not bird.admin.verify().sound:
                found.violate(where, f"{copy.path} is not sound")
            rows = [one for one in bird.admin.export_lines() if '"row":"event"' not in one]
            told.append(sorted(rows))
            if copy is copies[0]:
                _complete(found, where, bird, said, told[0])
    for number, one in enumerate(told):
        if one != told[0]:
            other = next((b for a, b in zip(told[0], one, strict=False) if a != b), "")
            found.violate(where, f"copy {number} differs from the first one: {other[:200]}")


def _complete(
    found: Found, where: str, bird: Bowerbird, said: Acknowledged, rows: list[str]
) -> None:
    """Whether a copy has all that was acknowledged by any."""
    there: dict[str, set[str]] = {}
    for id, texts in said.versions.items():
        if id in said.erased:
            continue
        try:
            there[id] = {one.text for one in bird.history(id).versions}
        except BowerbirdError:
            found.violate(where, f"memory {id} is lost")
            continue
        found.count("texts", len(texts))
        if lost := texts - there[id]:
            found.violate(where, f"{len(lost)} texts of {id} are lost: {min(lost)}")
    memories = map(json.loads, (one for one in rows if one.startswith('{"row":"memory"')))
    uses = {one["id"]: sum(one["uses"].values()) for one in memories}
    for id, times in said.uses.items():
        found.count("uses", times)
        if id not in said.erased and uses.get(id, 0) < times:
            found.violate(where, f"{id} was used {times} times, not {uses.get(id, 0)}")
    for source, target, kind in said.links:
        start = f'{{"row":"relation","source":"{source}","target":"{target}","kind":"{kind}"'
        if not {source, target} & said.erased and not any(one.startswith(start) for one in rows):
            found.violate(where, f"the link of {source} to {target} is lost")
