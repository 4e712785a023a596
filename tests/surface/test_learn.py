"""Learning from transcripts, as a user meets it: learn, look at what waits, confirm and reject."""

from __future__ import annotations

import json
import subprocess
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw
import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput
from bowerbird.lifecycle.survey import DECIDED
from bowerbird.sessions.inject.selection import is_held
from bowerbird.sessions.learn.transcript import recorded_session
from bowerbird.storage.sqlite.store import Store
from bowerbird.surfaces.verbs import learn, review

if TYPE_CHECKING:
    from collections.abc import Iterator


class Talk:
    """A transcript of Claude Code that is written record by record."""

    def __init__(self, session: str, cwd: Path, day: int = 1) -> None:
        self.session, self.cwd, self.day = session, cwd, day
        self.lines: list[str] = []

    def record(self, kind: str, content: Any) -> Talk:
        number = len(self.lines)
        self.lines.append(
            json.dumps(
                {
                    "type": kind,
                    "uuid": f"{self.session}-{number}",
                    "sessionId": self.session,
                    "cwd": str(self.cwd),
                    "timestamp": f"2026-01-{self.day:02d}T10:00:{number:02d}Z",
                    "message": {"role": kind, "content": content},
                }
            )
        )
        return self

    def say(self, text: str) -> Talk:
        return self.record("user", text)

    def call(self, tool: str, given: dict[str, Any], answer: str, *, wrong: bool = False) -> Talk:
        use = f"u{len(self.lines)}"
        asked = {"type": "tool_use", "id": use, "name": tool, "input": given}
        result = {"type": "tool_result", "tool_use_id": use, "content": answer, "is_error": wrong}
        return self.record("assistant", [asked]).record("user", [result])

    def run(self, command: str, answer: str = "ok") -> Talk:
        return self.call("Bash", {"command": command}, answer)

    def put(self, folder: Path) -> Path:
        folder.mkdir(exist_ok=True)
        path = folder / f"{self.session}.jsonl"
        path.write_text("\n".join(self.lines) + "\n", encoding="utf-8")
        return path


@pytest.fixture
def bird(tmp_path: Path) -> Iterator[Bowerbird]:
    with Bowerbird.open(tmp_path / "memory.db", project="shop") as opened:
        yield opened


@pytest.fixture
def talks() -> Path:
    folder = Path.home() / ".claude" / "projects" / "talks"
    folder.mkdir(parents=True)
    return folder


RULE = "never push to main without asking me"


def committed(talk: Talk, name: str = "loadConfig") -> Talk:
    """A commit whose message gives a reason: the only lesson of its session."""
    reason = f"We use one query in {name} because a query per invoice took minutes."
    landed = f"[main 1a2b3c4] Read {name} once\n 1 file changed, 2 insertions(+)"
    return talk.run(f"git commit -am 'Read {name} once' -m '{reason}'", landed)


def test_a_session_is_learned_from_once(bird: Bowerbird, talks: Path, tmp_path: Path) -> None:
    Talk("one", tmp_path).say(RULE).put(talks)
    first = bird.admin.learn(talks)
    (lesson,) = [one for one in first.lessons if one.decision == "created"]
    entry = bird.get(lesson.id)
    assert entry.text == "Never push to main without asking me."
    assert entry.details is not None
    assert entry.details.source == "user_taught"
    assert entry.details.fields.confidence == 1.0
    evidence = entry.details.fields.metadata["learned"]
    assert evidence["signal"] == "instructions"
    assert evidence["lines"] == [1]
    again = bird.admin.learn(talks)
    assert (again.sessions, again.known, again.lessons) == (0, 1, ())


def test_what_a_person_typed_needs_no_review_and_is_trusted_fully_where_they_asked_to_keep_it(
    bird: Bowerbird, talks: Path, tmp_path: Path
) -> None:
    Talk("one", tmp_path).say(RULE).say("remember that staging listens on port 5433").put(talks)
    bird.admin.learn(talks)
    listed = bird.list(memories_only=True, limit=9)
    typed = {one.text: one for one in listed if one.kind != "session_digest"}
    assert {text: (one.trust, one.review) for text, one in typed.items()} == {
        "Never push to main without asking me.": ("normal", ""),
        "Staging listens on port 5433.": ("full", ""),
    }


