"""What the signals find that look at how a session went: each on steps that were made by hand."""

from __future__ import annotations

import pytest
from tests.steps import after, asked, call, only, ran, read, recorded, said, wrote

from bowerbird.sessions.learn.promote import GATED, PROPOSED, WAITING, digest, judged
from bowerbird.sessions.learn.registry import SIGNALS
from bowerbird.sessions.learn.signals import (
    glob_ignore,
    self_correction,
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


def test_a_file_that_is_looked_for_in_the_wrong_place_is_reported() -> None:
    missed = call(
        "Read", {"file_path": "/p/cmd/run.go"}, "File does not exist.", paths=("cmd/run.go",)
    )
    steps = (missed, read("internal/run.go"))
    lesson = only(glob_ignore.lessons(*after(2, *steps)))
    assert lesson.text == "There is no `cmd/run.go`: what is meant is `internal/run.go`."


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
    assert [one.decision for one in judged(session, [])] == [GATED]
    session.sort = ""
    assert [one.decision for one in judged(session, [])] == [PROPOSED]


def test_of_a_session_that_goes_on_what_was_inferred_waits() -> None:
    landed = ran(COMMIT, "[main 1a2b3c4] Handle empty files\n 1 file changed", line=5)
    work = (asked(), wrote("a.py"), read("b.py"), read("c.py"))
    session = recorded(
        "s",
        *work * 6,
        said(ROOT),
        landed,
    )
    decided = {one.signal.name: one.decision for one in judged(session, [], ended=False)}
    assert decided == {"commits": PROPOSED, "conclusions": WAITING}


def test_the_names_of_the_signals_differ_and_their_start_values_hold() -> None:
    names = [one.name for one in SIGNALS]
    assert len(set(names)) == len(names) == 14
    assert all(0 < one.score < 1 and one.needed >= 1 for one in SIGNALS)
    assert all(one.value(one.needed) >= 0.4 for one in SIGNALS)
