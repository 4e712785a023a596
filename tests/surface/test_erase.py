"""`bower erase`: what a person wants gone is in no byte of the store at once, whatever stood in it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import NotFound
from bowerbird.verbs import erasing
from bowerbird.verbs.rescuing import archive_folder

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]

WORD = b"xylophonist"


def held(store: str) -> bool:
    files = Path(store).parent.glob(Path(store).name + "*")
    return any(WORD in file.read_bytes().lower() for file in files)


def filled(store: str) -> tuple[str, str]:
    """A store with two memories that hold the word: one in force with an older text, one forgotten."""
    with Bowerbird.open(store, project="shop") as bird:
        for number in range(30):
            bird.remember(f"The depot {number} lies behind hall {number * 7} of the harbour")
        first = bird.remember("The xylophonist keeps the key of the depot", tags=["xylophonist"]).id
        bird.edit(first, "The Xylophonist has two keys of the depot")
        second = bird.remember("A second xylophonist paints the boats of the harbour green").id
        bird.forget(second)
    return first, second


def test_no_byte_is_left_at_once(store_path: str) -> None:
    first, second = filled(store_path)
    assert held(store_path)
    with Bowerbird.open(store_path, project="shop") as bird:
        gone = bird.admin.erase([first, second, first])
        assert [one.id for one in gone.erased] == [first, second]
        assert not any("xylophonist" in hit.text.lower() for hit in bird.query("xylophonist").hits)
        assert bird.query("depot 12").hits, "the others are found as before"
        assert bird.admin.verify().sound
        with pytest.raises(NotFound):
            bird.get(first)
        assert [event.action for event in bird.history(first).events][-1] == "erased"
    assert not held(store_path)


@pytest.mark.parametrize("further", [False, True])
def test_what_others_gained_from_a_memory_that_was_merged_into_them_goes_with_it(
    store_path: str, further: bool
) -> None:
    with Bowerbird.open(store_path, project="shop") as bird:
        gone = bird.remember(
            "Deploys go through the bastion",
            tags=["xylophonist", "deploys"],
            keywords=["xylophonist", "bastion"],
            files=["src/xylophonist.py"],
            modules=["xylophonist"],
            metadata={"note": "xylophonist", "team": "red"},
        ).id
        kept = bird.remember(
            "A bastion is used for deploys, says Ulla", tags=["deploys"], metadata={"team": "blue"}
        ).id
        own = bird.get(kept).details
        assert own is not None
        bird.merge(gone, kept)
        bird.edit(kept, tags=["deploys", "later", "xylophonist"])
        if further:
            last = bird.remember("Ulla says so", keywords=["ulla"]).id
            bird.merge(kept, last)
        bird.admin.erase([gone])
        assert bird.admin.verify().sound
        then = bird.get(kept)
        assert then.tags == ("deploys", "later")
        assert then.details is not None
        for name in ("keywords", "files", "modules", "metadata"):
            assert getattr(then.details.fields, name) == getattr(own.fields, name)
        if further:
            assert bird.get(last).tags == ("deploys", "later")
    assert not held(store_path)


@pytest.mark.parametrize(
    "second", ["The lift code is 990017 since today", "The lift code is 990017"]
)
@pytest.mark.parametrize("erased", [0, 1])
def test_what_another_memory_replaced_or_contradicts_is_not_quoted_any_more(
    second: str, erased: int, store_path: str
) -> None:
    code = (b"880015", b"990017")[erased]
    with Bowerbird.open(store_path, project="shop") as bird:
        for number in range(30):
            bird.remember(f"The depot {number} lies behind hall {number * 7} of the harbour")
        told = [bird.remember(one) for one in ("The lift code is 880015", second)]
        assert "880015" in told[1].reason
        assert bird.admin.erase([told[erased].id], dry_run=True).quoting == ()
        assert bird.admin.erase([told[erased].id]).quoting == (), "it names the subject alone"
        left = bird.history(told[1 - erased].id)
        assert code.decode() not in str(left.as_dict())
        assert bird.admin.verify().sound
    files = [*Path(store_path).parent.glob(Path(store_path).name + "*")]
    assert not any(code in file.read_bytes() for file in files)


@pytest.mark.parametrize("erased", ["here", "there"])
def test_it_is_not_quoted_by_what_another_copy_wrote_whose_change_is_not_known(
    erased: str, store_path: str, tmp_path: Path
) -> None:
    """As after a sync, which gives on what a memory became, and of its audit what is its own."""
    lines = tmp_path / "lines.jsonl"
    with Bowerbird.open(tmp_path / "other.db", project="shop") as other:
        told = [other.remember(f"The lift code is {one}") for one in ("880015", "990017")]
        assert "880015" in told[1].reason
        rows = [one for one in other.admin.export_lines() if '"row":"event"' not in one]
        lines.write_text("".join(rows))
    with Bowerbird.open(store_path, project="shop") as bird:
        if erased == "here":
            bird.admin.import_from(lines)
            bird.admin.erase([told[0].id])
        else:
            bird.remember("The depot lies behind hall 7")
            with Bowerbird.open(tmp_path / "other.db", project="shop") as other:
                other.admin.erase([told[0].id])
            bird.admin.import_from(tmp_path / "other.db")
            bird.admin.import_from(lines)
        left = "".join(bird.admin.export_lines())
        assert "The lift code is 990017" in left
        assert "880015" not in left


def test_what_sums_up_an_erased_memory_goes_with_it_and_its_other_examples_hold_again(
    store_path: str,
) -> None:
    failed = (
        "The payment service returned HTTP 502 on node {} because the upstream pool was exhausted"
    )
    nodes = ("web-8081", "web-8082", "web-8083", "web-8090")
    with Bowerbird.open(store_path, project="shop") as bird:
        for number in range(30):
            bird.remember(f"The depot {number} lies behind hall {number * 7} of the harbour")
        ids = [
            bird.remember(failed.format(name), kind="error_pattern", files=[name]).id
            for name in nodes
        ]
        pattern = next(one for one in bird.consolidate().patterns if ids[3] in one.examples)
        assert "web-8090" in pattern.text
        assert [one.id for one in bird.admin.erase([ids[3]], dry_run=True).erased] == [
            ids[3],
            pattern.id,
        ]
        done = bird.admin.erase([ids[3]])
        assert [one.id for one in done.erased] == [ids[3], pattern.id]
        assert [bird.get(id).state for id in ids[:3]] == ["active"] * 3
        assert bird.admin.verify().sound
    files = Path(store_path).parent.glob(Path(store_path).name + "*")
    assert not any(b"web-8090" in file.read_bytes().lower() for file in files)
    with Bowerbird.open(store_path, project="shop") as bird:
        again = [one for one in bird.consolidate().patterns if ids[0] in one.examples]
        assert [set(one.examples) for one in again] == [set(ids[:3])]


def test_copies_beside_the_store_go_and_backups_are_listed(
    bower: Bower, store_path: str, tmp_path: Path
) -> None:
    with Bowerbird.open(store_path, project="shop") as bird:
        bird.remember("The depot lies behind the harbour, next to the mill")
        kept = bird.remember("The xylophonist keeps the key of the depot").id
        backup = bird.admin.backup().path
        elsewhere = bird.admin.backup(tmp_path / "elsewhere" / "copy.db").path
        Path(bird.admin.backup(tmp_path / "removed.db").path).unlink()
    prompt = {"session_id": "s", "cwd": ".", "hook_event_name": "UserPromptSubmit"}
    for text in ("where does the xylophonist live?", "is the mill open?"):
        bower(
            "hook", "claude-code", "UserPromptSubmit", stdin=json.dumps(prompt | {"prompt": text})
        )
    archive = Path(archive_folder()) / "claude-code" / "projects" / "x" / "s.jsonl.gz"
    archive.parent.mkdir(parents=True)
    with gzip.open(archive, "wt") as file:
        file.write('{"text": "keeps the key of the depot"}\n{"text": "the mill"}\n')
    journal = Path(store_path + ".journal")
    assert any(WORD in one.read_bytes() for one in journal.iterdir())
    with Bowerbird.open(store_path, project="shop") as bird:
        done = bird.admin.erase([kept])
    assert (done.lines, done.archives, done.copies) == (1, 1, tuple(sorted((backup, elsewhere))))
    left = b"".join(one.read_bytes() for one in journal.iterdir())
    assert WORD not in left
    assert b"is the mill open?" in left
    with gzip.open(archive, "rt") as file:
        # Empty, so that the line stays away when the transcript is archived again.
        assert file.read() == '\n{"text": "the mill"}\n'


def test_the_names_of_agents_and_events_are_no_words_of_a_memory(
    bower: Bower, store_path: str
) -> None:
    with Bowerbird.open(store_path, project="shop") as bird:
        bird.remember("The depot lies behind the harbour, next to the mill")
        code = bird.remember("The end of a session needs no code, nor a prompt").id
    prompt = {"session_id": "s", "cwd": ".", "hook_event_name": "UserPromptSubmit"}
    for text in ("is the mill open?", "what is the end of a session for?"):
        bower(
            "hook", "claude-code", "UserPromptSubmit", stdin=json.dumps(prompt | {"prompt": text})
        )
    with Bowerbird.open(store_path, project="shop") as bird:
        bird.admin.erase([code])
    left = b"".join(one.read_bytes() for one in Path(store_path + ".journal").iterdir())
    assert b"is the mill open?" in left
    assert b"the end of a session" not in left


def test_words_that_anybody_says_blank_no_lines_that_are_not_of_the_memory(
    bower: Bower, store_path: str, tmp_path: Path
) -> None:
    """The name of a tool or of the folder stands in every line; a name is the memory's own."""
    folder = tmp_path / "quillbox"
    folder.mkdir()
    with Bowerbird.open(store_path, project="shop") as bird:
        bird.remember("The depot lies behind hall seven")
        id = bird.remember("Scripts of quillbox run in bash, says the xylophonist").id
    event = {"session_id": "s2", "cwd": str(folder)}
    for command in ("make everything", "ls bash", "echo xylophonist"):
        call = {
            "tool_name": "Bash",
            "tool_input": {"command": command},
            "tool_response": {"stdout": f"{folder}/a.py"},
        }
        bower("hook", "claude-code", "PostToolUse", stdin=json.dumps(event | call))
    edit = {"tool_name": "Edit", "tool_input": {"file_path": str(folder / "a.py")}}
    bower("hook", "claude-code", "PostToolUse", stdin=json.dumps(event | edit))
    with Bowerbird.open(store_path, project="shop") as bird:
        assert bird.admin.erase([id]).lines == 1
    left = b"".join(one.read_bytes() for one in Path(store_path + ".journal").iterdir())
    for kept in (b"make everything", b"ls bash", b"a.py"):
        assert kept in left
    assert WORD not in left


