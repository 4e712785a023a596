"""The doctor: silent where all is well, and with a remedy where it is not."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw
import pytest

from bowerbird import Bowerbird
from bowerbird.core.clock import system_clock
from bowerbird.core.foreign_file import ForeignFile
from bowerbird.storage.foreign_files import ForeignFiles
from bowerbird.storage.sqlite.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]


def findings(ran: Ran, check: str) -> list[dict[str, Any]]:
    return [one for one in ran.data["findings"] if one["check"] == check]


def test_a_sound_store_is_well(bower: Bower, notes: Path) -> None:
    bower("index", str(notes))
    bower("curate", "No tabs")
    kept = bower("curate", "Nor spaces").data
    bower("forget", kept["id"])
    ran = bower("doctor", "--secrets")
    assert ran.code == 0
    assert ran.data["healthy"] is True
    assert ran.data["problems"] == 0
    checks = {one["check"] for one in ran.data["findings"]}
    assert checks >= {
        "sqlite",
        "filesystem",
        "permissions",
        "disk",
        "schema",
        "sqlite-vec",
        "integrity",
        "index",
        "orphans",
        "model",
        "bytecode",
        "setting",
        "secrets",
        "store",
    }
    assert not [one for one in ran.data["findings"] if one["level"] != "ok" and not one["remedy"]]


def test_bytecode_is_looked_for_where_python_puts_it(
    bower: Bower, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path / "bytecode"))
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    bower("version")
    (finding,) = findings(bower("doctor"), "bytecode")
    assert finding["level"] == "ok"


def test_no_store_yet_is_no_fault(bower: Bower) -> None:
    ran = bower("doctor")
    assert ran.code == 0
    assert any("no store" in one["found"] for one in findings(ran, "store"))


@pytest.mark.parametrize(
    ("damage", "check"),
    [
        ("DELETE FROM word_index WHERE rowid = 1", "index"),
        ("DELETE FROM entry WHERE id = 1", "orphans"),
        ("INSERT INTO tag VALUES (999, 'lost', 1, '', '')", "orphans"),
        ("UPDATE meta SET value = 7 WHERE key = 'entries'", "index"),
        ("UPDATE tally SET entries = 7", "index"),
        ("DELETE FROM migration", "schema"),
        ("DROP INDEX facet_ended", "schema"),
        ("DROP TRIGGER facet_moved", "schema"),
        ("CREATE TABLE visitor (id)", "schema"),
        ("ALTER TABLE tag ADD COLUMN colour", "schema"),
    ],
)
def test_what_is_broken_is_found(bower: Bower, store_path: str, damage: str, check: str) -> None:
    bower("curate", "No tabs")
    connection = apsw.Connection(store_path)
    connection.pragma("foreign_keys", False)
    connection.execute(damage)
    connection.close()
    ran = bower("doctor")
    assert ran.code == 1
    assert ran.envelope["success"] is False
    broken = [one for one in findings(ran, check) if one["level"] == "problem"]
    assert broken
    assert broken[0]["remedy"]


@pytest.mark.parametrize("table", ["project", "document", "alias"])
def test_a_damaged_file_is_reported_as_such(bower: Bower, store_path: str, table: str) -> None:
    bower("curate", "No tabs")
    connection = apsw.Connection(store_path)
    connection.pragma("writable_schema", True)
    # The page of something else: whoever reads the table meets what is none of it.
    connection.execute(
        "UPDATE sqlite_schema SET rootpage ="
        " (SELECT rootpage FROM sqlite_schema WHERE name = 'tag_name') WHERE name = ?",
        (table,),
    )
    connection.close()
    ran = bower("doctor")
    assert ran.code == 1
    broken = [one for one in ran.data["findings"] if one["level"] == "problem"]
    assert [one["check"] for one in broken] == ["integrity"]
    assert "bower verify" in broken[0]["remedy"]
    assert findings(ran, "setting"), "what the file cannot tell is told all the same"


def test_what_others_write_meanwhile_is_no_fault(store_path: str) -> None:
    with Bowerbird.open(store_path, project="shop") as other, Bowerbird.open(store_path) as bird:
        other.remember("No tabs")
        looking = bird._wiring.upkeep.doctor(secrets=False)
        found = {}
        for one in looking:
            found[one.check] = one
            if one.check == "integrity":
                other.remember("Nor spaces")
        assert found["index"].found.startswith("1 entries, 1 in the word index")
        assert found["orphans"].level == "ok"


def test_vectors_of_other_models_and_missing_ones_are_told(bower: Bower, store_path: str) -> None:
    bower("curate", "No tabs")
    connection = apsw.Connection(store_path)
    connection.execute("UPDATE model SET revision = 'older'")
    connection.close()
    ran = bower("doctor")
    assert ran.code == 0
    assert [one["level"] for one in findings(ran, "model")] == ["warning", "warning"]


def test_rights_of_others_are_reported_with_the_command_that_ends_them(
    bower: Bower, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It can be typed as it stands, whatever the folders are called."""
    folder = tmp_path / "my [old] notes"
    folder.mkdir(mode=0o700)
    path = folder / "it's.db"
    monkeypatch.setenv("BOWER_STORE", str(path))
    bower("curate", "No tabs")
    path.chmod(0o644)
    (found,) = findings(bower("doctor"), "permissions")
    assert found["level"] == "warning"
    subprocess.run(found["remedy"], shell=True, check=True)
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_stored_secret_is_found_but_not_shown(bower: Bower, store_path: str) -> None:
    bower("curate", "No tabs")
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    store = Store.open(store_path, system_clock, write=True)
    store.connection.execute("UPDATE entry SET text = ?", (f"The token is {secret}",))
    store.close()
    assert bower("doctor").code == 0
    ran = bower("doctor", "--secrets")
    assert ran.code == 1
    assert secret not in ran.out
    assert "github" in findings(ran, "secrets")[0]["found"]


