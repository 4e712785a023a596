"""What somebody met who tried Bowerbird for the first time, and what it says now."""

from __future__ import annotations

import re
import shlex
import shutil
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput
from bowerbird.core.memories import Decision
from bowerbird.core.migrated import Imported, Moved
from bowerbird.core.report import Report
from bowerbird.surfaces.cli.page import Page
from bowerbird.surfaces.cli.render.index import text
from bowerbird.surfaces.cli.table import load

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]


def make_repository(folder: Path) -> None:
    """As git would, as far as it is looked at: these tests pass where git is missing, too."""
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git project to stand in."""
    folder = tmp_path / "shop"
    make_repository(folder)
    monkeypatch.chdir(folder)
    return folder


def test_a_project_is_named_by_its_name_or_uid(
    bower: Bower, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bower("remember", "Carts are emptied after a week")
    monkeypatch.chdir(shop.parent)
    (hit,) = bower("query", "carts", "--project", "shop").data["results"]
    assert hit["project"] == f"path:{shop}"
    assert bower("query", "carts", "--project", hit["project"]).data["results"]
    assert "new_project" not in bower("remember", "Sell socks", "--project", "shop").data
    projects = bower("status", "--all-projects").data["projects"]
    assert [(one["name"], one["memories"]) for one in projects] == [("global", 0), ("shop", 2)]
    assert "shop: 2 memories" in bower("status", "--format", "text").out


def test_an_unknown_project_is_reported(bower: Bower, shop: Path) -> None:
    bower("remember", "Carts are emptied after a week")
    expected = "no project 'nosuch' in this store; known: shop"
    ran = bower("query", "carts", "--project", "nosuch")
    assert (ran.code, ran.data["degraded"]) == (0, [f"project: {expected}"])
    assert expected in bower("list", "--project", "nosuch", "--format", "text").err
    assert expected in bower("status", "--project", "nosuch").data["notes"]
    for verb in ("review", "fading", "sessions", "list", "query carts"):
        ran = bower(*verb.split(), "--project", "nosuch", "--format", "text")
        assert ran.err.count(expected) == 1
    assert bower("remember", "Sell hats", "--project", "nosuch").data["new_project"] == "nosuch"
    assert bower("index", "--project", "third", "--format", "text").err.endswith(
        "created a new project, third\n"
    )
    assert bower("query", "hats", "--project", "nosuch").data["degraded"] == []


def test_a_name_of_two_projects_is_refused_with_their_uids(
    bower: Bower, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bower("remember", "Carts are emptied after a week")
    other = shop.parent / "other" / "shop"
    make_repository(other)
    monkeypatch.chdir(other)
    bower("remember", "Socks are sold in pairs")
    assert bower("query", "socks", "--project", "shop").code == 0, "the folder's own"
    monkeypatch.chdir(shop.parent)
    ran = bower("query", "socks", "--project", "shop")
    assert ran.code == 2
    assert f"path:{shop}" in ran.data["remedy"]
    assert f"path:{other}" in ran.data["remedy"]


def test_a_project_file_enters_no_other_project(bower: Bower, shop: Path) -> None:
    bower("remember", "Carts are emptied after a week")
    foreign = shop.parent / "foreign"
    foreign.mkdir()
    (foreign / ".bowerbird.toml").write_text('project = "shop"\n')
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(foreign)
        assert bower("query", "carts").data["results"] == []


def test_nor_one_that_was_made_by_its_name(bower: Bower, tmp_path: Path) -> None:
    bower("remember", "Carts are emptied after a week", "--project", "till")
    foreign = tmp_path / "foreign"
    (foreign / "deep").mkdir(parents=True)
    (foreign / ".bowerbird.toml").write_text('project = "till"\n')
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(foreign / "deep")
        assert bower("query", "carts").data["results"] == []
        kept = bower("remember", "Socks are sold in pairs")
        assert kept.data["decision"] == "created"
        assert len(bower("query", "socks").data["results"]) == 1
    assert bower("query", "socks", "--project", f"path:{foreign}").data["results"]
    assert not bower("query", "socks").data["results"]


def test_text_and_time_are_taken_as_on_the_command_line(store_path: str) -> None:
    with Bowerbird.open(store_path) as bird:
        bird.remember("Redis must be up first", kind="gotcha", tags="Auth Tests")
        assert len(bird.query("redis", kinds="gotcha", tags="AUTH tests", since="7d")) == 1
        assert len(bird.list(kinds="gotcha", tags="Auth-Tests", states="active")) == 1
        assert len(bird.query("redis", until="2001-01-01")) == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"since": "soon"},
        {"since": 2**70},
        {"until": 1.5},
        {"since": True},
        {"kinds": 3},
        {"tags": [b"x"]},
        {"text": None},
        {"text": b"x"},
    ],
)
def test_a_wrong_type_is_refused(store_path: str, wrong: dict[str, Any]) -> None:
    with Bowerbird.open(store_path) as bird:
        bird.remember("Redis must be up first")
        with pytest.raises(BadInput):
            bird.query(**({"text": "redis"} | wrong))


def test_tags_are_filtered_as_they_are_kept(bower: Bower) -> None:
    bower("remember", "Redis must be up first", "--tags", "Auth Tests")
    assert bower("list", "--tag", "Auth Tests").data["count"] == 1
    assert len(bower("query", "redis", "--tag", "AUTH-tests").data["results"]) == 1


def test_a_comma_parts_two_tags(bower: Bower) -> None:
    bower("remember", "Redis must be up first", "--tags", "team, infra")
    assert bower("list").data["entries"][0]["tags"] == ["infra", "team"]
    assert bower("list", "--tag", "infra,team").data["count"] == 1
    assert bower("list", "--tag", "infra,other").data["count"] == 0


def test_a_token_for_a_project_that_is_not_there_says_so(bower: Bower) -> None:
    bower("remember", "Redis must be up first")
    made = bower("serve", "--new-token", "ci", "--only", "nosuch", "--format", "text")
    assert "no project 'nosuch' in this store" in made.err


def test_the_number_of_hits_has_the_short_name_that_people_try(bower: Bower) -> None:
    for said in ("Redis must be up first", "Redis is asked on port 7001"):
        bower("remember", said)
    assert len(bower("query", "redis", "-n", "1").data["results"]) == 1
    assert bower("list", "-n", "1").data["count"] == 1


def test_index_says_what_it_took_out(bower: Bower, tmp_path: Path) -> None:
    key = "sk_" + "live_" + "4eC39HqLyjWDarjtT1zdp7dc"
    note = tmp_path / "note.md"
    note.write_text(f"# Keys\n\nThe key of the shop is {key}.\n")
    ran = bower("index", str(note), "--format", "text")
    assert "redacted before storing: 1 stripe-key" in ran.out
    assert key not in ran.out


def test_many_kinds_of_secrets_are_counted_and_the_most_frequent_named() -> None:
    report = Report(redacted={f"kind-{number:02}": number for number in range(1, 15)})
    output = text(report, Page()).splitlines()
    (line,) = [line for line in output if line.startswith("redacted")]
    assert line.endswith("6 kind-06s, 5 kind-05s, and 10 of 4 other kinds (--verbose lists them)")


def test_a_short_answer_keeps_its_explanation_and_ids(bower: Bower, notes: Path) -> None:
    bower("index", str(notes))
    for shape in (["--digest"], ["--compact"], ["--format", "markdown"]):
        shown = bower("query", "redis", "--explain", "--format", "text", *shape).out
        assert "What each stage added" in shown
    digest = bower("query", "-", "--digest", stdin="redis\n").data["results"][0]
    assert bower("get", digest["id"]).data["path"] == digest["path"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--store", "", "status"], "--store is empty"),
        (["--store"], "--store needs a value"),
    ],
)
def test_a_store_has_a_name(bower: Bower, arguments: list[str], expected: str) -> None:
    ran = bower(*arguments)
    assert (ran.code, ran.data["error"]) == (2, expected)


def test_what_is_gone_can_be_removed(bower: Bower, notes: Path) -> None:
    bower("index", str(notes))
    shutil.rmtree(notes)
    assert bower("index", str(notes)).data["removed"] == 3
    assert bower("query", "redis").data["results"] == []
    assert bower("index", str(notes)).code == 2


@pytest.mark.parametrize("arguments", ["query x", "status --format text", "", "help query"])
@pytest.mark.parametrize("output", ["> /dev/full", ">&-"])
def test_an_output_that_takes_nothing_is_one_line(arguments: str, output: str) -> None:
    done = subprocess.run(
        f"{shlex.quote(sys.executable)} -m bowerbird {arguments} {output}",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("error: the answer cannot be written: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["query", "x", "--limit", "0"], "--limit cannot be 0"),
        (["query", "x", "--min-score", "2"], "--min-score cannot be 2.0"),
    ],
)
def test_an_error_names_what_was_typed(bower: Bower, arguments: list[str], expected: str) -> None:
    ran = bower(*arguments)
    assert (ran.code, ran.data["error"]) == (2, expected)


def test_ctrl_c_says_what_this_run_kept(bower: Bower, notes: Path, store_path: str) -> None:
    bower("index", str(notes))
    for number in range(1_500):
        (notes / f"note{number}.md").write_text(f"# Note {number}\n\nThe shelf is full.\n")
    running = subprocess.Popen(
        [sys.executable, "-m", "bowerbird", "index", str(notes), "--format", "text"],
        stderr=subprocess.PIPE,
        text=True,
    )
    with Bowerbird.open(store_path) as bird:
        while running.poll() is None and bird.status().total_documents <= 3:
            pass
        running.send_signal(signal.SIGINT)
        err = running.communicate()[1]
        kept = bird.status().total_documents - 3
    assert running.returncode == 130, err
    assert 0 < kept < 1_500
    assert f"stopped; this run took in {kept:,} files" in err
    assert "run it again" in err


def test_a_list_marks_what_waits_to_be_looked_at(bower: Bower) -> None:
    bower("remember", "The cache is enabled in production.")
    bower("remember", "The cache is not enabled in production.")
    if bower("list", "--needs-review").data["count"] == 0:
        pytest.fail("nothing was marked to be looked at")
    assert "needs review" in bower("list", "--format", "text").out


def test_the_way_back_of_a_reverted_creation_works(bower: Bower) -> None:
    kept = bower("remember", "Carts are emptied after a week").data["id"]
    bower("revert", kept, "--yes")
    assert bower("revert", kept, "--yes").data["state"] == "active"
    bower("revert", kept, "--yes")
    remedy = bower("forget", kept).data["remedy"]
    assert remedy.startswith(f"bring it back with: bower revert {kept} --to ")
    shown = bower("get", kept, "--format", "text").out
    (alone,) = [line for line in shown.splitlines() if line.startswith("it alone:")]
    assert " --to " in alone
    for line in (alone, remedy):
        assert bower(*line.partition("bower ")[2].split()).data["state"] == "active"
        bower("forget", kept)
    assert bower("forget", kept).data["remedy"] == f"bring it back with: bower revert {kept}"


def test_the_history_says_what_was_linked(bower: Bower) -> None:
    one = bower("remember", "Carts are emptied after a week").data["id"]
    bower("link", one, "file:src/cart.py", "--as", "informs")
    bower("revert", one, "--yes")
    output = " ".join(bower("history", one, "--format", "text").out.split())
    assert " linked agent it informs file:src/cart.py" in output
    assert "unlinked agent it informs file:src/cart.py; reverted “linked”" in output


def test_the_answer_says_until_when_it_holds(bower: Bower, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/Los_Angeles")
    kept = bower("remember", "The release is frozen", "--expires", "2099-03-01")
    assert kept.data["expires"].startswith("2099-03-0")
    output = bower("remember", "The release is frozen", "--format", "text").out
    assert "valid until 2099-03-01 23:59" in output  # the day that was typed, where it was
    assert bower("remember", "Socks are sold in pairs").data["expires"] is None


def test_an_empty_path_is_not_this_folder(bower: Bower, store_path: str) -> None:
    """A script whose variable is not set would take in the folder that it happens to stand in."""
    ran = bower("index", "")
    assert (ran.code, ran.data["error"]) == (2, "a path is empty")


def test_quiet_is_quiet_in_every_format(bower: Bower) -> None:
    bower("remember", "Socks are sold in pairs")
    for form in ("text", "markdown"):
        assert "| ok |" not in bower("doctor", "--quiet", "--format", form).out
    assert "| ok |" in bower("doctor", "--format", "markdown").out


def test_a_command_without_a_text_says_so(bower: Bower) -> None:
    assert bower("status", "x").data["remedy"].startswith("bower status takes options alone")
    assert "in quotes" in bower("help", "query", "x", "--format", "json").data["remedy"]


def test_one_is_no_plural(bower: Bower) -> None:
    kept = bower("remember", "Shelf 3 holds the mango boxes").data["id"]
    bower("remember", "Invoices are numbered without gaps")
    assert "1 weak one left out" in bower("query", "mango", "--format", "text").out
    bower("remember", "The lamp in the hall is red")
    assert re.search(r"^used: +1 time$", bower("get", kept, "--format", "text").out, re.MULTILINE)


def test_code_without_tests_is_not_said_to_be_without_users(
    bower: Bower, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shop.py").write_text("def price():\n    return 1\n\n\ndef bill():\n    price()\n")
    monkeypatch.chdir(tmp_path)
    assert bower("index", "shop.py").code == 0
    told = bower("impact", "shop.py:price", "--tests", "--format", "text").out
    assert "no test in the indexed code reaches it within 3 steps" in told
    assert "called by function bill" in bower("impact", "price", "--format", "text").out


def test_a_dry_run_says_that_it_was_one(bower: Bower, shop: Path) -> None:
    bower("remember", "The limit is 100 requests per minute")
    would = bower("remember", "Shirts are ironed twice", "--dry-run", "--format", "text")
    assert "Would be kept as fact: Shirts are ironed twice" in would.out
    assert "nothing was stored" in would.out
    assert "✓" not in would.out
    assert "bower get" not in would.out
    done = bower("remember", "Shirts are ironed twice", "--dry-run").data
    assert (done["id"], done["decision"], done["dry_run"]) == ("", "created", True)
    newer = bower("remember", "The limit is 250 requests per minute now", "--dry-run").data
    assert (newer["id"], newer["decision"]) == ("", "superseded")
    known = bower("remember", "The limit is 100 requests per minute", "--dry-run").data
    assert bower("get", known["id"]).data["id"] == known["id"]
    (shop / "facts.jsonl").write_text('"Socks are sold out"\n')
    batch = bower("remember", "--batch", "facts.jsonl", "--dry-run", "--format", "text")
    assert "this was a dry run" in batch.out
    assert bower("remember", "--batch", "facts.jsonl", "--dry-run").data["dry_run"] is True
    assert bower("status").data["total_memories"] == 1
    assert bower("remember", "Socks are sold out").data["dry_run"] is False
    with Bowerbird.open(bower("status").data["db_path"]) as bird:
        assert bird.revert(known["id"], dry_run=True).dry_run
        assert not bird.revert(known["id"]).dry_run


def test_where_the_store_is_holds_wherever_one_stands(
    bower: Bower, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOWER_STORE", str(shop / "memory.db"))
    bower("remember", "Carts are emptied after a week")
    shown = "".join(bower("status", "--format", "text").out.split())  # however it is wrapped
    assert f"store{shop}/memory.db(" in shown


def test_that_no_folder_is_declared_is_no_error(bower: Bower, shop: Path) -> None:
    bower("remember", "Carts are emptied after a week")
    listed = bower("trust", "--list", "--format", "text")
    assert (listed.code, listed.out.strip()) == (
        0,
        "no folder is declared trusted yet; to declare one: bower trust PATH",
    )


@pytest.mark.parametrize("verb", [("query", "foo"), ("list",), ("context", "foo")])
def test_a_path_without_a_store_is_no_empty_memory(
    bower: Bower, tmp_path: Path, verb: tuple[str, ...]
) -> None:
    there = tmp_path / "nowhere" / "x.db"
    ran = bower(*verb, "--store", str(there), "--format", "json")
    assert (ran.code, ran.data["error"]) == (1, f"there is no store at {there}")
    assert "without --store it is /" in ran.data["remedy"]
    assert not there.parent.exists()


def test_what_waits_is_listed_and_told_where_it_fits(
    bower: Bower, terminal: Bower, shop: Path, store_path: str
) -> None:
    with Bowerbird.open(store_path) as bird:
        assert bird.project.root == str(shop)
        held = bird.remember("Use python 3.11, no third-party packages.", origin="tool_external").id
    (waits,) = bower("list", "--needs-review").data["entries"]
    assert waits["id"] == held
    assert bower("list", "--needs-review", "--state", "active").data["entries"] == []
    told = "what fits waits for review (1): bower review"
    assert told in terminal("query", "no third-party packages").out
    assert "waits for review" not in terminal("query", "how are socks sold?").out


def test_an_import_says_how_many_wait() -> None:
    moved = [
        Moved("a.md", Decision(str(n), "created", "fact", "x", "new", needs_review=n > 0))
        for n in range(3)
    ]
    told = load("cli.render.import").text(Imported("rules", added=3, moved=(*moved,)), Page())
    assert "3 memories kept\n  → 2 of them wait for you: bower review\n" in told


def test_a_command_is_shown_by_the_name_that_people_type(bower: Bower) -> None:
    for name in ("remember", "curate"):
        shown = bower("help", name, "--format", "text").out
        assert shown.startswith("usage: bower remember")
        assert "Also: curate, store." in shown
