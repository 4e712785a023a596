"""Every verb over HTTP says what the command says, and calls name their project."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird, Client
from bowerbird.admin import Admin
from bowerbird.core.value import Advice, Do
from bowerbird.surfaces.cli.table import commands
from bowerbird.surfaces.http.service import SERVED, words

if TYPE_CHECKING:
    from tests.surface.http.conftest import Server

# What differs from one run to the next.
CHANGES = {"took_ms", "nonce", "accessed", "access_count", "importance", "usage_dropped", "trace"}


def still(value: Any) -> Any:
    """A value without what differs from one run to the next."""
    if isinstance(value, dict):
        return {key: still(one) for key, one in value.items() if key not in CHANGES}
    return [still(one) for one in value] if isinstance(value, list) else value


@pytest.fixture(scope="module")
def shop(server: Server) -> dict[str, str]:
    """Some memories of a shop, by a word of each."""
    texts = {
        "redis": "Redis must be up before the auth tests run",
        "sqlite": "We chose SQLite for the cart because it needs no server",
        "printer": "The label printer of the warehouse jams on Mondays",
    }
    ids = {}
    for word, text in texts.items():
        said = server.post("curate", content=text, project="shop", tags=[word])
        assert said.status == 200
        ids[word] = said.data["id"]
    return ids


# What is of this machine and not of a store, or is the server itself; moving in reads a folder of this
# machine, which no caller may name, backups are files of it, and what is trusted a person says here. So
# are folders that are watched, agents with their settings, and what is learned of transcripts and
# archived of them.
HERE_ALONE = {"mcp", "serve", "demo", "bench", "help", "completion", "version", "migrate"}
HERE_ALONE |= {"trust", "verify", "backup", "restore", "recover"}
HERE_ALONE |= {"watch", "install", "hook", "learn", "rescue", "why"}
# What is installed on the machine is its owner's matter.
HERE_ALONE |= {"plugins", "upgrade"}
# Files of this machine, and its owner's browser.
HERE_ALONE |= {"export", "import", "dashboard"}


def test_every_command_over_a_store_has_its_route_and_the_client_its_verb() -> None:
    """A new command is given a route, or says above why it has none."""
    typed = {command.VERB.name for command in commands()}
    assert typed >= HERE_ALONE
    assert typed - HERE_ALONE <= {verb.name for verb, _ in SERVED}
    theirs = {name for name in vars(Bowerbird) if not name.startswith("_")}
    # How a Bowerbird is made and where it is; a client is told that when it is made.
    made = {"open", "within", "under", "acting", "admin", "project", "path", "owned"}
    made |= {"unfinished", "outside", "adapter", "project_notes"}
    made |= {"named", "exists"}
    # Its owner's alone: they need the model, a file or a folder, or are the server's own schedule.
    inside = {"kinds", "setting", "prune_if_due", "check", "build_index", "embed", "embed_query"}
    inside |= {"migrate", "trust", "distrust", "trusted", "unanswered"}
    inside |= {"erase", "verify", "backup", "restore", "recover", "reindex_words"}
    inside |= {
        "watch",
        "refresh",
        "sessions",
        "learn",
        "rescue",
        "judged",
        "level",
    }
    inside |= {"why", "settings", "set_setting", "plugins", "foreign", "export", "export_lines"}
    inside |= {
        "move",
        "import_from",
        "importable",
        "importer_at",
        "models",
        "use_model",
        "fetch_model",
    }
    # Changes of the team, which an admin sends to its route.
    inside |= {"add_member", "new_member_token", "revoke_member_token", "leave_team"}
    inside |= {"token_holder", "member", "signed_in", "personal", "upgrade", "health", "digest"}
    # `review` has it, and so has its route's answer.
    inside |= {"settled", "confirm_both", "confirm_as"}
    # What pages ask besides.
    inside |= {"said_before", "citing", "helped", "corrected", "relations", "read_ahead", "tied"}
    inside |= {
        "change",
        "sync",
        "sync_if_due",
        "think",
        "queue",
        "pulse",
        "to_review",
        "narrowed",
        "module_names",
        "reasons",
        "left_behind",
        "meanwhile",
        "with_its_value",
    }
    admins = {name for name in dir(Admin) if not name.startswith("_")}
    assert inside <= admins
    assert (theirs - made) | (admins - inside) <= set(dir(Client))


def test_questions_are_answered_as_on_the_command_line(
    server: Server, shop: dict[str, str]
) -> None:
    question = "what must be up before the auth tests?"
    pairs: list[tuple[dict[str, Any], list[str]]] = [
        ({}, []),
        ({"limit": 1}, ["--limit", "1"]),
        ({"shape": "compact"}, ["--compact"]),
        ({"shape": "digest"}, ["--digest"]),
        ({"fast": True}, ["--fast"]),
        ({"explain": True, "budget": 40}, ["--explain", "--budget", "40"]),
        ({"tags": ["redis"]}, ["--tag", "redis"]),
        ({"since": "7d", "min_score": 0.1}, ["--since", "7d", "--min-score", "0.1"]),
    ]
    for fields, options in pairs:
        here = server.post("query", query=question, project="shop", **fields)
        there = server.bower("query", question, "--project", "shop", *options)
        assert here.status == 200
        assert still(here.data) == still(there)
        assert set(here.data) == set(there)
        assert here.data["results"]
    (found,) = server.post("query", query=question, project="shop", limit=1).data["results"]
    assert found["id"] == shop["redis"]


def test_everything_else_is_told_as_on_the_command_line(
    server: Server, shop: dict[str, str]
) -> None:
    project = {"project": "shop"}
    pairs = [
        (server.get(f"get/{shop['redis']}", **project), ["get", shop["redis"]]),
        (
            server.get(f"get/{shop['redis']}", history=True, **project),
            ["get", shop["redis"], "--history"],
        ),
        (server.get(f"history/{shop['redis']}", **project), ["history", shop["redis"]]),
        (server.get("list", **project), ["list"]),
        (server.get("list", memories=True, limit=2, **project), ["list", "--memories", "--limit=2"]),
        (server.get("list", tags="redis", **project), ["list", "--tag", "redis"]),
        (server.get("list", states="quarantined", **project), ["list", "--state", "quarantined"]),
        (server.post("context", task="run the auth tests", **project), ["context", "run the auth tests"]),
        (
            server.post("context", task="auth tests", phase="implement", budget=30, **project),
            ["context", "auth tests", "--phase", "implement", "--budget", "30"],
        ),
    ]  # fmt: skip
    for here, options in pairs:
        there = server.bower(*options, "--project", "shop", "--format", "json")
        assert here.status == 200, here.body
        assert still(here.data) == still(there)
    data = server.get("status", **project).data
    other = {"projects": 0, "total_size_bytes": 0}
    assert still(data) | other == still(server.bower("status", "--project", "shop")) | other
    assert server.get("doctor").data["healthy"] == server.bower("doctor")["healthy"]


def test_what_is_done_is_done_as_on_the_command_line(server: Server) -> None:
    text = "Deploys of the {} start in the morning"
    here = server.post("curate", content=text.format("ovens"), project="bakery").data
    there = server.bower("curate", text.format("tills"), "--project", "bakery")
    assert set(here) - {"new_project"} == set(there)
    both = {"source": here["id"], "target": there["id"]}
    linked = server.post("link", relation="causes", project="bakery", **both)
    assert linked.data["kind"] == "causes"
    again = server.bower("link", here["id"], "file:deploy.py", "--project", "bakery")
    assert set(linked.data) == set(again)
    refused = server.post("move", ids=[here["id"]], to="global", project="bakery")
    assert refused.status == 422
    wide: dict[str, Any] = {"ids": [here["id"]], "to": "global", "all_projects": True}
    assert server.post("move", **wide).data["memories"][0]["id"] == here["id"]
    assert server.post("revert", id=here["id"], all_projects=True).status == 200
    forgotten = server.post("forget", ids=[here["id"]], reason="moved", project="bakery").data
    gone = server.bower("forget", there["id"], "--reason", "moved", "--project", "bakery")
    assert forgotten | {"forgotten": 0} == gone | {"forgotten": 0}
    assert forgotten["forgotten"][0]["id"] == here["id"]
    assert server.get("list", project="bakery").data["count"] == 0
    back = server.post("revert", id=here["id"], project="bakery").data
    assert set(back) == set(server.bower("revert", there["id"], "--yes", "--project", "bakery"))
    assert back["state"] == "active"
    assert server.post("used", ids=[here["id"]], project="bakery").data == {"noted": True}
    assert server.post("reindex").data["read"] == 0


def test_a_memory_keeps_all_that_was_said_of_it(server: Server) -> None:
    said = server.post(
        "curate",
        content="The parser of the bakery reads flour as flower",
        type="gotcha",
        tags=["parser"],
        keywords=["flour"],
        metadata={"ticket": "B-1", "nested": {"deep": [1, None, 0.5]}},
        priority="high",
        confidence=0.5,
        importance=1,
        files=["parser.py"],
        modules=["parser"],
        audience="team",
        session="s1",
        summary="Flour is flower",
        citation="flour",
        commit="abc123",
        work_unit="B-1",
        pinned=True,
        project="parsers",
        expires="30d",
    )
    entry = server.get(f"get/{said.data['id']}", project="parsers").data
    assert (entry["kind"], entry["tags"], entry["priority"]) == ("gotcha", ["parser"], "high")
    assert entry["keywords"][0] == "flour"
    assert entry["metadata"] == {"ticket": "B-1", "nested": {"deep": [1, None, 0.5]}}
    assert (entry["summary"], entry["citation"]) == ("Flour is flower", "flour")
    assert (entry["commit"], entry["work_unit"], entry["pinned"]) == ("abc123", "B-1", True)
    assert (entry["files"], entry["modules"], entry["audience"]) == (
        ["parser.py"],
        ["parser"],
        "team",
    )
    assert (entry["confidence"], entry["importance"], entry["session"]) == (0.5, 1.0, "s1")
    assert (entry["origin"], entry["trust"]) == ("user", "full")
    assert entry["expires"]


def test_uses_are_counted_once_a_session(server: Server) -> None:
    id = server.post("curate", content="The counter counts the counted", project="count").data["id"]
    for _ in range(3):
        server.post("query", query="what does the counter count?", project="count", session="one")
    server.post("curate", content="Another thing is that tea is hot", project="count")
    assert server.get(f"get/{id}", project="count").data["access_count"] == 1


def test_a_call_without_a_project_is_an_error_that_says_so(server: Server) -> None:
    id = "019a2f6c-81d4-7000-8000-000000000000"
    calls = [
        server.post("query", query="x"),
        server.post("context", task="x"),
        server.post("curate", content="x y z"),
        server.post("forget", ids=[id]),
        server.post("revert", id=id),
        server.post("link", source=id, target="file:x"),
        server.post("used", ids=[id]),
        server.get(f"get/{id}"),
        server.get(f"history/{id}"),
        server.get("list"),
        server.get("status"),
    ]
    for said in calls:
        assert said.status == 422
        assert "project" in said.data["error"]
        assert "all_projects" in said.data["remedy"]


def test_the_states_of_a_memory_are_those_of_every_project(server: Server) -> None:
    said = [server.get("states"), server.get("states", project="shop")]
    assert [one.status for one in said] == [200, 200]
    assert said[0].data["states"] == said[1].data["states"]


def test_since_when_something_held_is_put_right_after_it_was_superseded(server: Server) -> None:
    texts = ("The port of the mailer is 2525", "Mail goes through the relay of the provider")
    kept = [server.post("curate", project="port", content=text).data["id"] for text in texts]
    server.post("link", project="port", source=kept[1], target=kept[0], relation="supersedes")
    assert server.get(f"get/{kept[0]}", project="port").data["state"] == "superseded"
    said = server.post("edit", project="port", id=kept[0], valid_from="2020-05-01")
    assert (said.status, said.data["state"]) == (200, "superseded"), said.data
    found = server.get("list", project="port", as_of="2020-06-01").data["entries"]
    assert [(one["id"], one["state"]) for one in found] == [(kept[0], "active")]
    said = server.post("edit", project="port", id=kept[0], valid_from="2100-05-01")
    assert said.status == 422, said.data


def test_a_project_that_is_not_in_the_store_is_remarked(server: Server) -> None:
    server.post("curate", content="Mangos are sold everywhere", project="global")
    for verb, asked in (("query", {"query": "mangos"}), ("context", {"task": "sell mangos"})):
        for _ in range(2):  # answered anew, and as it is kept
            said = server.post(verb, project="nosuch", **asked)
            (remark,) = (one for one in said.data["remarks"] if one["kind"] == "project")
            assert remark["text"].startswith("no project 'nosuch' in this store")


def test_every_project_is_asked_only_on_request(server: Server) -> None:
    for name in ("north", "south"):
        server.post("curate", content=f"The {name} pole is made of basalt", project=name)
    here = server.post("query", query="which pole is made of basalt?", project="north").data
    assert {one["project"] for one in here["results"]} == {"name:north"}
    wide = server.post("query", query="which pole is made of basalt?", all_projects=True).data
    assert {one["project"] for one in wide["results"]} >= {"name:north", "name:south"}
    (south,) = [one for one in wide["results"] if one["project"] == "name:south"]
    assert server.get(f"get/{south['id']}", project="north").status == 404
    assert server.get(f"get/{south['id']}", all_projects=True).status == 200
    assert server.post("forget", ids=[south["id"]], project="north").status == 404
    assert server.post("forget", ids=[south["id"]], all_projects=True).status == 200


def test_what_is_global_is_found_everywhere_and_changed_by_who_may_everything(
    server: Server,
) -> None:
    content = {"content": "Water boils at a hundred degrees", "global": True}
    said = server.ask("POST", "/api/v1/curate", content)
    id = said.data["id"]
    assert "new_project" not in said.data
    assert server.get(f"get/{id}", project="anything").status == 200
    assert server.post("forget", ids=[id], project="anything").status == 422
    assert server.post("forget", ids=[id], all_projects=True).status == 200


def test_errors_are_the_ones_of_the_command_line(server: Server, shop: dict[str, str]) -> None:
    assert shop  # a store to find nothing in
    none = server.get("get/019a2f6c-81d4", project="shop")
    assert (none.status, none.data["error_type"]) == (404, "NotFound")
    kind = server.post("curate", content="Use tabs", type="gotscha", project="shop")
    assert (kind.status, kind.data["error_type"]) == (422, "UnknownName")
    assert "gotcha" in kind.data["remedy"]
    empty = server.post("curate", content=" \n ", project="shop")
    assert (empty.status, empty.data["error_type"]) == (422, "BadInput")
    phase = server.post("context", task="x", phase="dream", project="shop")
    assert (phase.status, phase.data["error_type"]) == (422, "UnknownName")
    assert "define" in phase.data["remedy"]


def test_paths_of_files_lead_nowhere(server: Server) -> None:
    """What a path would reach is not there to be asked: ids, and texts that narrow a search."""
    for path in ("/etc/passwd", "..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e/etc/passwd", "a%00b"):
        said = server.get(f"get/{path}", project="shop")
        assert said.status in {400, 404, 422}
        assert b"root:" not in said.body
    for path in ("/etc/passwd", "../../etc/passwd", "file:///etc/passwd", "a\0b"):
        for said in (
            server.post("query", query="root", path=path, project="shop"),
            server.get("list", path=path, project="shop"),
            server.post("index", paths=[path]),
            server.get("at", path=path, project="shop"),
        ):
            assert said.status in {200, 400, 404, 422}
            assert b"root:" not in said.body
    said = server.post("curate", content="about a file", files=["/etc/passwd"], project="paths")
    assert "root:" not in json.dumps(server.get(f"get/{said.data['id']}", project="paths").data)


def test_secrets_are_taken_out_here_too(server: Server) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    said = server.post(
        "curate", content=f"The token of CI is {secret}", metadata={"t": secret}, project="leaky"
    )
    assert said.data["redacted"]
    listed = server.get("list", project="leaky")
    assert secret.encode() not in said.body + listed.body


def test_what_another_process_writes_is_answered_at_once(server: Server) -> None:
    for number in range(3):
        word = f"ibex{number}"
        server.post("query", query=f"where is the {word} kept?", project="fresh", fuzzy=False)
        id = server.bower("curate", f"The {word} is kept in the alps", "--project", "fresh")["id"]
        for _ in range(3):
            said = server.post("query", query=f"where is the {word} kept?", project="fresh")
            assert id in {one["id"] for one in said.data["results"]}
        server.bower("forget", id, "--project", "fresh")
        for _ in range(3):
            said = server.post("query", query=f"where is the {word} kept?", project="fresh")
            assert id not in {one["id"] for one in said.data["results"]}


def test_null_is_as_good_as_nothing_in_every_field_that_need_not_be_given(server: Server) -> None:
    """Whatever a client leaves empty in its own object."""
    for verb, _ in SERVED:
        if verb.route is None or verb.route[0] != "POST" or verb.writes or verb.owners:
            continue
        fields: dict[str, Any] = {
            one.called("http"): None for one in verb.at("http") if not one.needed
        }
        needed = {one.called("http"): "redis" for one in verb.at("http") if one.needed}
        said = server.post(verb.name, **(fields | needed | {"project": "shop"}))
        assert said.status == 200, said.body


def test_advice_names_what_is_asked_here(server: Server) -> None:
    """Also in what a verb gives: nothing of it speaks of a command line that a program has not."""
    said = server.get("status", project="unseen")
    assert "bower " not in str(said.data["notes"])
    advice = Advice("read it anew: ", Do("reindex"), "; what is hurt: ", Do("verify", sample="3"))
    assert (
        words(advice) == "read it anew: POST /api/v1/reindex; what is hurt: bower verify --sample 3"
    )
    assert words(Advice(Do("reindex", words=True))) == "bower reindex --words"
    assert words(Advice(Do("prune", dry_run=True))) == "POST /api/v1/prune with dry_run: True"


def test_a_field_may_be_given_by_the_name_that_a_batch_and_python_have(
    server: Server, shop: dict[str, str]
) -> None:
    fields = {"kind": "gotcha", "project": "shop"}
    kept = server.post("curate", text="The scales of the warehouse drift by noon", **fields)
    assert (kept.status, kept.data["decision"], kept.data["kind"]) == (200, "created", "gotcha")
    twice = server.post("curate", text="One", content="Two", project="shop")
    assert twice.status == 422
    assert "content is given twice, as text too" in twice.data["error"]
