"""Files made to take memory, or to keep others from writing: the real command, measured from outside."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from itertools import product
from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird
from bowerbird.guard.trust import TAINTED
from bowerbird.ingest import bounds, trail
from bowerbird.ingest.bounds import MOST_LINES, MOST_PASSAGES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# Above what the process takes before it begins. The largest file that is read at all has 32 MB.
MOST_MEMORY_KB = 300_000
LARGEST = 31_900_000
PROGRAM = """
import sys
def peak():
    return int(open("/proc/self/status").read().split("VmHWM:")[1].split()[0])
begun = peak()
from bowerbird.surfaces.cli.app import main
code = main(["index", sys.argv[1], "--format", "json"])
print(peak() - begun, file=sys.stderr)
sys.exit(code)
"""
CLAUDE = '{"type":"user","sessionId":"s","message":{"content":[%s{}]}}\n'


def filled(part: str, size: int = LARGEST) -> str:
    return part * (size // len(part))


FILES: dict[str, tuple[str, Callable[[], str]]] = {
    "turns": ("a.txt", lambda: filled("A: x\nB: y\n", 2_000_000)),
    "blocks of a page": ("a.html", lambda: filled("<p>a", 4_000_000)),
    "headings of a page": ("a.html", lambda: filled("<h1>a", 4_000_000)),
    "one line with an emoji": ("a.txt", lambda: "\U0001f600" + filled("word and other ")),
    "results of one record": (
        "a.jsonl",
        lambda: filled(CLAUDE % ('{"type":"tool_result","content":"a"},' * 24_000)),
    ),
}


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read from /proc")
@pytest.mark.parametrize("what", FILES)
def test_whatever_a_file_holds_memory_is_bounded(
    tmp_path: Path, store_path: str, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    name, text = FILES[what]
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / name).write_text(text())
    monkeypatch.setenv("BOWER_STORE", store_path)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(notes)], capture_output=True, text=True, check=True
    )
    report = json.loads(done.stdout)["data"]
    assert report["passages"] <= MOST_PASSAGES
    assert int(done.stderr.split()[-1]) < MOST_MEMORY_KB


def test_what_was_cut_is_reported_in_every_format(tmp_path: Path, store_path: str) -> None:
    (tmp_path / "a.txt").write_text("x\n" * (MOST_LINES + 1))
    (tmp_path / "b.txt").write_text("A: x\nB: y\n" * MOST_PASSAGES)
    (tmp_path / "c.html").write_text("<br>x" * (MOST_LINES + 1))
    with Bowerbird.open(store_path, project="shop") as bird:
        report = bird.index(*(str(tmp_path / name) for name in ("a.txt", "b.txt", "c.html")))
    cut = [(one.path, one.reason) for one in report.cut]
    assert cut == [
        (
            str(tmp_path / "a.txt"),
            "the first 250,000 lines are read; split the file to have the rest",
        ),
        (
            str(tmp_path / "b.txt"),
            "the first 20,000 passages are kept; split the file to have the rest",
        ),
        (
            str(tmp_path / "c.html"),
            "the first 250,000 lines are read; split the file to have the rest",
        ),
    ]


def test_too_many_different_words_carry_meaning_for_the_beginning_only(
    tmp_path: Path, store_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is left out is said, and the words of all passages are found."""
    monkeypatch.setattr(bounds, "MOST_WORDS", 1_000)
    hostile, ordinary = tmp_path / "hostile.txt", tmp_path / "ordinary.txt"
    hostile.write_text("".join(f"w{number}\n" for number in range(4_000)))
    ordinary.write_text("otters build dams\n" * 4_000)
    with Bowerbird.open(store_path, project="shop") as bird:
        plain, report = bird.index(str(ordinary)), bird.index(str(hostile))
        again = bird.index(str(hostile), again=True)
        found = bird.query("w3999").hits[0]
    assert not plain.cut
    assert plain.embedded == plain.passages
    (cut,) = report.cut
    assert cut.path == str(hostile)
    assert cut.reason == (
        f"over 1,000 different words: the first {report.embedded} of {report.passages} passages are"
        " found by meaning, all by their words; split the file to have the rest"
    )
    assert 0 < again.embedded == report.embedded < report.passages
    assert "w3999" in found.text


def test_words_that_the_index_cannot_tell_apart_are_left_out(
    tmp_path: Path, store_path: str
) -> None:
    """A part repeated four times: to index each of them took as long as there were others."""
    hostile = tmp_path / "hostile.md"
    parts = map("".join, product("abcdefgh", repeat=5))
    hostile.write_text("otters build dams\n\n" + "\n".join(f"{part * 4}" for part in parts))
    with Bowerbird.open(store_path, project="shop") as bird:
        report = bird.index(str(hostile))
        found = bird.query("otters build dams").hits[0]
    (cut,) = report.cut
    assert cut.reason.startswith("words that the index cannot tell apart: the first ")
    assert found.text.startswith("otters")


