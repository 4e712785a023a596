"""What the signals find that look at how a session went: each on steps that were made by hand."""

from __future__ import annotations

import pytest
from tests.steps import after, asked, call, only, ran, read, recorded, said, wrote

from bowerbird.sessions.learn.committed_files import landed
from bowerbird.sessions.learn.numbers import Numbers, first, hit, recalled
from bowerbird.sessions.learn.promote import GATED, PROPOSED, WAITING, digest, judged
from bowerbird.sessions.learn.registry import SIGNALS, Signal
from bowerbird.sessions.learn.signals import (
    external_reference,
    glob_ignore,
    parallel_conflict,
    read_abandon,
    self_correction,
    test_order,
    time_anomaly,
    tool_sequence,
)

CAUSE = "Uploads failed because `parse_size` returned None for empty files."
ROOT = (
    "**Root cause:** `parse_size` returned None since `strip()` came too late for such files, so that the"
    " `upload_all` of `sizes.py` never began."
)
COMMIT = f"git commit -m 'Handle empty files\n\n{CAUSE}'"


def test_a_command_that_takes_long_is_reported_when_it_is_a_routine() -> None:
    slow = ran("npm run test", took=120_000)
    lesson = only(time_anomaly.lessons(*after(3, slow)))
    assert lesson.text.startswith("`npm run test` took 120 s in the last sessions")
    assert time_anomaly.lessons(*after(3, ran("npm run test", took=4_000))) == []


def test_what_a_command_takes_is_told_from_the_least_to_the_most() -> None:
    runs = [ran("npm run test", took=seconds * 1000) for seconds in (40, 75, 1, 50)]
    past = [digest(recorded(f"s{number}", run), "p") for number, run in enumerate(runs[:-1])]
    lesson = only(time_anomaly.lessons(recorded("s3", runs[-1]), past))
    assert "took 40 to 75 s" in lesson.text


def test_checks_that_are_run_in_one_order_are_a_recipe() -> None:
    steps = (wrote("a.py"), ran("ruff check ."), ran("pytest"))
    lesson = only(tool_sequence.lessons(*after(5, *steps)))
    assert lesson.text == "After a change to the code run `ruff check .`, then `pytest`."
    assert lesson.payload == {
        "task_pattern": "checking a change",
        "steps": ["ruff check .", "pytest"],
    }
    now, past = after(5, *steps)
    other = [
        digest(recorded(f"o{n}", wrote("a.py"), ran("pytest"), ran("ruff check .")), "p")
        for n in "abc"
    ]
    assert tool_sequence.lessons(now, [*past, *other]) == []


def test_a_file_that_is_left_for_another_one_is_reported() -> None:
    found = read_abandon.lessons(*after(3, read("src/a.py"), wrote("src/b.py")))
    assert "`src/a.py` mostly stands in `src/b.py`" in only(found).text


def test_tests_that_come_first_are_reported_and_code_that_does_is_not() -> None:
    first = only(test_order.lessons(*after(3, wrote("src/test_a.py"), wrote("src/a.py"))))
    assert first.text == "In `src`, tests are changed before the code."
    assert test_order.lessons(*after(3, wrote("src/a.py"), wrote("src/test_a.py"))) == []


def test_a_file_that_is_looked_for_in_the_wrong_place_is_reported() -> None:
    missed = call(
        "Read", {"file_path": "/p/cmd/run.go"}, "File does not exist.", paths=("cmd/run.go",)
    )
    steps = (missed, read("internal/run.go"))
    lesson = only(glob_ignore.lessons(*after(2, *steps)))
    assert lesson.text == "There is no `cmd/run.go`: what is meant is `internal/run.go`."


def test_a_page_that_is_read_again_waits_in_quarantine() -> None:
    page = call("WebFetch", {"url": "https://docs.example.com/api?key=1"}, "text")
    lesson = only(external_reference.lessons(*after(3, page)))
    assert "`https://docs.example.com/api`" in lesson.text
    assert lesson.outside