@pytest.mark.parametrize(
    "name", [".noted", ".external", ".journal/s1.jsonl", ".scratchpad/s1.jsonl"]
)
def test_secrets_beside_the_store_are_found(bower: Bower, store_path: str, name: str) -> None:
    bower("curate", "No tabs")
    secret = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    clean = bower("doctor", "--secrets")
    assert clean.code == 0
    path = Path(store_path + name)
    path.parent.mkdir(exist_ok=True)
    with path.open("a") as file:
        file.write(json.dumps({"what": "file", "path": f"notes/{secret}"}) + "\n")
    ran = bower("doctor", "--secrets")
    assert ran.code == 1
    assert secret not in ran.out
    assert path.name in findings(ran, "secrets")[0]["found"]


def test_so_are_those_in_the_paths_of_files_from_outside(bower: Bower, store_path: str) -> None:
    secret = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    with Bowerbird.open(store_path) as bird:
        bird.remember("No tabs")
    assert ForeignFiles(store_path).note([ForeignFile(secret, "unpacked", "s1", 1)])
    bower("curate", "Nor spaces")
    for suffix in (".external", ".noted.taken"):
        Path(store_path + suffix).unlink(missing_ok=True)
    ran = bower("doctor", "--secrets")
    assert ran.code == 1
    assert secret not in ran.out


