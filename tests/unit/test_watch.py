"""When what changed is taken in: after a while of quiet, by its sort, and not never."""

from __future__ import annotations

from bowerbird.ingest.watch import CODE, NOTES, QUIET, TRANSCRIPTS, Pending, sort_of


def test_files_are_sorted_by_their_names() -> None:
    assert [sort_of(one) for one in ("a.md", "b.PY", "c.jsonl", "LICENSE")] == [
        NOTES,
        CODE,
        TRANSCRIPTS,
        NOTES,
    ]


def test_a_folder_is_due_once_it_has_been_quiet_as_long_as_its_sort_asks() -> None:
    pending = Pending()
    pending.note("/n", "/n/a.md", 10.0)
    pending.note("/c", "/c/a.py", 10.0)
    assert pending.due(10.4) == ()
    assert pending.due(10.5) == ("/c",)
    pending.note("/n", "/n/a.md", 11.0)
    assert pending.due(11.6) == ()
    assert pending.due(12.5) == ("/n",)
    assert pending.due(99.0) == ()


def test_what_never_rests_is_taken_in_all_the_same() -> None:
    pending = Pending()
    due = []
    for tick in range(200):
        now = tick / 10
        pending.note("/c", "/c/a.py", now)
        due += [now] * len(pending.due(now))
    assert due[0] == 10 * QUIET[CODE]


def test_a_sort_that_is_left_out_starts_nothing() -> None:
    pending = Pending({NOTES})
    pending.note("/c", "/c/a.py", 0.0)
    assert pending.due(9.0) == ()
