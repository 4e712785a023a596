"""Wires synchronising: opens the shared place with its key, and says what would leave."""

import json
import os
import secrets
from collections import Counter

from bowerbird.core.errors import BadInput, BowerbirdError, Denied, PassphraseNeeded
from bowerbird.core.health import PROBLEM, WARNING, Finding
from bowerbird.core.syncing import Leaving, Synced
from bowerbird.core.text import summarise
from bowerbird.core.types import GLOBAL
from bowerbird.core.value import Do, iso
from bowerbird.guard.sealing import COST, SALT, NotSealed, key_of, new_passphrase, seal, unseal
from bowerbird.host.places import project_of
from bowerbird.host.project_matching import matched
from bowerbird.host.sync_state import SyncState
from bowerbird.lifecycle.leaving import stays
from bowerbird.lifecycle.receive import Receiving
from bowerbird.verbs.sync_round import Round
from bowerbird.wiring.acting import Verbs
from bowerbird.wiring.reach import allowed
from bowerbird.wiring.shared_places import hub_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.core.ports.progress import Progress
    from bowerbird.core.ports.store import Store
    from bowerbird.core.ports.syncing import Hub
    from bowerbird.verbs.keeping import Keeping

_FORMAT = 1
_KNOWN_BY = "bowerbird"
# The place of the text by which a key is checked.
_CHECK = "check"
# Characters of a memory in a list.
_LONGEST_SHOWN = 100


class Syncing(Verbs):
    """Synchronises this copy of the store with others through a shared place."""

    def run(
        self,
        keeping: "Keeping",
        target: str,
        passphrase: str,
        progress: "Progress | None" = None,
        *,
        personal: bool,
        deletions: bool,
        dry_run: bool,
    ) -> Synced:
        """Reads, merges, then writes. Raises BadInput, PassphraseNeeded, StoreError, MissingExtra."""
        who = self._acting.who
        who.require_local("sync")
        if target and target != self._config["sync.target"] and not who.owner:
            raise Denied(
                "a place other than the setting sync.target needs the owner of this machine",
                "run it in an interactive terminal, or set the place there once, and name none here:"
                " bower config set sync.target PLACE",
            )
        target = target or self._config["sync.target"]
        if not target:
            raise BadInput(
                "no place to synchronise through is named", Do("sync", "FOLDER").command()
            )
        hub = hub_at(target)
        personal = personal or self._config["sync.personal"] == "on"
        state = SyncState(self._opened.state_folder, hub.path)
        if dry_run:
            return self._foreseen(hub, state, personal=personal)
        try:
            done = self._synced(keeping, hub, state, passphrase, progress, personal, deletions)
        except BowerbirdError as error:
            state.note_outcome(error.message)
            raise
        state.note_outcome("")
        return done

    def _synced(
        self,
        keeping: "Keeping",
        hub: "Hub",
        state: SyncState,
        passphrase: str,
        progress: "Progress | None",
        personal: bool,
        deletions: bool,
    ) -> Synced:
        store = self._acting.writer()
        passphrase = passphrase or self._config["sync.passphrase"]
        if not passphrase and hub.header() is None:
            # A new passphrase is for a person's eyes.
            self._acting.who.require_owner("sync")
        name, key, made = _opened(hub, state, passphrase)
        receiving = Receiving(store, self._opened.embedder(), allowed(self._config))
        cursor = state.cursor(name, store.exchange.replica())
        _note_remotes(store)
        once = Round(store, hub, name, key, cursor, self._acting.actor(""))
        try:
            done = once.run(receiving, progress, personal=personal, deletions=deletions)
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise BadInput(
                f"{hub.path} cannot be used: {why}", "see to its rights and the room there"
            ) from error
        # A later file may have erased what an earlier one brought.
        there = store.exchange.ids()
        moved = [id for id in dict.fromkeys(receiving.moved) if id in there]
        keeping.read_first(moved)
        return done.replace(passphrase=made)

    def findings(self) -> "Iterator[Finding]":
        """What `doctor` says of the place that is set."""
        try:
            where = hub_at(self._config["sync.target"]).path
        except BowerbirdError as error:
            yield Finding("sync", error.message, PROBLEM, error.remedy)
            return
        at, failed = SyncState(self._opened.state_folder, where).outcome()
        if not at:
            yield Finding("sync", f"{where}: not yet", WARNING, Do("sync").command())
        elif failed:
            yield Finding("sync", f"{where}, {iso(at)}: {failed}", PROBLEM, Do("sync").command())
        else:
            yield Finding("sync", f"{where}, {iso(at)}")

    def due(self, every: float) -> bool:
        """Whether a place is set, its key known, and no process used it in the last `every` seconds."""
        target = self._config["sync.target"]
        if not target or not os.path.exists(self._opened.path):
            return False
        hub = hub_at(target)
        state = SyncState(self._opened.state_folder, hub.path)
        known = state.known()
        if known is None and not self._config["sync.passphrase"]:
            return False
        name = known[0] if known else "new"
        return state.claim(name, self._opened.reader().exchange.replica(), every)

    def _foreseen(self, hub: "Hub", state: SyncState, *, personal: bool) -> Synced:
        """What would leave."""
        with self._opened.reading() as store:
            exchange = store.exchange
            names = {row[0]: row[1] for row in exchange.rows("project")} | {GLOBAL.uid: GLOBAL.name}
            known = state.known()
            marks = exchange.marks()
            cursor = state.cursor(known[0] if known else "", exchange.replica())
            changed = [
                id
                for id, mark in marks.items()
                if cursor.marks.get(id) != mark or id in cursor.staying
            ]
            staying: Counter[str] = Counter()
            leaving = []
            for memory in exchange.held(changed):
                why = stays(memory, personal=personal)
                if why:
                    staying[why] += 1
                    continue
                text = summarise(memory.current.text, _LONGEST_SHOWN)
                kind = memory.current.fields.kind
                leaving.append(Leaving(memory.id, kind, names[memory.project], text))
        return Synced(
            hub.path, sent=len(leaving), leaving=tuple(leaving), staying=staying, dry_run=True
        )