def test_of_what_a_session_was_told_at_once_only_the_erased_memory_goes(
    bower: Bower, store_path: str
) -> None:
    with Bowerbird.open(store_path, project="shop") as bird:
        texts = ("Ask the xylophonist about the key of the depot", "Café tables are wiped at noon")
        about: dict[str, Any] = {"origin": "user", "kind": "requirement", "everywhere": True}
        first, _ = (bird.remember(text, **about).id for text in texts)
    start = {"session_id": "s3", "cwd": ".", "source": "startup"}
    bower("hook", "claude-code", "SessionStart", stdin=json.dumps(start))
    with Bowerbird.open(store_path, project="shop") as bird:
        bird.admin.erase([first])
        (session,) = bird.admin.sessions("s3").sessions
        (told,) = session.handed
        assert [one["citation"] for one in told.items] == ["Café tables are wiped at noon"]
    left = b"".join(one.read_bytes() for one in Path(store_path + ".journal").iterdir())
    assert first.encode() not in left
    assert WORD not in left


def test_what_replaced_it_and_repeats_its_value_is_named(store_path: str) -> None:
    with Bowerbird.open(store_path, project="shop") as bird:
        old = bird.remember("The lift code is 880015").id
        new = bird.remember("The lift code was 880015, and is 990017 since today").id
        bird.link(new, old, "supersedes")
        assert [one.id for one in bird.admin.erase([old]).quoting] == [new]