def test_of_very_many_different_words_the_first_are_indexed(
    tmp_path: Path, store_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "MOST_WORDS", 1_000)
    monkeypatch.setattr(bounds, "MOST_INDEXED", 2_000)
    hostile = tmp_path / "hostile.txt"
    hostile.write_text("".join(f"w{number}\n" for number in range(4_000)))
    with Bowerbird.open(store_path, project="shop") as bird:
        report = bird.index(str(hostile))
        early, late = bird.query("w1900").hits, bird.query("w3999").hits
    (cut,) = report.cut
    assert cut.reason.endswith(
        f"passages are found by meaning, the first {report.passages} by their words; split the file"
        " to have the rest"
    )
    assert report.embedded < report.passages
    assert "w1900" in early[0].text
    assert not any("w3999" in one.text for one in late)


def test_of_a_transcript_so_many_calls_are_weighed_and_the_rest_is_not_believed(
    tmp_path: Path, store_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trail, "FEWEST_CALLS", 3)
    monkeypatch.setattr(trail, "BYTES_PER_CALL", 1_000_000)
    ordinary, hostile = tmp_path / "ordinary.jsonl", tmp_path / "hostile.jsonl"
    ordinary.write_text(_session("calm", 3))
    hostile.write_text(_session("busy", 4))
    with Bowerbird.open(store_path, project="shop") as bird:
        plain, report = bird.index(str(ordinary)), bird.index(str(hostile))
        trust = {
            word: bird.query(f"{word} otters build dams").hits[0].entry.trust
            for word in ("calm", "busy")
        }
    assert not plain.cut
    assert [one.reason for one in report.cut] == [
        "the first 3 tool calls and 10,000 lines of prompts are weighed; what follows has low trust"
    ]
    assert trust["calm"] != trust["busy"] == TAINTED


def test_of_a_transcript_so_many_lines_of_prompts_are_weighed(
    tmp_path: Path, store_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trail, "FEWEST_LINES", 3)
    monkeypatch.setattr(trail, "BYTES_PER_LINE", 1_000_000)
    prompt = '{"type":"user","sessionId":"s","message":{"content":"%s otters build dams"}}\n'
    session = tmp_path / "a.jsonl"
    session.write_text("".join(prompt % word for word in ("first", "second", "third", "fourth")))
    with Bowerbird.open(store_path, project="shop") as bird:
        report = bird.index(str(session))
        first, fourth = (
            bird.query(f"{word} otters build dams").hits[0].entry for word in ("first", "fourth")
        )
    assert [one.reason for one in report.cut] == [
        "the first 1,000 tool calls and 3 lines of prompts are weighed; what follows has low trust"
    ]
    assert first.trust != fourth.trust == TAINTED
    assert "fourth" in fourth.text


def _session(word: str, calls: int) -> str:
    """A transcript in which so many commands run before the agent says something."""
    parts = [
        [{"type": "tool_use", "id": f"c{number}", "name": "Bash", "input": {"command": "ls"}}]
        for number in range(calls)
    ]
    parts.append([{"type": "text", "text": f"{word} otters build dams"}])
    records = (
        {"type": "assistant", "sessionId": word, "message": {"content": one}} for one in parts
    )
    return "".join(json.dumps(one) + "\n" for one in records)


def test_others_write_while_a_file_of_many_turns_is_taken_in(
    tmp_path: Path, store_path: str
) -> None:
    """Between the first and the last of its documents somebody else gets the lock."""
    for number in range(2):
        (tmp_path / f"{number}.txt").write_text("A: x\nB: y\n" * (MOST_PASSAGES // 4))
    with Bowerbird.open(store_path, project="shop") as bird:
        bird.remember("otters build dams")
        begun, written = threading.Event(), []

        class Watched:
            def start(self, _what: str, _total: int) -> None: ...

            def advance(self, _done: int, _path: str = "") -> None:
                begun.set()

            def finish(self) -> None:
                written.append("index")

        def write() -> None:
            begun.wait()
            with Bowerbird.open(store_path, project="shop") as other:
                other.remember("Redis runs on port 6379")
                written.append("other")

        thread = threading.Thread(target=write)
        thread.start()
        bird.index(str(tmp_path), progress=Watched())
        thread.join()
    assert written == ["other", "index"]