def _note_remotes(store: "Store") -> None:
    """Writes down the remotes that repositories here got since a memory was last written in them.

    By its remote alone a clone on another device knows whose memories it may read.
    """
    for uid, place, _ in store.projects.without_remote():
        found = project_of(place.removeprefix("path:"))
        if (
            place in found.aliases[1:]
            and uid in matched(found, store.projects, lambda: False, {})[1]
        ):
            with store.transaction():
                store.projects.ensure(found.replace(uid=uid))


def _opened(hub: "Hub", state: SyncState, passphrase: str) -> tuple[str, bytes, str]:
    """The name and the key of a place, and its passphrase if it was set up now."""
    header, known = hub.header(), state.known()
    if header is None and known is not None:
        raise BadInput(
            f"{hub.path} was used to synchronise, and is empty now",
            "see whether it is mounted; to begin anew, name another place",
        )
    if header is None:
        made = "" if passphrase else new_passphrase()
        salt = secrets.token_bytes(SALT)
        key = key_of(passphrase or made, salt, COST)
        hub.set_up(header_of(salt, key, COST))
        state.note(salt.hex(), key)
        return salt.hex(), key, made
    salt, cost, check = _header(hub, header)
    if known is not None and known[0] == salt.hex():
        return *known, ""
    if not passphrase:
        raise PassphraseNeeded(
            f"{hub.path} is encrypted, and its passphrase is not known here",
            "give the one that was shown when it was set up, in BOWER_SYNC_PASSPHRASE",
        )
    key = key_of(passphrase, salt, cost)
    try:
        unseal(key, check, _CHECK)
    except NotSealed:
        raise PassphraseNeeded(
            f"the passphrase of {hub.path} is another one", "give the one that was shown at first"
        ) from None
    state.note(salt.hex(), key)
    return salt.hex(), key, ""


def header_of(salt: bytes, key: bytes, cost: int) -> bytes:
    """What all copies have to know of a place: how its key is made, and a text to check it by."""
    said = {
        _KNOWN_BY: "sync",
        "format": _FORMAT,
        "salt": salt.hex(),
        "cost": cost,
        "check": seal(key, _KNOWN_BY.encode(), _CHECK).hex(),
    }
    return json.dumps(said).encode()


def _header(hub: "Hub", header: bytes) -> tuple[bytes, int, bytes]:
    """Salt, cost and check. Raises BadInput."""
    try:
        said = json.loads(header)
        if said["format"] != _FORMAT:
            raise BadInput(f"{hub.path} was set up by a newer version", "update bowerbird")
        cost = int(said["cost"])
        # What somebody else wrote must not take all memory.
        return bytes.fromhex(said["salt"]), min(cost, COST), bytes.fromhex(said["check"])
    except (ValueError, KeyError, TypeError) as error:
        raise BadInput(
            f"{hub.path} was set up by something else, or is damaged", "name another place"
        ) from error