def test_where_all_was_learned_from_it_says_so(
    bird: Bowerbird, talks: Path, tmp_path: Path
) -> None:
    with pytest.raises(BadInput, match="there is nothing to learn from"):
        learn.run(bird, {})
    Talk("one", tmp_path).say(RULE).put(talks)
    Talk("two", tmp_path, day=2).say("remember that staging listens on port 5433").put(talks)
    bird.admin.learn(talks)
    with pytest.raises(BadInput, match=r"each of 2 sessions .* already, the last one of 2 January"):
        learn.run(bird, {})


CORRECTED = (
    "pls fix the typo in third_party/acme/client.py line 1 (recieve) .. hmm wait no, actually leave it."
    " dont ever edit stuff under third_party, thats synced over from the acme repo and gets overwritten"
)


def test_what_was_typed_as_a_rule_is_one_memory_and_contradicts_nothing_of_its_session(
    bird: Bowerbird, talks: Path, tmp_path: Path
) -> None:
    answer = "Understood, I leave third_party/acme/client.py as it is."
    Talk("one", tmp_path).say(CORRECTED).record("assistant", answer).put(talks)
    (lesson,) = [one for one in bird.admin.learn(talks).lessons if one.decision != "off"]
    entry = bird.get(lesson.id)
    assert (lesson.signal, entry.state, entry.review) == ("instructions", "active", "")
    assert entry.text.startswith("Dont ever edit stuff under third_party")


@pytest.mark.parametrize("quiet", ["-q", ""])
def test_a_commit_is_about_the_files_that_it_changed_however_little_git_printed(
    talks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet: str
) -> None:
    shop = tmp_path / "shop"
    shop.mkdir()
    (shop / "requirements.txt").write_text("lxml==4.9.4\n")
    reason = "lxml 5 stops at a malformed entity, because its parser is stricter."
    message = ["-m", "Pin lxml to 4.9", "-m", reason]
    identity = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
    for words in (["init", "-q"], ["add", "-A"], [*identity, "commit", *message]):
        done = subprocess.run(
            ["git", *words], cwd=shop, check=True, capture_output=True, text=True
        ).stdout
    typed = f"git add -A && git commit {quiet} -m 'Pin lxml to 4.9' -m '{reason}'"
    Talk("one", shop).say("pin lxml and commit").run(typed, "" if quiet else done).put(talks)
    monkeypatch.chdir(shop)
    with Bowerbird.open(tmp_path / "shop.db") as here:
        (lesson,) = [one for one in here.admin.learn(talks).lessons if one.signal == "commits"]
        entry = here.get(lesson.id)
        assert entry.details is not None
        fields = entry.details.fields
        assert [one.path for one in entry.anchors] == [*fields.files] == ["requirements.txt"]
        head = (shop / ".git/refs/heads").glob("*")
        assert [one.read_text().startswith(fields.commit) for one in head] == [bool(fields.commit)]


def test_a_session_that_went_on_is_learned_from_again(
    bird: Bowerbird, talks: Path, tmp_path: Path
) -> None:
    talk = Talk("one", tmp_path).say(RULE)
    talk.put(talks)
    bird.admin.learn(talks)
    talk.say("always run make lint before you commit").put(talks)
    done = bird.admin.learn(talks)
    assert [one.decision for one in done.lessons] == ["repeated", "created"]


def test_a_dry_run_changes_nothing(bird: Bowerbird, talks: Path, tmp_path: Path) -> None:
    Talk("one", tmp_path).say(RULE).put(talks)
    done = bird.admin.learn(talks, dry_run=True)
    assert [one.decision for one in done.lessons] == ["proposed"]
    assert not Path(bird.path).exists()


def test_a_rule_that_a_person_types_after_an_external_read_is_theirs(
    bird: Bowerbird, talks: Path, tmp_path: Path
) -> None:
    talk = Talk("one", tmp_path).call("WebFetch", {"url": "https://x.example"}, "a page")
    talk.say(RULE).put(talks)
    (lesson,) = bird.admin.learn(talks).lessons
    assert (lesson.decision, lesson.outside) == ("created", False)
    assert bird.get(lesson.id).trust == "normal"


def test_a_sentence_with_a_secret_is_not_kept(bird: Bowerbird, talks: Path, tmp_path: Path) -> None:
    token = "ghp_" + "aB3dE6gH9jK2" * 3
    Talk("one", tmp_path).say(f"remember: always use {token} when you push to staging").put(talks)
    (lesson,) = bird.admin.learn(talks).lessons
    assert (lesson.decision, lesson.id) == ("private", "")
    assert {one.kind for one in bird.list()} == {"session_digest"}
    assert token.lower() not in str(bird._wiring.store().digests.all()).lower()


