"""What can be said of a memory beside its text, and how it is shown again."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import apsw
import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput, UnknownName
from bowerbird.core.kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]

ONE = "The gateway listens on port 5432"
OTHER = "The gateway listens on port 6432"


def test_every_field_comes_back(bower: Bower) -> None:
    kept = bower(
        "curate",
        ONE,
        "--summary",
        "Where the gateway listens",
        "--citation",
        "gateway port",
        "--keywords",
        "Tunnel,VPN",
        "--commit",
        "abc1234",
        "--work-unit",
        "SHOP-12",
        "--priority",
        "high",
        "--pinned",
    ).data
    entry = bower("get", kept["id"]).data
    wanted = {
        "summary": "Where the gateway listens",
        "citation": "gateway port",
        "commit": "abc1234",
        "work_unit": "SHOP-12",
        "priority": "high",
        "pinned": True,
        "verified": False,
        "metadata": {},
        "review": "",
    }
    assert {name: entry[name] for name in wanted} == wanted
    assert entry["keywords"][:2] == ["tunnel", "vpn"]
    shown = bower("get", kept["id"], "--format", "text").out
    for fact in ("stored with high priority", "abc1234", "SHOP-12", "pinned"):
        assert fact in shown


def test_what_is_not_said_is_made_of_the_text(bower: Bower) -> None:
    long = "The gateway of the warehouse listens on port 5432. It speaks TLS."
    entry = bower("get", bower("curate", long).data["id"]).data
    assert entry["summary"] == "The gateway of the warehouse listens on port 5432."
    assert entry["citation"] == "The gateway of the warehouse listens on…"


def test_keywords_find_what_the_text_does_not_say(bower: Bower) -> None:
    kept = bower("curate", ONE, "--keywords", "tunnel").data["id"]
    bower("curate", "Invoices are numbered without gaps")
    assert bower("query", "tunnel", "--fast").data["results"][0]["id"] == kept
    assert bower("curate", ONE, "--keywords", "bastion").data["changed"] == ["keywords"]
    assert bower("query", "bastion", "--fast").data["results"][0]["id"] == kept
    bower("revert", kept, "--yes")
    assert bower("query", "bastion", "--fast", "--no-fuzzy").data["results"] == []
    assert bower("doctor").data["healthy"]


def test_fuzzy_reads_also_a_word_that_is_spelt_right(bower: Bower) -> None:
    kept = bower("curate", "The grouse nests behind the mouse trap of the barn").data["id"]
    bower("curate", "Invoices are numbered without gaps")
    assert bower("query", "house", "--fast").data["corrected"] == {}
    found = bower("query", "house", "--fast", "--fuzzy").data
    assert found["corrected"] == {"house": "mouse"}
    assert found["results"][0]["id"] == kept
    assert bower("query", "mosue", "--fast", "--no-fuzzy").data["corrected"] == {}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--citation", "x" * 41], "the citation has 41 characters"),
        (["--verified"], "only a person can verify a memory"),
    ],
)
def test_what_cannot_be_taken_is_reported(
    bower: Bower, arguments: list[str], expected: str
) -> None:
    ran = bower("curate", ONE, *arguments)
    assert (ran.code, ran.data["error"]) == (2, expected)
    assert ran.data["remedy"]


def test_secrets_are_taken_out_of_every_field(bower: Bower, store_path: str) -> None:
    key = "sk_" + "live_" + "4eC39HqLyjWDarjtT1zdp7dc"
    options = ("--summary", "--keywords", "--commit", "--work-unit")
    kept = bower("curate", ONE, *(part for name in options for part in (name, key))).data
    assert kept["redacted"]
    connection = apsw.Connection(store_path)
    for table in ("entry", "memory", "version", "audit"):
        for row in connection.execute(f"SELECT * FROM {table}"):
            assert key.lower() not in str(row).lower()
    connection.close()


def test_nothing_takes_the_place_of_what_is_pinned_by_itself(bower: Bower) -> None:
    longer = ONE + ", because the proxy expects it there"
    pinned = bower("curate", ONE, "--pinned").data["id"]
    kept = bower("curate", longer).data
    assert (kept["decision"], kept["matched"][0]["relation"]) == ("created", "related_to")
    assert "pinned" in kept["matched"][0]["reason"]
    assert bower("get", pinned).data["state"] == "active"
    bower("forget", kept["id"])
    assert bower("curate", ONE, "--no-pinned").data["changed"] == ["pinned"]
    assert bower("curate", longer).data["decision"] == "superseded"


def test_a_review_comes_with_its_reason_wherever_it_is_shown(
    bower: Bower, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    one = bower("curate", ONE).data["id"]
    other = bower("curate", OTHER).data
    reason = "another number: “5432” and “6432”"
    assert other["review"] == f"it contradicts {one[:18]}: {reason}"
    expected = f"{other['id'][:18]} contradicts it: {reason}"
    for command in (["get", one], ["get", one, "--format", "markdown"], ["list"]):
        assert (
            expected
            in bower(*command, *(() if "--format" in command else ("--format", "text"))).out
        )
    for format in ("text", "markdown"):
        assert f"needs review: {expected}" in bower("query", "gateway port", "--format", format).out
        # What agents kept is told with the remark that another one says otherwise.
        packed = bower("context", "the port", "--format", format).out
        assert packed.count("says otherwise; bower review") == 2
        assert (ONE in packed, OTHER in packed) == (True, True)
    assert f"needs review: {expected}" in bower("list", "--format", "markdown").out
    hits = {one["id"]: one for one in bower("query", "gateway port").data["results"]}
    assert hits[one]["review"] == expected
    (entry,) = (e for e in bower("list", "--needs-review").data["entries"] if e["id"] == one)
    assert entry["review"] == expected
    bower("revert", other["id"], "--yes")
    assert bower("get", one).data["review"] == ""


def test_a_person_settles_a_review(bower: Bower, terminal: Bower) -> None:
    one = bower("curate", ONE).data["id"]
    other = bower("curate", OTHER).data["id"]
    shown = terminal("curate", OTHER, "--verified")
    assert shown.code == 0, shown.out
    assert bower("list", "--needs-review").data["entries"] == []
    assert bower("get", one).data["state"] == "superseded"
    settled = bower("get", other).data
    assert (settled["state"], settled["verified"]) == ("active", True)


def test_who_told_it_settles_its_review_by_telling_it_again(terminal: Bower, bower: Bower) -> None:
    terminal("curate", ONE)
    terminal("curate", OTHER)
    shown = terminal("curate", OTHER, "--verified").out
    assert "new about it: review, verified" in shown
    assert bower("list", "--needs-review").data["entries"] == []
    (settled,) = (e for e in bower("list").data["entries"] if e["text"] == OTHER)
    assert (settled["verified"], settled["review"]) == (True, "")
    bower("revert", settled["id"], "--yes")
    assert bower("list", "--needs-review").data["count"] == 2


def test_forgetting_one_of_two_settles_the_review_of_the_other(bower: Bower) -> None:
    one = bower("curate", ONE).data["id"]
    other = bower("curate", OTHER).data["id"]
    bower("forget", one)
    assert bower("get", other).data["review"] == ""
    bower("revert", one, "--yes")
    assert "contradicts" in bower("get", other).data["review"]
    assert bower("list", "--needs-review").data["count"] == 2
    third = bower("curate", "The gateway listens on port 7432").data["id"]
    bower("forget", one)
    # It waits for the one that is left. Why is said where that one's own review says it, which names
    # only one of the two that it contradicted.
    assert bower("get", other).data["review"] in (
        f"it contradicts {third[:18]}: another number: “6432” and “7432”",
        f"it and {third[:18]} contradict each other",
    )
    bower("forget", third)
    assert bower("list", "--needs-review").data["count"] == 0


def test_words_of_a_project_stay_out_of_what_is_global(bower: Bower) -> None:
    everywhere = bower("curate", ONE, "--global").data["id"]
    own = bower("curate", OTHER, "--project", "shop").data
    assert own["review"].startswith(f"it contradicts {everywhere[:18]}")
    assert bower("get", everywhere).data["review"] == ""


def test_fields_of_an_older_store_are_empty(bower: Bower, store_path: str) -> None:
    """A store whose versions were written before a field was there is read as it stands."""
    kept = bower("curate", ONE).data["id"]
    connection = apsw.Connection(store_path)
    connection.execute(
        "UPDATE version SET fields = json_remove(fields, '$.review', '$.pinned', '$.citation',"
        " '$.priority', '$.verified', '$.commit', '$.work_unit')"
    )
    connection.execute("UPDATE memory SET needs_review = 1")
    connection.close()
    assert bower("get", kept).data["citation"] == ""
    assert bower("query", "gateway").data["results"][0]["review"] == "it needs review"
    assert bower("curate", ONE, "--commit", "abc1234").data["changed"] == ["commit"]


def test_a_batch_takes_the_same_fields(bower: Bower) -> None:
    line = {"text": ONE, "pinned": True, "keywords": ["vpn"], "commit": "abc1234", "citation": "x"}
    lines = [json.dumps(line), json.dumps({"text": OTHER, "pinned": "yes"})]
    ran = bower("curate", "--batch", "-", stdin="\n".join(lines))
    assert ran.code == 1
    assert ran.data["errors"][0]["error"] == "pinned: give true or false"
    entry = bower("get", ran.data["decisions"][0]["id"]).data
    assert (entry["pinned"], entry["commit"], entry["citation"]) == (True, "abc1234", "x")


def test_ctrl_c_tells_which_lines_of_a_batch_were_kept(
    bower: Bower, store_path: str, tmp_path: Path
) -> None:
    bower("curate", ONE)
    facts = tmp_path / "facts.jsonl"
    facts.write_text("".join(json.dumps(f"Shelf {n} holds socks") + "\n" for n in range(5_000)))
    running = subprocess.Popen(
        [sys.executable, "-m", "bowerbird", "curate", "--batch", str(facts)],
        stdout=subprocess.PIPE,
        text=True,
    )
    with Bowerbird.open(store_path) as bird:
        while running.poll() is None and bird.status().total_memories < 3:
            pass
        running.send_signal(signal.SIGINT)
        output = json.loads(running.communicate()[0])["data"]
        kept = bird.status().total_memories - 1
    assert running.returncode == 130
    # The line at which it was stopped may just have been written.
    stopped_at = output["errors"][-1]["line"]
    assert stopped_at in (kept, kept + 1)
    assert len(output["decisions"]) == stopped_at - 1


def test_telling_the_same_keywords_again_makes_no_version(store_path: str) -> None:
    """Whatever was kept in between: which words of a text are rare depends on it."""
    text = "The gateway needs Redis, Postgres, Kafka, Consul, Vault, Nomad, Envoy, Loki and Tempo"
    with Bowerbird.open(store_path, project="shop") as bird:
        kept = bird.remember(text, keywords=["tunnel"])
        for name in ("Redis", "Postgres", "Kafka", "Consul"):
            bird.remember(f"{name} is upgraded by the operations team on Mondays")
        before = bird.history(kept.id)
        assert bird.remember(text, keywords=["tunnel"]).changed == ()
        assert bird.history(kept.id) == before


def test_help_tells_the_fields_of_every_structure(bower: Bower) -> None:
    shown = bower("help", "curate").out
    for kind in KINDS.values():
        assert f"  {kind.name}  " in shown
        for name in kind.payload or {}:
            assert f"    {name}: " in shown


def test_python_takes_the_same(store_path: str) -> None:
    about: dict[str, Any] = {"verified": True, "origin": "user", "keywords": "vpn", "pinned": True}
    with Bowerbird.open(store_path) as bird:
        kept = bird.remember(ONE, work_unit="SHOP-12", **about)
        details = bird.get(kept.id).details
        assert details is not None
        assert (details.fields.verified, details.fields.work_unit) == (True, "SHOP-12")
        with pytest.raises(BadInput):
            bird.remember(OTHER, keywords=[1])  # type: ignore[list-item]
        with pytest.raises(UnknownName):
            bird.remember(OTHER, colour="red")  # type: ignore[call-arg]