def test_settings_come_with_their_origin(
    bower: Bower, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("BOWER_QUERY_LIMIT", "7")
    settings = {one["found"]: one["origin"] for one in findings(bower("doctor"), "setting")}
    assert settings["query.limit = 7"] == "BOWER_QUERY_LIMIT"
    assert settings["query.budget = 0"] == "default"
    # A person reads what differs; the rest is counted.
    seen = bower("doctor", "--format", "text").out
    assert "query.limit = 7" in seen
    assert "query.budget" not in seen
    assert "settings have their default; bower config" in seen


def test_a_configuration_that_stops_everything_else_is_examined(
    bower: Bower, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOWER_QUERY_LIMIT", "many")
    ran = bower("doctor")
    assert ran.code == 1
    assert "query.limit" in findings(ran, "configuration")[0]["found"]


@pytest.mark.parametrize(
    ("text", "said", "remedy"),
    [
        ("query.limit = = 3", "config.toml: Invalid value (at line 1", "mend the file"),
        ("[query]\nlimmit = 3", "query.limmit (FILE, line 2)", "query.limit"),
        ('[agents.default.query]\nlimit = "x"', "line 2)", "a whole number from"),
        ('embed.provider = "nobody"', "nobody", "builtin"),
        ("kinds.rumour = 3", "kind rumour", "[kinds.rumour]"),
    ],
)
def test_a_wrong_setting_is_named_with_its_line_beside_all_other_checks(
    bower: Bower, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str, said: str, remedy: str
) -> None:
    bower("remember", "Redis runs on port 6379")
    path = tmp_path / "bowerbird" / "config.toml"
    path.parent.mkdir()
    path.write_text(text)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    ran = bower("doctor")
    assert ran.code == 1
    (found,) = findings(ran, "configuration") or findings(ran, "model")
    assert said.replace("FILE", str(path)) in found["found"]
    assert remedy in found["remedy"]
    assert findings(ran, "integrity")


def test_another_file_is_reported_as_such(bower: Bower, tmp_path: Path) -> None:
    other = tmp_path / "notes.txt"
    other.write_text("not a database, but long enough to be looked at as one" * 20)
    ran = bower("doctor", "--store", str(other))
    assert ran.code == 1
    assert any(one["level"] == "problem" for one in findings(ran, "store"))


@pytest.mark.parametrize("below", ["memory.db", "deep/er/memory.db"])
def test_a_place_below_a_file_is_told_as_none(bower: Bower, tmp_path: Path, below: str) -> None:
    (tmp_path / "file").touch()
    ran = bower("doctor", "--store", str(tmp_path / "file" / below))
    assert ran.code == 1
    (found,) = findings(ran, "permissions")
    assert found["level"] == "problem"
    assert found["found"] == f"{tmp_path / 'file'} is no folder"
    assert "--store" in found["remedy"]


def test_quiet_tells_only_what_needs_attention(bower: Bower) -> None:
    bower("curate", "No tabs")
    # Whether bytecode may be written is the machine's matter, and its paths may wrap its remedy.
    output = bower("doctor", "--quiet", "--format", "text").out.splitlines()
    checks = {line.split()[1] for line in output if not line.startswith(" ")}
    assert checks <= {"bytecode"}, output


def test_a_sidecar_that_vanishes_while_it_is_looked_at_is_no_fault(
    bower: Bower, store_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever closes the store takes its log away between two looks of the doctor."""
    bower("curate", "No tabs")
    seen = os.path.exists
    monkeypatch.setattr(os.path, "exists", lambda path: str(path).endswith("-wal") or seen(path))
    with Bowerbird.open(store_path) as bird:
        levels = {one.check: one.level for one in bird.admin.doctor()}
    assert (levels["disk"], levels["permissions"]) == ("ok", "ok")


@pytest.mark.parametrize("entry", ["aws-kye", "sha256:9f86d08"])
def test_what_is_allowed_without_a_meaning_is_reported(
    bower: Bower, notes: Path, monkeypatch: pytest.MonkeyPatch, entry: str
) -> None:
    bower("curate", "No tabs")
    monkeypatch.setenv("BOWER_GUARD_ALLOW", f"jwt,{entry}")
    for verb in (("curate", "Nor spaces"), ("index", str(notes))):
        ran = bower(*verb)
        assert ran.code == 2
        assert entry in ran.data["error"]
        assert "BOWER_GUARD_ALLOW" in ran.data["error"]
        assert ran.data["remedy"]
    doctor = bower("doctor")
    assert doctor.code == 1
    (finding,) = [one for one in doctor.data["findings"] if one["level"] == "problem"]
    assert finding["found"] == ran.data["error"]
    assert finding["remedy"] == ran.data["remedy"]
    # What is read is read all the same.
    assert bower("query", "tabs").code == 0