def test_what_waits_is_listed_confirmed_and_rejected(
    bird: Bowerbird, talks: Path, tmp_path: Path
) -> None:
    talk = Talk("one", tmp_path)
    # What is committed after reading a page of others waits.
    talk.call("WebFetch", {"url": "https://x.example"}, "a page")
    committed(talk, "loadConfig")
    committed(talk, "saveInvoice")
    talk.put(talks)
    bird.admin.learn(talks)
    waiting = review.run(bird, {}).entries
    assert len(waiting) == 2
    assert all("WebFetch" in one.review or "page" in one.review for one in waiting)
    right, wrong = waiting
    (confirmed,) = review.run(bird, {"confirm": [right.id]}).entries
    assert (confirmed.state, confirmed.review) == ("active", "")
    assert confirmed.details is not None
    assert confirmed.details.fields.verified
    review.run(bird, {"reject": [wrong.id]})
    assert not review.run(bird, {}).entries
    assert bird.get(wrong.id).state == "deleted"


def test_one_that_is_nearly_right_is_confirmed_with_another_text(
    bird: Bowerbird, talks: Path, tmp_path: Path
) -> None:
    Talk("one", tmp_path).call("WebFetch", {"url": "https://x.example"}, "a page").say(RULE).put(
        talks
    )
    (lesson,) = bird.admin.learn(talks).lessons
    given = {"confirm": [lesson.id], "text": "Never push to main without the release manager."}
    (done,) = review.run(bird, given).entries
    assert (done.text, done.state) == (given["text"], "active")


def test_a_rejected_one_is_not_learned_again(bird: Bowerbird, talks: Path, tmp_path: Path) -> None:
    Talk("one", tmp_path).say(RULE).put(talks)
    (lesson,) = bird.admin.learn(talks).lessons
    review.run(bird, {"reject": [lesson.id]})
    Talk("two", tmp_path, day=2).say(RULE).put(talks)
    assert [one.decision for one in bird.admin.learn(talks).lessons] == ["repeated"]


def test_a_transcript_that_is_torn_is_read_as_far_as_it_goes(talks: Path, tmp_path: Path) -> None:
    path = Talk("one", tmp_path).say(RULE).say("thanks").put(talks)
    text = path.read_text().splitlines()
    path.write_text(text[0] + text[1] + "\n" + '{"type": "user", "mess\n' + text[1] + "\n")
    session = recorded_session(str(path))
    assert session is not None
    assert [one.event.text for one in session.steps] == [RULE, "thanks"]


def test_a_digest_that_cannot_be_read_ends_nothing(
    bird: Bowerbird, talks: Path, tmp_path: Path
) -> None:
    Talk("one", tmp_path).say(RULE).put(talks)
    store = bird._wiring.writer()
    with store.transaction():
        store.digests.put("zero", '{"session": "zero", "pro')
    assert bird.admin.learn(talks).sessions == 1
    assert [*bird._wiring.store().digests.all()] == ["zero", "one"]


def test_the_evidence_of_a_memory_is_shown_while_its_transcript_is_there(
    bird: Bowerbird, talks: Path, tmp_path: Path
) -> None:
    path = Talk("one", tmp_path).say("hello").say(RULE).put(talks)
    (lesson,) = bird.admin.learn(talks).lessons
    found = bird.admin.evidence(lesson.id)
    assert (found.session, found.signal, found.sessions) == ("one", "instructions", ("one",))
    assert [(one.line, one.who, one.text) for one in found.lines] == [(2, "user", RULE)]
    path.unlink()
    gone = bird.admin.evidence(lesson.id)
    assert (gone.lines, gone.sessions) == ((), ("one",))
    assert "gone" in gone.missing


def test_the_evidence_of_a_memory_counts_every_session_that_it_was_seen_in(
    bird: Bowerbird, talks: Path, tmp_path: Path
) -> None:
    for day, session in enumerate(("one", "two", "three"), 1):
        talk = Talk(session, tmp_path, day).say("check the gate")
        for _ in range(5):
            talk.run("make test", "12 passed")
        talk.put(talks)
    (lesson,) = [one for one in bird.admin.learn(talks).lessons if one.decision == "created"]
    assert sorted(lesson.sessions) == ["one", "three", "two"]
    assert bird.admin.evidence(lesson.id).sessions == ("one", "two", "three")