def test_what_says_its_name_or_code_is_named_and_not_what_only_says_a_date_too(
    store_path: str,
) -> None:
    with Bowerbird.open(store_path, project="shop") as bird:
        ids = [
            bird.remember(f"The payroll provider is {name} since 1 {month} 2026").id
            for name, month in (
                ("Snozzcumber", "January"),
                ("Gobblefunk", "March"),
                ("Whangdoodle", "May"),
            )
        ]
        contact = bird.remember("Our contact at Gobblefunk is Ms Peters").id
        badge = bird.remember("Mia's badge number is QX7741").id
        tell = bird.remember("Tell reception QX7741 when the lift is stuck").id
        assert {bird.get(id).state for id in ids[:2]} == {"superseded"}
        (would,) = bird.admin.erase([ids[1]], dry_run=True).quoting
        done = bird.admin.erase([ids[1]])
        assert [one.id for one in done.quoting] == [would.id] == [contact]
        assert {one.id for one in done.remaining} == {ids[0], ids[2]}
        assert [one.id for one in bird.admin.erase([badge]).quoting] == [tell]


def test_what_many_say_is_no_quotation_and_the_receipt_tells_how_much(
    store_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erasing, "_FORMULA", 5)
    with Bowerbird.open(store_path, project="shop") as bird:
        halls = [
            bird.remember(f"Depot {name} is run by us. The ticket has the run that showed it.").id
            for name in ("Arbroath", "Brechin", "Carluke", "Dunbar", "Elgin", "Forfar", "Girvan")
        ]
        quotes = bird.remember("Somebody said: depot Arbroath is run by Jim").id
        done = bird.admin.erase(halls[:1])
        assert [one.id for one in done.quoting] == [quotes]
        assert done.common > 0


