"""`bower sync`: copies of a store reach each other through a folder that others can see and change."""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
import zlib
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird
from bowerbird.admin.safety import Safety
from bowerbird.core.errors import BadInput, Denied, MissingExtra, StoreError
from bowerbird.core.health import OK
from bowerbird.core.life import DAY
from bowerbird.core.who import AGENT, Who, agent
from bowerbird.daemon import rounds as rounds_of
from bowerbird.daemon.birds import Birds
from bowerbird.daemon.rounds import rounds
from bowerbird.guard.sealing import unseal
from bowerbird.host.places import folder
from bowerbird.host.sync_state import SyncState
from bowerbird.surfaces.verbs.sync import notes
from bowerbird.verbs import sync_round, syncing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]

SECRET = "ghp_" + "aB3dE6gH9jK2" * 3
PASSPHRASE = "heron valve attic"


@pytest.fixture(autouse=True)
def _cheap(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A state folder of the test, and a key that costs nothing."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(syncing, "COST", 2)


class Devices:
    """Copies of a store on one machine, which share a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.shared = folder / "shared"
        self.birds: dict[str, Bowerbird] = {}

    def __getitem__(self, name: str) -> Bowerbird:
        """The copy of that name."""
        if name not in self.birds:
            self.birds[name] = Bowerbird.open(str(self._folder / f"{name}.db"), project="shop")
        return self.birds[name]

    def sync(self, *names: str, **how: Any) -> Any:
        """These copies synchronise, one after the other; what the last one says."""
        all_of_it: dict[str, Any] = {"passphrase": PASSPHRASE, "personal": True} | how
        return [self[name].admin.sync(str(self.shared), **all_of_it) for name in names][-1]

    def files(self) -> list[Path]:
        """All files of all copies."""
        return sorted(self.shared.rglob("*.bower"))

    def contents(self) -> Iterator[str]:
        """What all files hold."""
        state = SyncState(folder("state", os.environ), str(self.shared.resolve()))
        name, key = state.known() or ("", b"")
        for path in self.files():
            place = f"{name}/{path.parent.name}/{path.name}"
            yield zlib.decompress(unseal(key, path.read_bytes(), place)).decode()


@pytest.fixture
def devices(tmp_path: Path) -> Iterator[Devices]:
    found = Devices(tmp_path)
    yield found
    for bird in found.birds.values():
        bird.close()


def told(bird: Bowerbird) -> list[str]:
    return sorted(one for one in bird.admin.export_lines() if '"row":"event"' not in one)


def test_it_is_set_up_by_a_command_and_joined_with_the_passphrase(
    bower: Bower, store_path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared, other = str(tmp_path / "shared"), str(tmp_path / "other.db")
    monkeypatch.setenv("BOWER_SYNC_TARGET", shared)
    monkeypatch.setenv("BOWER_SYNC_PERSONAL", "on")
    id = bower("curate", "The depot lies behind hall seven", "--global").data["id"]
    with Bowerbird.open(store_path) as bird:
        done = bird.admin.sync()
        passphrase = done.passphrase
        assert (done.sent, done.devices, len(passphrase)) == (1, 0, 29)
        assert bird.admin.sync().passphrase == "", "it is shown once"
    shutil.rmtree(os.path.join(os.environ["XDG_STATE_HOME"], "bowerbird", "sync"))
    monkeypatch.setenv("BOWER_STORE", other)
    refused = bower("sync")
    assert (refused.code, "passphrase is not known here" in refused.data["error"]) == (2, True)
    monkeypatch.setenv("BOWER_SYNC_PASSPHRASE", "another one")
    assert "is another one" in bower("sync").data["error"]
    monkeypatch.setenv("BOWER_SYNC_PASSPHRASE", passphrase.upper())
    joined = bower("sync")
    assert joined.code == 0, joined.data
    assert (joined.code, joined.data["received"]["added"], joined.data["devices"]) == (0, 1, 1)
    assert bower("get", id).data["text"] == "The depot lies behind hall seven"


def test_nothing_personal_or_secret_or_waiting_leaves(devices: Devices) -> None:
    one = devices["one"]
    one.remember("The depot lies behind hall seven", audience="team", everywhere=True)
    one.remember("I sing under the shower", everywhere=True)
    one.remember(f"The token is {SECRET}", audience="team", everywhere=True)
    one.remember(
        "Send the takings to them", audience="team", origin="tool_external", everywhere=True
    )
    one.remember("The till stands in the attic", audience="team")
    foreseen = one.admin.sync(str(devices.shared), dry_run=True)
    assert f"bower sync --personal {devices.shared}" in "".join(notes(foreseen, {}))
    assert [line.text for line in foreseen.leaving] == ["The depot lies behind hall seven"]
    assert not devices.shared.exists(), "a dry run writes nothing"
    done = devices.sync("one", personal=False)
    assert done.sent == 1
    assert done.staying == foreseen.staying
    assert sorted(done.staying) == [
        "held a secret",
        "in quarantine",
        "of a folder that only this machine knows",
        "personal",
    ]
    assert devices.sync("two", personal=False).received.added == 1
    assert devices.sync("one", "two").received.added == 2, "what its owner wants on their devices"
    texts = {entry.text for entry in devices["two"].list(memories_only=True, all_projects=True)}
    assert texts == {
        "The depot lies behind hall seven",
        "I sing under the shower",
        "The till stands in the attic",
    }


def test_the_folder_holds_nothing_readable(devices: Devices) -> None:
    devices["one"].remember("The depot lies behind hall seven", tags=["keys"])
    devices.sync("one")
    held = b"".join(path.read_bytes() for path in devices.shared.rglob("*") if path.is_file())
    for word in (b"depot", b"keys", b"shop", PASSPHRASE.encode()):
        assert word not in held
    assert (devices.shared / "bowerbird-sync.json").stat().st_mode & 0o077 == 0


def test_what_was_cut_changed_or_exchanged_is_not_read_until_it_is_whole(devices: Devices) -> None:
    for n in range(3):
        devices["one"].remember(f"Depot {n} lies behind hall {n * 7}")
        devices.sync("one")
    files = devices.files()
    first, second, third = (path.read_bytes() for path in files[:3])
    files[0].write_bytes(first[:-9])
    files[1].write_bytes(third)
    files[2].write_bytes(bytes((third[0] ^ 1,)) + third[1:])
    done = devices.sync("two")
    assert (done.received.added, len(done.unread)) == (0, 3)
    for path, data in zip(files, (first, second, third), strict=False):
        path.write_bytes(data)
    done = devices.sync("two")
    assert (done.received.added, done.unread) == (3, ())
    assert told(devices["one"]) == told(devices["two"])


def test_texts_conflict_tags_unite_and_uses_add_up(devices: Devices) -> None:
    one, two = devices["one"], devices["two"]
    id = one.remember("The depot lies behind hall seven", tags=["a"]).id
    devices.sync("one", "two")
    synced, *more = two.history(id).events
    assert (synced.action, more) == ("synced", [])
    assert synced.reason.startswith("from the copy ")
    details = two.get(id).details
    assert details is not None
    assert details.arrived == "synced"
    one.edit(id, "The depot lies behind hall eight", tags=["a", "b"])
    two.edit(id, "The depot lies on the quay", tags=["a", "c"])
    for bird in (one, two):
        bird.used([id], session="s")
    devices.sync("one", "two", "one", "two", "one")
    assert told(one) == told(two)
    entry = two.get(id)
    assert entry.text == "The depot lies on the quay"
    assert {*entry.tags} == {"a", "b", "c"}
    assert "The depot lies behind hall eight" in entry.review
    (memory,) = (json.loads(line) for line in told(one) if line.startswith('{"row":"memory"'))
    assert sum(memory["uses"].values()) == 2
    done = devices.sync("one", "two")
    assert (done.sent, done.rows, done.received.changed) == (0, 0, 0), "nothing is written twice"


def waits(bird: Bowerbird) -> dict[str, str]:
    """The review of each memory that waits, by its text."""
    return {one.text: one.review for one in bird.list(needs_review=True)}


def test_what_two_devices_say_of_one_thing_waits_on_both(devices: Devices) -> None:
    devices["one"].remember("The staging port is 5432")
    devices["two"].remember("The staging port is 6543")
    devices["one"].remember("The depot lies behind hall seven")
    devices.sync("one", "two", "one", "two")
    for name in ("one", "two"):
        assert waits(devices[name]).keys() == {
            "The staging port is 5432",
            "The staging port is 6543",
        }
        first = devices[name].query("staging port?").hits[0]
        assert first.text == "The staging port is 6543", "the newer one stands first"
    assert told(devices["one"]) == told(devices["two"])
    again = devices.sync("one", "two", "one")
    assert (again.sent, again.received.added, again.received.changed) == (0, 0, 0)
    both = [one.id for one in devices["one"].list() if "port" in one.text]
    devices["one"].admin.confirm_both(both[0], both[1])
    devices.sync("one", "two", "one")
    assert waits(devices["one"]) == waits(devices["two"]) == {}, "a person decided that both hold"
    assert told(devices["one"]) == told(devices["two"])


def test_a_pair_that_met_in_files_written_before_either_read_the_other_waits(
    devices: Devices, tmp_path: Path
) -> None:
    for name, port in (("one", 5432), ("two", 6543)):
        devices[name].remember(f"The staging port is {port}")
        # Each device has a copy of the folder, which is brought in line later.
        shared = tmp_path / f"shared-{name}"
        if devices.shared.exists():
            shutil.copytree(devices.shared, shared, ignore=shutil.ignore_patterns("*.bower"))
        devices[name].admin.sync(str(shared), passphrase=PASSPHRASE, personal=True)
        shutil.copytree(shared, devices.shared, dirs_exist_ok=True)
    devices.sync("one", "two", "one", "two")
    assert len(waits(devices["one"])) == 2
    assert waits(devices["one"]) == waits(devices["two"])
    assert told(devices["one"]) == told(devices["two"])


def test_a_third_device_hears_of_it_once(devices: Devices) -> None:
    for name, port in (("one", 5432), ("two", 6543), ("three", 7654)):
        devices[name].remember(f"The staging port is {port}")
    devices.sync("one", "two", "three", "one", "two", "three", "one", "two", "three")
    assert told(devices["one"]) == told(devices["two"]) == told(devices["three"])
    assert len(waits(devices["three"])) == 3
    quiet = devices.sync("one", "two", "three")
    assert (quiet.sent, quiet.received.changed) == (0, 0)


def test_what_stays_here_waits_here_and_is_not_told_elsewhere(devices: Devices) -> None:
    devices["one"].remember("The staging port is 5432", audience="team", everywhere=True)
    devices["two"].remember("The staging port is 6543", everywhere=True)
    devices.sync("one", "two", "one", personal=False)
    assert waits(devices["two"]).keys() == {"The staging port is 6543"}
    assert waits(devices["one"]) == {}
    assert "6543" not in "".join(devices.contents())


def test_what_was_decided_on_one_device_is_not_asked_on_another(devices: Devices) -> None:
    one = devices["one"]
    both = [one.remember(f"The staging port is {port}").id for port in (5432, 6543)]
    one.admin.confirm_both(both[0], both[1])
    devices.sync("one", "two", "one")
    assert waits(one) == waits(devices["two"]) == {}
    assert told(devices["two"]) == told(one)


def test_many_deletions_stop_and_ask(devices: Devices) -> None:
    ids = [devices["one"].remember(f"Depot {n} lies behind hall {n * 7}").id for n in range(20)]
    devices.sync("one", "two")
    devices["two"].forget_all(ids[:2])
    assert devices.sync("two", "one").received.changed == 2, "a tenth"
    devices["two"].admin.erase(ids[2:4])
    devices["two"].forget(ids[4])
    devices.sync("two")
    with pytest.raises(StoreError, match="other devices deleted 3 of 20") as stopped:
        devices.sync("one")
    assert "--deletions" in str(stopped.value.remedy)
    assert devices["one"].get(ids[4]).state == "active"
    devices.sync("one", deletions=True)
    assert devices["one"].get(ids[4]).state == "deleted"
    assert told(devices["one"]) == told(devices["two"])


def test_what_is_erased_leaves_the_folder_too(devices: Devices) -> None:
    gone = devices["one"].remember("The depot lies behind hall seven").id
    kept = devices["one"].remember("The kiln is fired on Mondays").id
    devices["one"].link(gone, kept, "causes")
    devices.sync("one", "two")
    devices["two"].edit(gone, "The depot lies behind hall eight")
    devices.sync("two", "one")
    devices["one"].admin.erase([gone])
    devices.sync("one", "two", "one", deletions=True)
    for text in devices.contents():
        assert "depot" not in text
    assert devices.sync("three").received.added == 1


def test_a_receipt_names_the_places_of_other_devices(devices: Devices) -> None:
    kept = devices["a"].remember("Redis must be up before the auth tests").id
    devices.sync("a", "b")
    receipt = devices["a"].admin.erase([kept])
    assert receipt.shared == (str(devices.shared.resolve()),)


def test_many_small_files_become_one(devices: Devices, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sync_round, "_MANY", 4)
    for n in range(6):
        devices["one"].remember(f"Depot {n} lies behind hall {n * 7}")
        devices.sync("one")
    assert len(devices.files()) < 6
    assert devices.sync("two").received.added == 6
    assert told(devices["one"]) == told(devices["two"])


def test_what_the_folder_loses_is_written_again(devices: Devices) -> None:
    devices["one"].remember("The depot lies behind hall seven")
    devices.sync("one", "two")
    for path in devices.files():
        path.unlink()
    devices.sync("one")
    assert devices.sync("three").received.added == 1
    shutil.rmtree(devices.files()[0].parent)
    assert devices.sync("two").sent == 1, "also what a copy had written that is gone"
    shutil.rmtree(devices.shared)
    with pytest.raises(BadInput, match="is empty now"):
        devices.sync("one")


def test_a_restored_backup_gets_back_what_came_after_it(devices: Devices, tmp_path: Path) -> None:
    one = devices["one"]
    one.remember("The depot lies behind hall seven")
    one.admin.backup(str(tmp_path / "copy.db"))
    later = one.remember("The kiln is fired on Mondays").id
    one.used([later], session="s")
    devices.sync("one", "two")
    one.admin.restore(str(tmp_path / "copy.db"))
    done = devices.sync("one")
    assert (done.received.added, done.devices) == (1, 1), "it is another copy from then on"
    one.used([later], session="t")
    devices.sync("one", "two", "one")
    assert told(one) == told(devices["two"])
    (memory,) = (json.loads(line) for line in told(one) if later in line and "versions" in line)
    assert sum(memory["uses"].values()) == 2


def test_the_last_statement_on_a_link_stands_although_a_clock_is_a_day_ahead(
    tmp_path: Path,
) -> None:
    how: Any = {"passphrase": PASSPHRASE, "personal": True}
    shared, right = str(tmp_path / "shared"), 1_800_000_000_000

    def opened(name: str, now: int) -> Bowerbird:
        return Bowerbird.open(str(tmp_path / name), project="shop", clock=lambda: now)

    with opened("one.db", right + DAY) as one, opened("two.db", right) as two:
        ids = [one.remember(f"Depot {n} lies behind hall {n * 7}").id for n in range(2)]
        one.link(ids[0], ids[1], "causes", strength=0.5)
        for bird in (one, two):
            bird.admin.sync(shared, **how)
        two.link(ids[0], ids[1], "causes", strength=0.2)
        for bird in (two, one):
            bird.admin.sync(shared, **how)
        (link,) = (line for line in told(one) if '"kind":"causes"' in line)
        assert json.loads(link)["strength"] == 0.2, "it was the last to be stated"
        assert told(one) == told(two)


def test_a_process_that_stays_synchronises_by_itself(
    devices: Devices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    devices["one"].remember("The depot lies behind hall seven")
    devices.sync("one")
    monkeypatch.setenv("BOWER_SYNC_TARGET", str(devices.shared))
    monkeypatch.setenv("BOWER_SYNC_PASSPHRASE", PASSPHRASE)
    devices["two"].remember("The kiln is fired on Mondays", everywhere=True)
    arrived = Event()
    record = SyncState.note_outcome

    def noted(state: SyncState, error: str) -> None:
        record(state, error)
        arrived.set()

    monkeypatch.setattr(SyncState, "note_outcome", noted)
    with rounds(Birds(str(tmp_path / "two.db"))):
        assert arrived.wait(60)
    with Bowerbird.open(str(tmp_path / "two.db"), project="shop") as two:
        assert len(two.list(memories_only=True)) == 2
        assert two.admin.sync_if_due() is None, "a process did so just now"
        (found,) = (one for one in two.admin.doctor() if one.check == "sync")
    assert found.level == OK


def test_a_process_that_stays_prunes_daily(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, now = str(tmp_path / "memory.db"), time.time_ns() // 1_000_000
    with Bowerbird.open(store, project="shop", clock=lambda: now - 400 * DAY) as bird:
        id = bird.remember("The label printer jams on Mondays", kind="gotcha").id
    with Bowerbird.open(store, project="shop", clock=lambda: now - 8 * DAY) as bird:
        assert bird.admin.prune_if_due(86_400.0) is None, "it waits for a week"
    pruned = Event()
    prune = Safety.prune_if_due

    def noted(*given: Any, **named: Any) -> object:
        done = prune(*given, **named)
        pruned.set()
        return done

    monkeypatch.setattr(Safety, "prune_if_due", noted)
    monkeypatch.setattr(rounds_of, "FIRST_S", 0.0)
    with rounds(Birds(store)):
        assert pruned.wait(60)
    with Bowerbird.open(store, project="shop") as bird:
        assert bird.get(id).state == "deprecated"
        assert bird.admin.prune_if_due(86_400.0) is None, "a process did so today"


def test_an_agent_uses_the_folder_that_is_set_and_no_other(
    devices: Devices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    devices["one"].remember("The depot lies behind hall seven")
    with pytest.raises(Denied) as denied:
        devices["one"].acting(Who(agent("hermes"), AGENT)).admin.sync(str(devices.shared))
    assert "bower config set sync.target PLACE" in str(denied.value.remedy)
    monkeypatch.setenv("BOWER_SYNC_TARGET", str(devices.shared))
    with Bowerbird.open(str(tmp_path / "one.db"), project="shop") as bird:
        hermes = bird.acting(Who(agent("hermes"), AGENT))
        with pytest.raises(Denied):
            hermes.admin.sync()
        assert not devices.shared.exists(), "it would be shown a new passphrase"
        devices.sync("two")
        monkeypatch.setenv("BOWER_SYNC_PASSPHRASE", PASSPHRASE)
    with Bowerbird.open(str(tmp_path / "one.db"), project="shop") as bird:
        assert bird.acting(Who(agent("hermes"), AGENT)).admin.sync(personal=True).sent == 1


def test_what_is_wrong_is_told_with_its_remedy(
    devices: Devices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    devices["one"].remember("The depot lies behind hall seven")
    with pytest.raises(BadInput, match="no place to synchronise through"):
        devices["one"].admin.sync()
    with pytest.raises(BadInput, match="cannot be used to synchronise"):
        devices["one"].admin.sync("https://example.com/x")
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput):
        devices["one"].admin.sync(str(tmp_path / "file"))
    devices.shared.mkdir()
    (devices.shared / "bowerbird-sync.json").write_text("{}")
    with pytest.raises(BadInput, match="something else, or is damaged"):
        devices.sync("one")
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.kdf.scrypt", None)
    with pytest.raises(MissingExtra) as missing:
        devices["one"].admin.sync(str(tmp_path / "new"))
    assert "bowerbird[sync]" in str(missing.value.remedy)


def alike(bird: Bowerbird) -> list[str]:
    """Memories that `consolidate` sums up."""
    said = (
        "The payment service returned HTTP 502 on node {} because the upstream pool was exhausted"
    )
    nodes = ("web-8081", "web-8082", "web-8083")
    return [bird.remember(said.format(one), kind="error_pattern").id for one in nodes]


@pytest.mark.parametrize("erased", [False, True])
def test_the_examples_of_a_pattern_that_another_copy_ended_hold_again(
    devices: Devices, *, erased: bool
) -> None:
    ids = alike(devices["a"])
    (pattern,) = devices["a"].consolidate().patterns
    devices.sync("a", "b")
    assert devices["b"].get(ids[0]).state == "compressed"
    if erased:
        devices["b"].admin.erase([pattern.id])
    else:
        devices["b"].forget(pattern.id)
    devices.sync("b", "a", "b", "a", deletions=True)
    for name in ("a", "b"):
        assert {devices[name].get(id).state for id in ids} == {"active"}
    assert told(devices["a"]) == told(devices["b"])


def test_examples_that_come_without_their_pattern_hold(devices: Devices) -> None:
    """Such as those of a pattern that stays on its machine, since it held a secret."""
    ids = alike(devices["a"])
    (pattern,) = devices["a"].consolidate().patterns
    devices["a"].edit(pattern.id, f"Nodes fail under load; the key is {SECRET}")
    devices.sync("a", "b", "c", "b", "c", "b", "c")
    for name in ("b", "c"):
        assert {one.id for one in devices[name].list()} == {*ids}
    assert told(devices["b"]) == told(devices["c"])
    (below,) = (
        one for one in devices["b"].history(ids[0]).versions if one.fields.state == "compressed"
    )
    with pytest.raises(BadInput, match="no pattern sums up"):
        devices["b"].revert(ids[0], below.id)