def test_a_memory_in_other_words_keeps_its_evidence(
    bird: Bowerbird, talks: Path, tmp_path: Path
) -> None:
    Talk("one", tmp_path).say("hello").say(RULE).put(talks)
    (lesson,) = bird.admin.learn(talks).lessons
    done = review.run(bird, {"confirm": [lesson.id], "text": "Ask before pushing to main."})
    found = bird.admin.evidence(done.entries[0].id)
    assert (found.session, found.signal, found.sessions) == ("one", "instructions", ("one",))
    assert [(one.line, one.text) for one in found.lines] == [(2, RULE)]


def test_no_part_of_a_secret_is_quoted_where_a_line_is_cut_short(
    bird: Bowerbird, talks: Path, tmp_path: Path
) -> None:
    said = f"{RULE} {'The gate stays as it is. ' * 40}"[:570] + " ghp_" + "4tRw9XbKq2" * 4
    Talk("one", tmp_path).say(said).put(talks)
    (lesson, *_) = bird.admin.learn(talks).lessons
    (line,) = bird.admin.evidence(lesson.id).lines
    assert len(line.text) <= 600
    assert "ghp_" not in line.text


def test_nobody_is_shown_a_file_by_what_they_write_of_a_memory(
    bird: Bowerbird, talks: Path, tmp_path: Path
) -> None:
    path = Talk("one", tmp_path).say("a secret talk").put(talks)
    text = {"signal": "instructions", "key": "x", "transcript": str(path), "lines": [1]}
    done = bird.remember("The gate is blue.", session="one", metadata={"learned": text})
    found = bird.admin.evidence(done.id)
    assert (found.lines, found.transcript) == ((), "")


def test_what_a_person_typed_is_stored_while_the_session_goes_on_and_once(
    bird: Bowerbird, talks: Path, tmp_path: Path
) -> None:
    talk = Talk("one", tmp_path).say(RULE)
    talk.put(talks)
    (stored,) = bird.admin.learn(talks, ended=False).lessons
    assert stored.decision == "created"
    talk.say("always run make lint before you commit").put(talks)
    for ended in (False, True):
        bird.admin.learn(talks, ended=ended)
    rules = bird.list(kinds=["requirement", "preference"], memories_only=True)
    assert [one.text for one in rules] == [
        "Always run make lint before you commit.",
        "Never push to main without asking me.",
    ]


def test_what_holds_as_a_rule_is_not_offered_again_as_what_somebody_said(
    bird: Bowerbird, talks: Path, tmp_path: Path
) -> None:
    talk = Talk("one", tmp_path)
    replies = {
        "A few house rules first: always run make check before you commit. Never print to stdout from"
        " fetch.py. Then look at the cache.": "Understood. I run make check because it lints first.",
        "Add put to the cache.": "Done.",
        "Explain expiry.": "It is a number.",
        "Now shorten render.": "Done.",
    }
    for prompt, reply in replies.items():
        talk.say(prompt).record("assistant", [{"type": "text", "text": reply}]).put(talks)
        bird.admin.learn(talks, ended=False)
    bird.admin.learn(talks)
    assert {one.text for one in bird.list(kinds=["requirement", "preference", "gotcha"])} == {
        "Always run make check before you commit.",
        "Never print to stdout from fetch.py.",
    }


def test_what_was_inferred_and_waits_takes_the_place_of_nothing_that_a_person_said(
    bird: Bowerbird,
) -> None:
    rule = bird.remember(
        "Never print to stdout from fetch.py.", source="user_taught", lineage=("normal",)
    ).id
    text = "The user said: “Always run make check. Never print to stdout from fetch.py. Then look at it.”"
    bird.remember(text, kind="gotcha", source="observer_inferred", review="not reviewed yet")
    assert bird.get(rule).state == "active"


def test_a_session_that_goes_on_is_noted_and_learned_from_when_it_ended(
    bird: Bowerbird, talks: Path, tmp_path: Path
) -> None:
    committed(Talk("one", tmp_path)).put(talks)
    (waiting,) = bird.admin.learn(talks, ended=False).lessons
    assert (waiting.decision, waiting.id) == ("waiting", "")
    pad = Path(bird.path + ".scratchpad")
    assert len([*pad.iterdir()]) == 1
    (kept,) = bird.admin.learn(talks).lessons
    assert kept.decision == "created"
    assert [*pad.iterdir()] == []