def test_a_merge_of_the_words_that_had_begun_leaves_nothing_either(store_path: str) -> None:
    """What it carried over before the deletion is in its output: a merge continued is not enough."""
    with Bowerbird.open(store_path, project="shop") as bird:
        store = bird._wiring.writer()
        run = store.connection.execute  # type: ignore[attr-defined]
        id = bird.remember("The aaaxylophonist keeps the key of the depot").id
        with store.transaction():
            run("INSERT INTO word_index (word_index, rank) VALUES ('automerge', 0)")
        for batch in range(4):
            with store.transaction():
                for number in range(400):
                    row = 1_000_000 + batch * 400 + number
                    text = " ".join(
                        f"w{(row * 7919 + one * 104729) % 50021:x}" for one in range(30)
                    )
                    run("INSERT INTO word_index (rowid, text) VALUES (?, ?)", (row, text))
        with store.transaction():
            run("INSERT INTO word_index (word_index, rank) VALUES ('merge', -20)")
        bird.admin.erase([id])
    assert not any(
        b"xylophonist" in file.read_bytes() or b"aaaxyl" in file.read_bytes()
        for file in Path(store_path).parent.glob(Path(store_path).name + "*")
    )


def test_nothing_to_erase_is_no_error(store_path: str) -> None:
    filled(store_path)
    with Bowerbird.open(store_path, project="shop") as bird:
        assert bird.admin.erase([]).quoting == ()


def test_all_of_them_or_none(store_path: str) -> None:
    first, _ = filled(store_path)
    with Bowerbird.open(store_path, project="shop") as bird:
        with pytest.raises(NotFound):
            bird.admin.erase([first, "0000000000000"])
        assert bird.get(first).state == "active"


def test_who_waited_for_it_waits_no_more(store_path: str) -> None:
    with Bowerbird.open(store_path, project="shop") as bird:
        kept = bird.remember("The depot closes at six").id
        other = bird.remember("The depot closes at nine").id
        bird.link(kept, other, "contradicts")
        bird.admin.erase([other])
        assert bird.get(kept).review == ""
        assert bird.history(kept).relations == ()


