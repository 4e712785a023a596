"""What every place must do through which copies of a store synchronise."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from tests import bucket

from bowerbird import Bowerbird
from bowerbird.core.errors import BadConfig, BadInput, PassphraseNeeded
from bowerbird.verbs import syncing
from bowerbird.wiring.shared_places import hub_at

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ONE, OTHER = "0190aaaa-1", "0190bbbb-2"
FIRST, SECOND = "00000001-0a0b0c0d.bower", "00000002-0a0b0c0d.bower"
PASSPHRASE = "heron valve attic"


@pytest.fixture(scope="session")
def account() -> Iterator[dict[str, str]]:
    with bucket.served() as found:
        yield found


@pytest.fixture(params=["folder", "bucket", "server"])
def place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a place that was not used yet."""
    for name in [one for one in os.environ if one.startswith("AWS_")]:
        monkeypatch.delenv(name)
    if request.param == "folder":
        return str(tmp_path / "shared")
    if request.param == "server":
        return str(request.getfixturevalue("postgres").tenant(f"s-{abs(hash(tmp_path)):x}"))
    for name, value in request.getfixturevalue("account").items():
        monkeypatch.setenv(name, value)
    return f"s3://{bucket.BUCKET}/{tmp_path.name} ä+b/deep"


def test_it_keeps_what_is_written_and_knows_of_nothing_else(place: str) -> None:
    hub = hub_at(place)
    assert hub.header() is None
    hub.set_up(b"header")
    with pytest.raises(BadInput, match="set up by another device"):
        hub_at(place).set_up(b"another")
    assert hub.header() == b"header"
    assert hub.replicas() == []
    large = os.urandom(3_000_000)
    hub.write(ONE, SECOND, large)
    hub.write(ONE, FIRST, b"first")
    hub.write(OTHER, FIRST, b"\0")
    assert hub.files(ONE) == [FIRST, SECOND]
    there = hub_at(place)
    assert there.replicas() == [ONE, OTHER]
    assert there.files(ONE) == [FIRST, SECOND]
    assert [there.read(ONE, SECOND), there.read(OTHER, FIRST)] == [large, b"\0"]
    there.write(ONE, FIRST, b"anew")
    there.remove(ONE, SECOND)
    there.remove(ONE, SECOND)
    assert (there.files(ONE), there.read(ONE, FIRST)) == ([FIRST], b"anew")
    hub.replicas()
    assert hub.files(ONE) == [FIRST]
    with pytest.raises(OSError, match=SECOND):
        hub.read(ONE, SECOND)


def test_copies_meet_there(
    place: str, store_path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(syncing, "COST", 2)
    states = {name: str(tmp_path / f"state of {name}") for name in ("one", "two")}

    def sync(name: str, passphrase: str = PASSPHRASE) -> int:
        monkeypatch.setenv("XDG_STATE_HOME", states[name])
        done = birds[name].admin.sync(place, passphrase=passphrase, personal=True)
        assert not done.unread
        return done.received.added

    monkeypatch.setenv("XDG_STATE_HOME", states["one"])
    one = Bowerbird.open(store_path, project="shop")
    monkeypatch.setenv("XDG_STATE_HOME", states["two"])
    with one, Bowerbird.open(str(tmp_path / "two.db"), project="shop") as two:
        birds = {"one": one, "two": two}
        kept = one.remember("The depot lies behind hall seven").id
        sync("one")
        with pytest.raises(PassphraseNeeded):
            sync("two", "another one")
        assert sync("two") == 1
        two.edit(kept, "The depot lies behind hall eight")
        two.remember("The kiln is hot on Mondays")
        sync("two")
        assert sync("one") == 1
        assert one.get(kept).text == "The depot lies behind hall eight"
        two.admin.erase([kept])
        sync("two")
        sync("one")
        assert [entry.text for entry in one.list(memories_only=True)] == [
            "The kiln is hot on Mondays"
        ]


@pytest.mark.parametrize("place", ["bucket", "server"], indirect=True)
def test_what_cannot_be_reached_is_told_with_its_remedy(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if place.startswith("s3"):
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "wrong")
        with pytest.raises(BadInput, match="403: SignatureDoesNotMatch") as refused:
            hub_at(place).header()
        assert "AWS_SECRET_ACCESS_KEY" in str(refused.value.remedy)
        monkeypatch.setenv("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:9")
    else:
        place = "postgresql://ana:secret@127.0.0.1:9/memory"
    with pytest.raises(BadInput, match="cannot be read") as unreached:
        hub_at(place).header()
    assert "secret@" not in unreached.value.message
    assert unreached.value.remedy


def test_a_bucket_is_found_as_programs_of_aws_find_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, account: dict[str, str]
) -> None:
    for name in [one for one in os.environ if one.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(BadConfig, match="no account for a bucket"):
        hub_at(f"s3://{bucket.BUCKET}/profile")
    monkeypatch.setenv("BOWER_SYNC_TARGET", f"s3://{bucket.BUCKET}/profile")
    with Bowerbird.open(str(tmp_path / "memory.db"), project="shop") as bird:
        bird.remember("The depot lies behind hall seven")
        found = {one.check: one for one in bird.admin.doctor()}
    assert len(found) > 1, "all else is told, too"
    assert "no account" in str(found["sync"].found)
    own = tmp_path / ".aws"
    own.mkdir()
    (own / "config").write_text(
        f"[default]\nregion = eu-central-1\nendpoint_url = {account['AWS_ENDPOINT_URL_S3']}\n"
    )
    (own / "credentials").write_text(
        f"[default]\naws_access_key_id = {account['AWS_ACCESS_KEY_ID']}\n"
        f"aws_secret_access_key = {account['AWS_SECRET_ACCESS_KEY']}\n"
    )
    hub_at(f"s3://{bucket.BUCKET}/profile").set_up(b"header")
    assert hub_at(f"s3://{bucket.BUCKET}/profile").header() == b"header"
    with pytest.raises(BadInput, match="404: NoSuchBucket"):
        hub_at("s3://no-such-bucket/x").header()
    with pytest.raises(BadInput, match="names no bucket"):
        hub_at("s3://")