def test_a_file_that_two_agents_change_is_told() -> None:
    by_sub = wrote("a.py")
    by_sub.event.sub = "sub"
    assert parallel_conflict.lessons(recorded("s", wrote("a.py")), []) == []
    assert only(parallel_conflict.lessons(recorded("s", wrote("a.py"), by_sub), [])).files == (
        "a.py",
    )


def test_a_correction_is_reported() -> None:
    text = "I initially thought it was stale but `load_all` reads the wrong file from the disk each time."
    lesson = only(self_correction.lessons(recorded("s", said(text)), []))
    assert lesson.text == "`load_all` reads the wrong file from the disk each time."


@pytest.mark.parametrize(
    ("said_", "text"),
    [
        (
            "I was wrong about the port. `serve` is actually bound to 8080 in src/server.py.",
            "`serve` is actually bound to 8080 in src/server.py.",
        ),
        (
            "Let me reconsider. `login_user` in src/api.py reads the header, not the cookie.",
            "`login_user` in src/api.py reads the header, not the cookie.",
        ),
        (
            "Actually, conf.yml sets the limit instead of app.py.",
            "conf.yml sets the limit instead of app.py.",
        ),
        (
            "I initially thought the cache was in Redis, but it is in data/cache.db.",
            "It was assumed that the cache was in Redis, but it is in data/cache.db.",
        ),
        ("Correction: src/api.py has no `login_user`.", "src/api.py has no `login_user`."),
        ("Wait, `drain_queue` in queue.py never runs.", "`drain_queue` in queue.py never runs."),
        ("Wait, let me look at src/api.py again.", ""),
        ("Wait, that won't work either: the `shop` command needs a folder.", ""),
        ("Actually, I should use `run_all` instead of `run_one`.", ""),
        ("Correction: the test passes now.", ""),
    ],
)
def test_each_phrase_of_correction_is_understood(said_: str, text: str) -> None:
    found = self_correction.lessons(recorded("s", said(said_)), [])
    assert [one.text for one in found] == [text] * bool(text)


def test_a_build_gives_nothing_before_its_tests_pass() -> None:
    session = recorded("s", asked(), wrote("a.py"), read("b.py"), read("c.py"), said(ROOT, 4))
    session.sort = "build"
    assert [one.decision for one in judged(session, [], unsure=True)] == [GATED]
    session.sort = ""
    assert [one.decision for one in judged(session, [], unsure=True)] == [PROPOSED]


def test_what_helped_too_few_is_off_however_right_it_is() -> None:
    tired = Signal("tired", lambda *_: [], 0.7, 1, 14, 14, useful=1, read=8)
    assert not tired.on
    assert tired.replace(useful=4).on
    # What nobody has judged is off, unless a person is to review each of its findings.
    unjudged = {one.name for one in SIGNALS if one.on and one.judged < 2}
    assert all(one.tried and one.waits for one in SIGNALS if one.name in unjudged)


def test_of_a_session_that_goes_on_what_was_inferred_waits() -> None:
    landed = ran(COMMIT, "[main 1a2b3c4] Handle empty files\n 1 file changed", line=5)
    work = (asked(), wrote("a.py"), read("b.py"), read("c.py"))
    session = recorded(
        "s",
        *work * 6,
        said(ROOT),
        landed,
    )
    decided = {
        one.signal.name: one.decision for one in judged(session, [], unsure=True, ended=False)
    }
    assert decided == {"commits": PROPOSED, "conclusions": WAITING}


def test_the_names_of_the_signals_differ_and_their_start_values_hold() -> None:
    names = [one.name for one in SIGNALS]
    assert len(set(names)) == len(names) == 20
    assert all(0 < one.score < 1 and one.needed >= 1 for one in SIGNALS)
    assert all(one.value(one.needed) >= 0.4 for one in SIGNALS)