def test_an_agent_erases_nothing(bower: Bower, store_path: str) -> None:
    first, _ = filled(store_path)
    refused = bower("erase", first, "--yes", "--format", "text")
    assert refused.code == 1
    assert "bower erase" in refused.err
    with Bowerbird.open(store_path, project="shop") as bird:
        assert bird.get(first).state == "active"


@pytest.mark.parametrize(("typed", "left"), [("n\n", True), ("y\n", False)])
def test_a_person_is_asked(terminal: Bower, store_path: str, typed: str, left: bool) -> None:
    first, second = filled(store_path)
    ran = terminal("erase", first, second, typed=typed)
    assert "Nothing brings it back" in ran.out
    assert ran.code == (2 if left else 0)
    assert held(store_path) is left


def test_what_else_quotes_it_is_named(bower: Bower, store_path: str, tmp_path: Path) -> None:
    session = "0f8fad5b-d9cb-469f-a165-70867728950e"
    said = [
        ("user", "Remember that the xylophonist keeps the key of the depot in the foundry."),
        ("assistant", [{"type": "text", "text": "I shall remember that."}]),
        ("user", "Please run the checks of the mill before the end of the day"),
        ("assistant", [{"type": "text", "text": "All checks of the mill passed."}]),
    ]
    transcript = Path.home() / ".claude" / "projects" / "shop" / f"{session}.jsonl"
    transcript.parent.mkdir(parents=True)
    with transcript.open("w") as file:
        for number, (kind, content) in enumerate(said):
            record = {
                "type": kind,
                "uuid": f"r{number}",
                "sessionId": session,
                "cwd": str(tmp_path),
                "timestamp": f"2026-01-02T10:00:0{number}Z",
                "message": {"role": kind, "content": content},
            }
            file.write(json.dumps(record) + "\n")
    with Bowerbird.open(store_path, project="shop") as bird:
        bird.admin.learn(transcript.parent)
        bird.index(transcript)
        memories = {entry.kind: entry.id for entry in bird.list(memories_only=True)}
        edited = bird.remember("Who keeps the key of the depot in the foundry stays there").id
        bird.edit(edited, "Somebody else stays there")
        bird.remember("The mill has a key of its own")
        plan = bird.admin.erase([memories["fact"]], dry_run=True)
        done = bird.admin.erase([memories["fact"]])
        # The digest of the session says what it quotes in our words, so it goes too.
        assert [one.id for one in plan.erased] == [one.id for one in done.erased]
        assert [one.id for one in done.erased] == [memories["fact"], memories["session_digest"]]
        quoting = {one.id: one.place for one in done.quoting if not one.place}
        assert quoting.keys() == {edited}
        assert (done.turns, done.transcripts) == (1, (str(transcript),))
        assert not [one.place for one in done.quoting if one.place]
        again = bird.admin.erase(list(quoting))
        assert again.quoting == ()
        assert again.transcripts == (str(transcript),)
        last = bird.remember("The otter keeps the key of the depot in the foundry").id
        assert bird.admin.erase([last]).quoting == ()
    assert not held(store_path)


def test_the_command_says_what_else_quotes_it(terminal: Bower, store_path: str) -> None:
    with Bowerbird.open(store_path, project="shop") as bird:
        first = bird.remember("The xylophonist keeps the key of the depot").id
        other = bird.remember("Ask whoever keeps the key of the depot for paint and brushes").id
    ran = terminal("erase", first, "--yes")
    assert f"bower erase {other[:18]}" in ran.out


