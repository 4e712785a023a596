"""No byte of a secret stands in what a store leaves on the disk, whichever way it came."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.surface.conftest import Ran

pytestmark = pytest.mark.usefixtures("_own_store")

# Put together here, so that no scanner takes this file for a leak.
TOKEN = "ghp_" + "aB3dE6gH9jK2" * 3
KEY = "AK" + "IAQZ7RLMNB5XWTKD2C"
PASSWORD = "Gv7" + "kQz92-mPx"
HIDDEN = {"token": TOKEN, "key": KEY, "password": PASSWORD}
# In a process of its own, without SQLite: what opens a store's file here would drop its locks.
READ = """
import json, os, sys
wanted = json.load(sys.stdin)
found = []
for folder, _, files in os.walk(sys.argv[1]):
    for file in files:
        data = open(os.path.join(folder, file), "rb").read()
        found += [(file, name) for name, value in wanted.items() if value.encode() in data]
        found += [(file, name) for name, value in wanted.items() if value.lower().encode() in data]
print(json.dumps(found))
"""


def left(store: str) -> list[list[str]]:
    """Which files beside a store hold which secret."""
    done = subprocess.run(
        [sys.executable, "-c", READ, os.path.dirname(store)],
        input=json.dumps(HIDDEN),
        capture_output=True,
        text=True,
        check=True,
    )
    found: list[list[str]] = json.loads(done.stdout)
    return found


def test_what_is_allowed_stays_in_names_and_reasons_too(
    bower: Callable[..., Ran], store_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOWER_GUARD_ALLOW", "github-token,password")
    kept = bower("curate", "Redis runs on port 6379", "--project", f"shop {TOKEN}")
    assert kept.code == 0
    said = "The staging database password is "
    bower("curate", said + PASSWORD)
    done = bower("curate", said + PASSWORD + "x", "--format", "json")
    assert "REDACTED" not in done.out
    id = json.loads(done.out)["data"]["id"]
    assert bower("forget", id, "--reason", f"replaced by {TOKEN}").code == 0
    assert TOKEN in bower("history", id).out
    with Bowerbird.open(store_path, project=f"shop {TOKEN}") as bird:
        assert "6379" in bird.query("redis port")[0].entry.text
        bird.remember("Postgres runs on port 5432", session=f"run {TOKEN}")
    assert {name for _, name in left(store_path)} == {"token", "password"}


def test_the_password_of_a_remote_rests_nowhere(
    bower: Callable[..., Ran],
    store_path: str,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shop = tmp_path_factory.mktemp("shop")
    git = shop / ".git"
    git.mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    url = f"https://jane:{PASSWORD}@example.com/team/shop.git"
    (git / "config").write_text(
        f'[remote "origin"]\n\turl = {url}\n[remote "other"]\n\turl = https://{TOKEN}@b.example/s\n'
    )
    (git / "logs").mkdir()
    hashes = f"{'0' * 40} {'1' * 40}"
    (git / "logs" / "HEAD").write_text(f"{hashes} Jane <j@a.example> 1 +0000\tclone: from {url}\n")
    (git / "FETCH_HEAD").write_text(f"{'1' * 40}\t\tbranch 'main' of {url}\n")
    (shop / "ports.md").write_text("# Ports\n\nRedis runs on port 6379.\n")
    monkeypatch.chdir(shop)
    assert bower("index", str(shop)).code == 0
    done = bower("curate", "Postgres runs on port 5432", "--format", "json")
    assert done.code == 0
    assert PASSWORD not in done.out + bower("trust").out + bower("status").out
    assert left(store_path) == []


@pytest.fixture
def notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of files that hold secrets; one has one in its title."""
    folder = tmp_path_factory.mktemp("notes")
    (folder / "deploy.md").write_text(
        f"# Token {TOKEN}\n\nThe password is {PASSWORD} on staging.\n"
    )
    (folder / "env.txt").write_text(f"AWS_ACCESS_KEY_ID={KEY}\nDB_PASSWORD={PASSWORD}\n")
    return folder


def test_what_was_kept_and_indexed_leaves_no_byte_of_a_secret(
    bower: Callable[..., Ran], store_path: str, notes: Path
) -> None:
    assert bower("index", str(notes)).code == 0
    said = ("curate", f"Use {TOKEN} with the password: {PASSWORD}", "--tags", TOKEN)
    assert bower(*said, "--work-unit", KEY, "--metadata", f"key={KEY}").code == 0
    assert bower("curate", f"Use {KEY} instead of the older key", "--citation", KEY).code == 0
    assert bower("query", f"which password: {PASSWORD}").code == 0
    assert left(store_path) == []


def test_names_of_projects_sessions_and_files_go_through_the_same(
    bower: Callable[..., Ran], store_path: str
) -> None:
    done = bower("curate", "Redis runs on port 6379", "--project", f"shop {TOKEN}")
    assert done.code == 0
    assert TOKEN not in done.out + done.err
    listed = bower("query", "redis port", "--project", f"shop {TOKEN}", "--format", "json")
    assert json.loads(listed.out)["data"]["results"], "its own name still leads to a project"
    with Bowerbird.open(store_path, project="shop") as bird:
        kept = bird.remember("Postgres runs on port 5432", session=f"run {KEY}")
        bird.used([kept.id], session=f"run {KEY}")
    assert left(store_path) == []


def test_a_file_s_name_is_shown_without_the_secret_in_it(
    bower: Callable[..., Ran], tmp_path: Path
) -> None:
    folder = tmp_path / "named"
    folder.mkdir()
    (folder / f"{TOKEN}.md").write_text("# Ports\n\nRedis runs on port 6379.\n")
    assert bower("index", str(folder)).code == 0
    (hit,) = json.loads(bower("query", "redis port", "--format", "json").out)["data"]["results"]
    # The path alone says it: it has to lead to the file.
    assert TOKEN in hit["path"]
    assert TOKEN not in json.dumps({name: value for name, value in hit.items() if name != "path"})


def test_reasons_quote_nothing_that_was_taken_out(
    bower: Callable[..., Ran], store_path: str
) -> None:
    bower("curate", "The staging database password is Xy7!" + "kQz92mPx")
    done = bower("curate", f"The staging database password is {PASSWORD}", "--format", "json")
    assert PASSWORD not in done.out
    history = bower("history", json.loads(done.out)["data"]["id"], "--format", "json")
    assert history.code == 0
    assert PASSWORD not in history.out
    assert left(store_path) == []