def test_the_numbers_tell_what_goes_with_a_file() -> None:
    past = [
        digest(recorded("a", wrote("api.py"), wrote("docs.md")), "p"),
        digest(recorded("b", read("api.py"), wrote("docs.md")), "p"),
        digest(recorded("c", wrote("other.py"), wrote("more.py")), "p"),
    ]
    assert first(Numbers(past).likely("api.py"), 1) == ["docs.md"]


def test_files_of_a_commit_go_together_like_those_of_a_session() -> None:
    stat = " src/a.py | 4 +++-\n src/b.py | 10 ++++++++++\n 2 files changed, 13 insertions(+)\n"
    past = [digest(recorded(one, ran("git show --stat HEAD", stat)), "p") for one in "ab"]
    past.append(digest(recorded("c", wrote("src/a.py"), wrote("src/c.py"), wrote("src/c.py")), "p"))
    likely = Numbers(past).likely("src/a.py")
    alone = Numbers(past[2:]).likely("src/a.py")
    # Shown twice, it is one commit, and counts as much as a session.
    assert likely["src/b.py"] == pytest.approx(0.48, abs=0.02)
    assert "src/b.py" not in alone


def test_what_many_sessions_edited_is_likelier_than_what_they_read() -> None:
    past = [
        digest(
            recorded("a", wrote("x.py"), wrote("core.py"), wrote("core.py"), read("note.md")), "p"
        )
    ]
    assert first(Numbers(past).likely("x.py")) == ["core.py", "note.md"]


def test_a_share_of_sessions_counts_and_not_their_number() -> None:
    often = [digest(recorded(f"s{n}", wrote("log.md"), wrote(f"f{n}.py")), "p") for n in range(6)]
    pair = [digest(recorded(f"p{n}", wrote("x.py"), wrote("y.py")), "p") for n in range(2)]
    assert first(Numbers(often + pair).likely("x.py"), 1) == ["y.py"]


def test_before_any_session_of_a_file_its_name_and_what_is_touched_often_count() -> None:
    past = [digest(recorded(f"s{n}", wrote("log.md"), wrote("a/b.go")), "p") for n in range(3)]
    past.append(digest(recorded("t", read("log.md"), wrote("a/x_test.go")), "p"))
    assert first(Numbers(past).likely("a/x.go")) == ["log.md", "a/b.go", "a/x_test.go"]
    assert first(Numbers(past[-1:]).likely("a/x.go"), 1) == ["a/x_test.go"]


def test_of_files_that_score_alike_each_order_counts_the_same() -> None:
    scores = {"asked": 9.0, "first": 3.0, "a": 1.0, "b": 1.0, "c": 1.0, "d": 1.0, "last": 0.5}
    assert hit(scores, "asked", {"first", "a"}, 3) == pytest.approx((1 + 2 / 4) / 2)
    assert hit(dict(reversed(scores.items())), "asked", {"first", "a"}, 3) == pytest.approx(0.75)
    assert hit(scores, "asked", {"last"}, 5) == 0.0
    assert hit({}, "asked", {"a"}, 5) == 0.0


def test_commits_are_what_git_lists_each_once() -> None:
    stat = " src/a.py | 4 +++-\n src/b.py | 10 ++++++++++\n 2 files changed, 13 insertions(+)\n"
    cut = " .../deep/file.py | 1 +\n c.py | 1 +\n 2 files changed, 2 insertions(+)\n"
    session = recorded("a", ran("git show --stat HEAD", stat), ran("git diff --stat", stat))
    assert landed(session.steps) == [("src/a.py", "src/b.py")]
    assert landed(recorded("b", ran("git log --stat", cut)).steps) == [("c.py",)]
    assert landed(recorded("c", ran("cat notes.txt", stat)).steps) == []


def test_later_sessions_show_how_well_earlier_ones_foretold_them() -> None:
    past = [digest(recorded(f"s{n}", wrote("a.py"), wrote("b.py")), "p") for n in range(12)]
    assert recalled(past) == [(1.0, 1.0, 1.0)] * 2