def written(path: Path, session: str, said: list[tuple[str, str]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    records = (
        {
            "type": kind,
            "uuid": f"{session}{number}",
            "sessionId": session,
            "cwd": "/nowhere",
            "timestamp": f"2026-01-02T10:00:0{number}Z",
            "message": {"role": kind, "content": text},
        }
        for number, (kind, text) in enumerate(said)
    )
    path.write_text("".join(json.dumps(one) + "\n" for one in records))


def test_the_transcript_that_it_was_learned_from_is_named_though_it_is_not_indexed(
    store_path: str,
) -> None:
    transcript = Path.home() / ".claude" / "projects" / "shop" / "a.jsonl"
    rule = "Always use okapi fixtures in the importer tests, never mocks"
    written(transcript, "a", [("user", rule), ("assistant", "So I shall.")])
    with Bowerbird.open(store_path, project="shop") as bird:
        bird.admin.learn(transcript)
        rules = [one.id for one in bird.list(memories_only=True) if one.kind == "requirement"]
        assert bird.admin.erase(rules).transcripts == (str(transcript),)


def test_the_turns_of_indexed_transcripts_go_and_do_not_come_back(store_path: str) -> None:
    folder = Path.home() / ".claude" / "projects" / "shop"
    said = "Please note that the xylophonist keeps the key of the depot"
    filler = [("user", "Is the mill open on Mondays?"), ("assistant", "The mill opens at nine.")]
    first, told = folder / "a.jsonl", folder / "b.jsonl"
    written(first, "a", [("user", said), *filler, ("assistant", "The depot is behind hall seven.")])
    written(told, "b", filler)
    with told.open("a") as file:  # what a hook told the agent is no turn, and stands in the file
        hooked = {"type": "attachment", "sessionId": "b", "attachment": {"content": said}}
        file.write(json.dumps(hooked) + "\n")
    with Bowerbird.open(store_path, project="shop") as bird:
        id = bird.remember("The xylophonist keeps the key of the depot").id
        bird.index(folder)
        would = bird.admin.erase([id], dry_run=True)
        assert bird.query("who keeps the key of the depot?").hits[0].text
        done = bird.admin.erase([id])
        assert (done.turns, done.transcripts) == (1, (str(first), str(told)))
        assert (would.turns, would.transcripts) == (done.turns, done.transcripts)
        for again in (False, True):
            bird.index(folder, again=again)
            found = bird.query("who keeps the key of the depot? the xylophonist").hits
            assert not any("xylophonist" in hit.text.lower() for hit in found)
            assert any("hall seven" in hit.text for hit in bird.query("hall seven").hits)
        bird.admin.rescue()
        written(first, "a", [("user", said), *filler, *filler])
        bird.admin.rescue()
        archives = [*Path(archive_folder()).rglob("*.gz")]
        assert len(archives) == 2
        assert not any(WORD in gzip.decompress(one.read_bytes()).lower() for one in archives)
        bird.index(folder)
        assert not any("xylophonist" in hit.text for hit in bird.query("xylophonist").hits)
        assert bird.admin.verify().sound
    assert not held(store_path)


def test_digests_that_only_share_how_digests_are_worded_quote_nothing(store_path: str) -> None:
    folder = Path.home() / ".claude" / "projects" / "shop"
    for name, asked in (
        ("a", "Please paint the boats of the harbour green"),
        ("b", "Please open the mill on Mondays at nine"),
        ("c", "Please sell the old depot to the foundry"),
    ):
        written(folder / f"{name}.jsonl", name, [("user", asked), ("assistant", "That is done.")])
    with Bowerbird.open(store_path, project="shop") as bird:
        bird.admin.learn(folder)
        digests = [one for one in bird.list() if one.kind == "session_digest"]
        assert len(digests) == 3
        (boats,) = (one.id for one in digests if "boats" in one.text)
        other = bird.remember("Mia shall paint the boats of the harbour red").id
        quoting = bird.admin.erase([boats]).quoting
        assert [one.kind for one in quoting] == ["requirement"]
        assert other in {one.id for one in quoting}


def test_of_a_whole_project_what_the_owner_kept_for_themselves_beside_members_goes_too(
    store_path: str,
) -> None:
    said = ("The team meets on Mondays", "The boiler code is 440012")
    with Bowerbird.open(store_path, project="shop") as bird:
        bird.remember(said[0], audience="team", origin="user")
        bird.remember(said[1], audience="personal", origin="user")
        bird.admin.add_member("ada")
        bird.remember("The cellar code is 550013", audience="personal", origin="user")
        erased = bird.admin.erase(whole_project=True)
        assert len(erased.erased) == 3
    with Bowerbird.open(store_path) as bird:
        left = "".join(bird.admin.export_lines())
        assert not any(one in left for one in ("Mondays", "440012", "550013"))
