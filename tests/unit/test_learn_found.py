"""What the signals find that look at how a session went: each on steps that were made by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.steps import after, asked, call, only, ran, read, recorded, said, wrote

from bowerbird.sessions.learn import definitions
from bowerbird.sessions.learn.claims import claims, stands_alone
from bowerbird.sessions.learn.committed_files import landed
from bowerbird.sessions.learn.numbers import Numbers, first, hit, recalled
from bowerbird.sessions.learn.promote import GATED, PROPOSED, WAITING, digest, judged
from bowerbird.sessions.learn.registry import SIGNALS
from bowerbird.sessions.learn.signals import (
    backtrack,
    conclusions,
    config_touch,
    external_reference,
    file_access,
    glob_ignore,
    import_chase,
    parallel_conflict,
    read_abandon,
    repeated_grep,
    self_correction,
    step_overrun,
    synthesis,
    test_order,
    time_anomaly,
    token_spike,
    tool_sequence,
)

if TYPE_CHECKING:
    from bowerbird.sessions.learn.steps import Step

CAUSE = "Uploads failed because `parse_size` returned None for empty files."
COMMIT = f"git commit -m 'Handle empty files\n\n{CAUSE}'"


def test_a_name_that_is_searched_for_again_is_reported_with_its_place() -> None:
    found = call(
        "Grep", {"pattern": "loadConfig"}, "src/conf.ts:12:export function loadConfig(p) {"
    )
    assert repeated_grep.lessons(*after(1, found)) == []
    lesson = only(repeated_grep.lessons(*after(2, found)))
    assert lesson.text == "`loadConfig` is defined in `src/conf.ts`."
    assert lesson.payload == definitions.payload(
        "loadConfig", "src/conf.ts", "export function loadConfig(p)"
    )
    assert lesson.files == ("src/conf.ts",)
    assert only(repeated_grep.lessons(*after(1, found, found, found)))


def test_a_name_that_two_files_define_is_not_told() -> None:
    both = "a.py:1:def load_all(x):\nb.py:1:def load_all(x):"
    assert repeated_grep.lessons(*after(3, ran("rg load_all", both))) == []


def test_a_long_file_is_reported() -> None:
    part = read("src/big.py", "  1200\tx = 1", offset=1100)
    assert token_spike.lessons(*after(1, part)) == []
    lesson = only(token_spike.lessons(*after(2, part)))
    assert "`src/big.py` is long, more than 1,200 lines" in lesson.text
    assert lesson.payload == {"file": "src/big.py", "lines": 1_200}


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


def test_what_is_read_first_is_told_of_a_folder() -> None:
    lesson = only(file_access.lessons(*after(3, read("src/core.py"), wrote("src/x.py"))))
    assert "`src/core.py`" in lesson.text
    assert lesson.payload is not None
    assert lesson.payload["module_trigger"] == "src"


def test_what_is_read_next_is_reported() -> None:
    found = import_chase.lessons(*after(4, read("src/a.py"), read("lib/b.py")))
    assert only(found).files == ("src/a.py", "lib/b.py")


def test_a_file_that_is_left_for_another_one_is_reported() -> None:
    found = read_abandon.lessons(*after(3, read("src/a.py"), wrote("src/b.py")))
    assert "`src/a.py` mostly stands in `src/b.py`" in only(found).text


def test_tests_that_come_first_are_reported_and_code_that_does_is_not() -> None:
    first = only(test_order.lessons(*after(3, wrote("src/test_a.py"), wrote("src/a.py"))))
    assert first.text == "In `src`, tests are changed before the code."
    assert test_order.lessons(*after(3, wrote("src/a.py"), wrote("src/test_a.py"))) == []


def test_calls_for_each_step_of_a_plan_are_reported() -> None:
    plan = call("update_plan", {"plan": [{"step": str(n), "status": "pending"} for n in range(3)]})
    steps = (plan, *(wrote("src/a.py") for _ in range(29)))
    assert "10 calls" in only(step_overrun.lessons(*after(3, *steps))).text


def test_settings_that_change_with_code_are_reported() -> None:
    steps = (wrote("pyproject.toml"), wrote("src/a.py"), wrote("src/b.py"))
    assert "`pyproject.toml`" in only(config_touch.lessons(*after(2, *steps))).text


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


@pytest.mark.parametrize(
    ("before", "behind", "kept"),
    [
        ((wrote("a.py"), read("b.py"), ran("pytest")), (asked("thanks"),), True),
        # A check failed at the end; nobody objected; nothing was done.
        ((wrote("a.py"), read("b.py"), ran("pytest", "1 failed", failed=True)), (), False),
        ((wrote("a.py"), read("b.py"), ran("pytest")), (asked("no, that is wrong"),), False),
        ((), (), False),
    ],
)
def test_what_successful_work_concluded_is_reported(
    before: tuple[Step, ...], behind: tuple[Step, ...], kept: bool
) -> None:
    session = recorded("s", asked(), *before, said(f"Done.\n\n{CAUSE}", 9), *behind)
    found = conclusions.lessons(session, [])
    assert [one.text for one in found] == ([CAUSE] if kept else [])
    assert all(one.lines == (9,) and one.kind == "gotcha" for one in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "**Root cause:** the `fetch_all` loop never ends because `done` is never set.",
            "The `fetch_all` loop never ends because `done` is never set.",
        ),
        (
            "**Key invariant** - `PendingId` must not be reused for new commits, even when they amend.",
            "`PendingId` must not be reused for new commits, even when they amend.",
        ),
        (
            "- `loadUsers()` - Now uses the repository root instead of the working directory.",
            "`loadUsers()` now uses the repository root instead of the working directory.",
        ),
        (
            "The bug was that `retry()` swallowed the error because the promise was never awaited.",
            "`retry()` swallowed the error because the promise was never awaited.",
        ),
        ("- `hooks.go` - Added a check so that `.env` is not sourced by the wrapper.", ""),
        ("This fails because `x_value` is not set when the server starts up.", ""),
        ("You should use `make_app` instead of `create_app` because it reads settings.", ""),
        ("We could cache `load_all` because it is called for each of the requests.", ""),
    ],
)
def test_a_claim_stands_alone_or_is_none(text: str, expected: str) -> None:
    assert [one.text for one in claims(text)] == ([expected] if expected else [])


def test_a_sentence_with_a_place_of_one_machine_does_not_stand_alone() -> None:
    assert stands_alone(
        "`load_all` reads the file because the cache in `src/cache.py` is never filled."
    )
    assert not stands_alone(
        "`load_all` reads /home/ann/x because `src/cache.py` is never filled again."
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


def test_a_change_that_was_taken_back_is_a_dead_end_where_it_is_told_why() -> None:
    there, back = (
        "x = cached_property(load_everything_at_once)",
        "x = property(load_everything_at_once)",
    )
    steps = (wrote("a.py", back, there), said(CAUSE), wrote("a.py", there, back))
    lesson = only(backtrack.lessons(recorded("s", *steps), []))
    assert lesson.kind == "dead_end"
    assert lesson.text == f"A change of `a.py` was taken back: {CAUSE}"
    assert backtrack.lessons(recorded("s", steps[0], steps[2]), []) == []


@pytest.mark.parametrize(
    ("phrase", "number"),
    [
        ("This approach won't work.", 1),
        ("I need to abandon this.", 1),
        ("Let me try a different approach.", 1),
        ("The daemon is unavailable in CI.", 1),
        ("That is not available in this environment.", 1),
        ("Let me see what it says.", 0),
    ],
)
def test_a_command_that_was_given_up_is_a_dead_end_with_what_worked(
    phrase: str, number: int
) -> None:
    steps = (
        ran("docker compose up -d", "Cannot connect to the daemon", failed=True),
        said(phrase),
        ran("redis-server --daemonize yes"),
    )
    found = backtrack.lessons(recorded("s", *steps), [])
    assert len(found) == number
    for one in found:
        assert one.payload is not None
        assert one.payload["command"] == "docker compose up -d"
        assert one.text == (
            "`docker compose up -d` failed and was given up; `redis-server --daemonize yes` worked."
        )
    after_all = recorded("s", *steps[:2], ran("docker compose up -d"))
    assert backtrack.lessons(after_all, []) == []


def test_a_build_gives_nothing_before_its_tests_pass() -> None:
    session = recorded("s", asked(), wrote("a.py"), read("b.py"), read("c.py"), said(CAUSE, 4))
    session.sort = "build"
    assert [one.decision for one in judged(session, [], unsure=True)] == [GATED]
    session.sort = ""
    assert [one.decision for one in judged(session, [], unsure=True)] == [PROPOSED]


def test_what_helped_too_few_is_off_however_right_it_is() -> None:
    off = {one.name for one in SIGNALS if not one.on}
    assert {"conclusions", "repeated_grep", "token_spike"} <= off
    # What nobody has judged is off, unless a person is to review each of its findings.
    unjudged = {one.name for one in SIGNALS if one.on and one.judged < 2}
    assert all(one.tried and one.waits for one in SIGNALS if one.name in unjudged)


def test_of_a_session_that_goes_on_what_was_inferred_waits() -> None:
    landed = ran(COMMIT, "[main 1a2b3c4] Handle empty files\n 1 file changed", line=5)
    work = (asked(), wrote("a.py"), read("b.py"), read("c.py"))
    session = recorded(
        "s",
        *work * 6,
        said("The cache of `load_all` is filled only when the table is open."),
        landed,
    )
    decided = {
        one.signal.name: one.decision for one in judged(session, [], unsure=True, ended=False)
    }
    assert decided == {"commits": PROPOSED, "conclusions": WAITING}


def test_the_names_of_the_signals_differ_and_their_start_values_hold() -> None:
    names = [one.name for one in SIGNALS]
    assert len(set(names)) == len(names) == 26
    assert all(0 < one.score < 1 and one.needed >= 1 for one in SIGNALS)
    assert all(one.value(one.needed) >= 0.4 for one in SIGNALS)


def test_a_module_is_summed_up_after_five_sessions_and_not_after_six() -> None:
    steps = tuple(wrote(f"src/{name}.py") for name in "abcd")
    lesson = only(synthesis.lessons(*after(5, *steps)))
    assert "Most of 5 sessions that changed `src` changed `src/a.py` (5)" in lesson.text
    assert synthesis.lessons(*after(6, *steps)) == []


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