def test_what_was_noted_of_a_session_is_kept_although_its_transcript_lost_it(
    bird: Bowerbird, talks: Path, tmp_path: Path
) -> None:
    committed(Talk("one", tmp_path)).put(talks)
    (noted,) = bird.admin.learn(talks, ended=False).lessons
    Talk("one", tmp_path).say("hello").put(talks)
    (kept,) = bird.admin.learn(talks).lessons
    assert (kept.decision, kept.text) == ("created", noted.text)


def test_what_two_agents_of_a_session_met_is_enough(
    bird: Bowerbird, talks: Path, tmp_path: Path
) -> None:
    missed = ("Read", {"file_path": f"{tmp_path}/cmd/run.go"}, "File does not exist.")
    read = ("Read", {"file_path": f"{tmp_path}/internal/run.go"}, "1\tpackage run")
    Talk("one", tmp_path).call(*missed, wrong=True).call(*read).put(talks)
    assert bird.admin.learn(talks, dry_run=True).lessons == ()
    Talk("agent", tmp_path).call(*missed, wrong=True).call(*read).put(talks / "one")
    (lesson,) = bird.admin.learn(talks / "one.jsonl", dry_run=True).lessons
    assert lesson.signal == "glob_ignore"


def test_what_a_session_taught_stands_at_once_and_is_read_as_sentences_behind_that(
    bird: Bowerbird, talks: Path, tmp_path: Path
) -> None:
    talk = Talk("one", tmp_path)
    for wrong, cure in (
        ("KeyError: 'REDIS_URL'", "make env"),
        ("uv: command not found", "make uv"),
    ):
        command = f"python -m shop.{cure[5:]}"
        talk.call("Bash", {"command": command}, wrong, wrong=True).run(cure).run(command)
    talk.put(talks)
    stood: list[tuple[int, int]] = []

    def committed(*_: object) -> int:
        with closing(apsw.Connection(bird.path, flags=apsw.SQLITE_OPEN_READONLY)) as beside:
            memories = "SELECT (SELECT count(*) FROM memory), (SELECT count(*) FROM contextual)"
            stood.extend(beside.execute(memories))
        return int(apsw.SQLITE_OK)

    store = bird._wiring.writer()
    assert isinstance(store, Store)
    store.connection.set_wal_hook(committed)
    bird.admin.learn(talks / "one.jsonl")
    assert stood[0] == (2, 0)
    assert stood[-1] == (2, 2)


def test_what_somebody_decided_is_read_as_sentences_before_it_is_judged(
    bird: Bowerbird, talks: Path, tmp_path: Path
) -> None:
    known = bird.remember("Deploy to production with Jenkins.", kind="requirement", origin="agent")
    Talk("one", tmp_path).say("From now on always deploy to production with Argo.").put(talks)
    (lesson,) = bird.admin.learn(talks).lessons
    assert (lesson.kind in DECIDED, lesson.decision) == (True, "superseded")
    assert bird.get(known.id).state == "superseded"


def test_a_rejected_statement_asks_no_more_of_what_its_author_says_next(
    bird: Bowerbird, talks: Path, tmp_path: Path
) -> None:
    Talk("one", tmp_path).say(RULE).put(talks)
    (lesson,) = [one for one in bird.admin.learn(talks).lessons if one.decision == "created"]
    review.run(bird, {"reject": [lesson.id]})
    other = "always run make lint before you commit"
    decisions = []
    for day, name in ((2, "two"), (3, "three")):
        Talk(name, tmp_path, day=day).say(other).put(talks)
        decisions += [one.decision for one in bird.admin.learn(talks).lessons]
    assert decisions == ["created", "repeated"]


