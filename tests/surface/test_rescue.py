"""Talks that agents delete: archived before, without secrets, and read like the files themselves."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird
from bowerbird.core.life import DAY
from bowerbird.host.places import folder

if TYPE_CHECKING:
    from collections.abc import Callable

    from bowerbird.core.health import Finding

START = 1_767_225_600_000
TOKEN = "ghp_" + "aB3dE6gH9jK2" * 3


class Hands:
    """A clock that is moved by hand."""

    now = START

    def __call__(self) -> int:
        return self.now


def talk(said: str, session: str = "s", cwd: str = "/nowhere") -> str:
    record = {
        "type": "user",
        "uuid": "u",
        "sessionId": session,
        "cwd": cwd,
        "timestamp": "2026-01-01T00:00:00Z",
        "message": {"role": "user", "content": said},
    }
    return json.dumps(record) + "\n"


def put(path: Path, text: str, days_old: float = 0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    moment = (START - days_old * DAY) / 1000
    os.utime(path, (moment, moment))
    return path


@pytest.fixture
def home() -> Path:
    return Path(os.environ["HOME"])


@pytest.fixture
def archive() -> Path:
    return Path(folder("data", os.environ)) / "rescued"


def reported(store: str, hands: Hands) -> list[Finding]:
    with Bowerbird.open(store, clock=hands) as bird:
        return [one for one in bird.admin.doctor() if one.check == "sessions"]


def test_talks_are_archived_without_secrets_and_stay(
    home: Path, archive: Path, bower: Callable[..., Any]
) -> None:
    path = put(home / ".claude/projects/-x/s.jsonl", talk(f"The token is {TOKEN}, said the walrus"))
    put(home / ".claude/projects/-x/s/subagents/agent-1.jsonl", talk("A side chain", "t"))
    put(home / ".codex/sessions/2026/01/01/rollout-1.jsonl", "{}\n")
    put(home / ".claude/projects/-x/notes.txt", "no talk\n")
    done = bower("rescue").data
    assert (done["archived"], done["unchanged"], done["redacted"]) == (3, 0, {"github-token": 1})
    kept = archive / "claude-code/projects/-x/s.jsonl.gz"
    assert TOKEN not in gzip.decompress(kept.read_bytes()).decode()
    assert "walrus" in gzip.decompress(kept.read_bytes()).decode()
    assert kept.stat().st_mode & 0o777 == 0o600
    assert archive.stat().st_mode & 0o777 == 0o700
    assert bower("rescue").data["unchanged"] == 3
    path.unlink()
    again = bower("rescue").data
    assert (again["archived"], again["unchanged"], again["outlived"]) == (0, 2, 1)
    assert kept.exists()


def test_what_changed_is_archived_again_and_a_link_is_not_followed(
    home: Path, archive: Path, bower: Callable[..., Any], tmp_path: Path
) -> None:
    path = put(home / ".claude/projects/-x/s.jsonl", talk("The walrus"), 1)
    os.symlink(put(tmp_path / "letters", "private\n"), home / ".claude/projects/-x/l.jsonl")
    bower("rescue")
    put(path, talk("The walrus") + talk("and the seal"))
    assert bower("rescue").data["archived"] == 1
    assert sorted(one.name for one in archive.rglob("*.gz")) == ["s.jsonl.gz"]
    assert (
        "seal"
        in gzip.decompress((archive / "claude-code/projects/-x/s.jsonl.gz").read_bytes()).decode()
    )


def test_the_archive_is_read_like_the_files_and_counts_once(
    home: Path,
    archive: Path,
    store_path: str,
    tmp_path: Path,
    bower: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shop = tmp_path / "shop"
    (shop / ".git").mkdir(parents=True)
    path = put(home / ".claude/projects/-x/s.jsonl", talk("The walrus leaks", cwd=str(shop)))
    bower("rescue")
    monkeypatch.chdir(shop)
    both = [str(home / ".claude/projects"), str(archive)]
    assert bower("index", *both).data["added"] == 1
    path.unlink()
    assert bower("index", *both).data["added"] == 1
    with Bowerbird.open(store_path) as bird:
        (hit,) = bird.query("what leaks")
        assert hit.path is not None
        assert hit.path.endswith("s.jsonl.gz")
        assert bird.get(hit.id).text == "The walrus leaks"


def test_it_is_done_once_a_day(home: Path, store_path: str) -> None:
    hands = Hands()
    with Bowerbird.open(store_path, clock=hands) as bird:
        assert not bird.admin.rescue(daily=True).waited
        hands.now += DAY - 1
        assert bird.admin.rescue(daily=True).waited
        assert not bird.admin.rescue().waited
        hands.now += DAY
        assert not bird.admin.rescue(daily=True).waited
        hands.now -= 10 * DAY
        assert not bird.admin.rescue(daily=True).waited
    assert not os.path.exists(store_path)


def test_the_doctor_tells_the_day_of_the_first_loss(home: Path, store_path: str) -> None:
    hands = Hands()
    assert reported(store_path, hands) == []
    put(home / ".claude/projects/-x/a.jsonl", talk("The walrus"), 20)
    put(home / ".claude/projects/-x/b.jsonl", talk("The seal"), 1)
    (found,) = reported(store_path, hands)
    assert (found.level, found.remedy) == ("warning", "bower rescue")
    assert "after 30 days" in found.found
    assert "2 sessions not archived, the first will be deleted on 2026-01-11" in found.found
    put(home / ".claude/settings.json", '{"cleanupPeriodDays": 365}')
    (found,) = reported(store_path, hands)
    assert (found.level, found.remedy) == ("ok", "")
    assert "after 365 days" in found.found
    with Bowerbird.open(store_path, clock=hands) as bird:
        bird.admin.rescue()
    assert reported(store_path, hands) == []


def test_a_broken_archive_is_reported(
    home: Path, tmp_path: Path, bower: Callable[..., Any]
) -> None:
    whole = gzip.compress(talk("The walrus " * 500).encode())
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "cut.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    (broken / "none.jsonl.gz").write_bytes(b"walrus")
    done = bower("index", str(broken)).data
    assert [one["reason"] for one in done["skipped"]] == ["broken gzip data"] * 2