@pytest.mark.parametrize(
    "said",
    [
        "forget the indentation rule, the formatter decides now",
        "The rule about indentation no longer applies.",
        "You can forget what I told you about indentation.",
        "forget what I said about indenting, the formatter decides now.",
    ],
)
def test_a_later_session_takes_back_what_it_names(
    bird: Bowerbird, talks: Path, tmp_path: Path, said: str
) -> None:
    rules = ("always use tabs for indentation", "always sign your commits")
    for day, text in enumerate((*(f"remember: {rule}" for rule in rules), said), 1):
        bird.admin.learn(Talk(str(day), tmp_path, day).say(text).put(talks))
    assert [one.text for one in bird.list(sources=("user_taught",))] == [
        "Always sign your commits."
    ]
    (gone,) = bird.list(states=("deleted",))
    assert gone.text == "Always use tabs for indentation."
    assert said in str(bird.history(gone.id))
    bird.revert(gone.id)
    assert len(bird.list(sources=("user_taught",))) == 2


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ("don't forget the indentation rule", "own"),
        ("remove the indentation rule from .editorconfig", "own"),
        ("forget the indentation rule", "others"),
        # Both of them are named.
        ("forget the always rule", "own"),
    ],
)
def test_what_only_sounds_like_it_takes_nothing_back(
    bird: Bowerbird, talks: Path, tmp_path: Path, said: str, place: str
) -> None:
    got = Path.home() / "Downloads"
    for day, text in enumerate(("always use tabs for indentation", "always sign your commits"), 1):
        bird.admin.learn(Talk(str(day), tmp_path, day).say(f"remember: {text}").put(talks))
    bird.admin.learn(Talk("3", tmp_path, 3).say(said).put(talks if place == "own" else got))
    assert len(bird.list(sources=("user_taught",))) == 2


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (
            "staging moved, the database listens on 6500 now. Add a retry to the client",
            "Staging moved, the database listens on 6500 now.",
        ),
        # The first sentence of a prompt leans on nothing.
        (
            "they moved the staging database, it listens on 6500 since this morning",
            "They moved the staging database, it listens on 6500 since this morning.",
        ),
    ],
)
def test_another_value_of_what_a_person_said_before_is_told_in_its_place(
    bird: Bowerbird, talks: Path, tmp_path: Path, said: str, kept: str
) -> None:
    first = Talk("1", tmp_path).say("the staging database listens on 6432")
    bird.admin.learn(first.put(talks))
    bird.admin.learn(Talk("2", tmp_path, 3).say(said).put(talks))
    told = [one for one in bird.list(sources=("user_taught",)) if not is_held(one)]
    assert [one.text for one in told] == [kept]


def test_what_holds_until_something_is_so_is_told_until_a_person_says_that_it_is(
    bird: Bowerbird, talks: Path, tmp_path: Path
) -> None:
    said = "don't touch the Makefile until Tom is back"
    bird.admin.learn(Talk("1", tmp_path).say(said).put(talks))
    (kept,) = bird.list(sources=("user_taught",))
    assert (kept.text, kept.review) == ("Don't touch the Makefile until Tom is back.", "")
    bird.admin.learn(Talk("2", tmp_path, 3).say("Tom is back, so edit the Makefile").put(talks))
    assert not bird.list(sources=("user_taught",))
    assert "Tom is back, so edit" in str(bird.history(kept.id))


def test_another_value_of_a_plain_fact_is_told_in_its_place(
    bird: Bowerbird, talks: Path, tmp_path: Path
) -> None:
    for day, minutes in enumerate((30, 45), 1):
        said = f"Guest sessions expire after {minutes} minutes."
        bird.admin.learn(Talk(str(day), tmp_path, day).say(said).put(talks))
    told = [one for one in bird.list(sources=("user_taught",)) if not is_held(one)]
    assert [one.text for one in told] == ["Guest sessions expire after 45 minutes."]


def test_a_value_that_a_person_corrects_ends_what_they_said_before(
    bird: Bowerbird, talks: Path, tmp_path: Path
) -> None:
    first = Talk("1", tmp_path).say("the staging database listens on 6432")
    (old,) = bird.admin.learn(first.put(talks)).lessons
    later = Talk("2", tmp_path, 3).say("are there new orders?").run("psql -p 6432 -c 'select 1'")
    bird.admin.learn(later.say("no, 6500").put(talks))
    (new,) = bird.list(sources=("user_taught",))
    kept = "The staging database listens on 6500."
    assert (new.text, new.review, bird.get(old.id).state) == (kept, "", "superseded")
    bird.revert(old.id)
    assert bird.get(old.id).state == "active"


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ("run it on 6500 this once", "own"),
        ("for this test use port 6500", "own"),
        ("connect to staging on 6500 through my tunnel and count the orders", "own"),
        ("can you put the staging db on 6500?", "own"),
        ("the staging database has a read replica on 6433", "own"),
        ("staging moved, the database listens on 6500 now", "others"),
    ],
)
def test_a_task_for_once_and_what_is_said_beside_it_change_nothing_that_was_said_before(
    bird: Bowerbird, talks: Path, tmp_path: Path, said: str, place: str
) -> None:
    first = Talk("1", tmp_path).say("the staging database listens on 6432")
    (old,) = bird.admin.learn(first.put(talks)).lessons
    later = Talk("2", tmp_path, 3).say(said)
    bird.admin.learn(later.put(talks if place == "own" else Path.home() / "Downloads"))
    entry = bird.get(old.id)
    assert (entry.state, entry.review) == ("active", "")
