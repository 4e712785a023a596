"""Files made, or named, to do harm: what they hold is cleaned, and the others are read all the same."""

from __future__ import annotations

import base64
import json
import os
import random
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput
from bowerbird.ingest.sources.reading import LineFinder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

TOKEN = "ghp_" + "aB3dE6gH9jK2" * 3
MARK = "[REDACTED:github-token]"
# The same without its plain letters: only who decodes the JSON sees it.
ESCAPED = "\\u0067\\u0068p_" + TOKEN[4:]


@pytest.fixture
def bird(store_path: str) -> Iterator[Bowerbird]:
    with Bowerbird.open(store_path, project="shop") as opened:
        yield opened


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "good.md").write_text("otters build dams\n")
    return folder


def test_a_name_that_is_not_utf8_is_reported_and_the_rest_is_read(
    bird: Bowerbird, notes: Path
) -> None:
    try:
        for name in (b"caf\xe9.md", b"d\xe9/a.md"):
            path = os.path.join(os.fsencode(notes), name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as file:
                file.write("badgers\n")
    except OSError:
        pytest.skip("this file system takes UTF-8 only")
    report = bird.index(str(notes))
    assert report.added == 1
    assert sorted((os.path.basename(one.path), one.reason) for one in report.skipped) == [
        ("caf?.md", "its name is not UTF-8"),
        ("d?", "its name is not UTF-8"),
    ]


def test_a_lone_surrogate_in_a_transcript_stops_nothing(bird: Bowerbird, notes: Path) -> None:
    (notes / "bad.jsonl").write_text(
        '{"type":"session","id":"x","version":1}\n'
        '{"type":"message","message":{"role":"\\ud800","content":"hi there walrus"}}\n'
    )
    assert bird.index(str(notes)).added == 2
    assert bird.query("walrus")[0].entry.speaker == "?"


def test_what_frontmatter_decodes_is_cleaned(bird: Bowerbird, notes: Path) -> None:
    (notes / "a.md").write_text(
        '---\ntitle: "\\e[31mred\\u202E\\U000E0041 evil"\n---\n\npenguins\n'
    )
    bird.index(str(notes))
    assert bird.query("penguins")[0].entry.context == "red evil"
    assert bird.query("penguins")[0].entry.context.isprintable()


def test_secrets_in_who_speaks_and_in_which_session_are_taken_out(
    bird: Bowerbird, notes: Path
) -> None:
    line = '{"role":"user","name":"%s","session_id":"%s","content":"walruses %d"}\n'
    (notes / "c.jsonl").write_text("".join(line % (ESCAPED, ESCAPED, n) for n in range(3)))
    bird.index(str(notes))
    entry = bird.query("walruses")[0].entry
    assert (entry.speaker, entry.session) == (MARK, MARK)


def test_a_result_is_shortened_without_its_secret(bird: Bowerbird, notes: Path) -> None:
    """Half a token is not known for one, so it goes before the result is cut short."""
    spilled = notes / "talk" / "tool-results" / "r.txt"
    spilled.parent.mkdir(parents=True)
    spilled.write_text("walrus " * 41 + TOKEN + " end\n")
    results = ("Output saved to tool-results/r.txt", "whales " * 41 + ESCAPED)
    lines = [
        '{"type":"user","sessionId":"s","message":{"content":[{"type":"tool_result",'
        f'"content":"{result}"}}]}}}}\n'
        for result in results
    ]
    (notes / "talk.jsonl").write_text("".join(lines))
    report = bird.index(str(notes / "talk.jsonl"))
    assert report.redacted == {"github-token": 2}
    for question in ("walrus", "whales"):
        assert TOKEN[:6] not in bird.query(question)[0].text


def test_the_stores_side_files_are_not_taken_in(store_path: str, tmp_path: Path) -> None:
    with Bowerbird.open(store_path, project="shop") as bird:
        bird.remember("otters build dams")
        for suffix in (".usage", ".usage.taken", ".bak", ".hnsw"):
            with open(store_path + suffix, "w") as file:
                file.write("1790000000000\n")
        assert bird.index(str(tmp_path)).added == 0


def test_a_dangling_link_is_reported_by_its_own_name(bird: Bowerbird, notes: Path) -> None:
    (notes / "link.md").symlink_to("nowhere.md")
    assert [one.path for one in bird.index(str(notes)).skipped] == [str(notes / "link.md")]


def test_a_path_that_no_system_takes_is_bad_input(bird: Bowerbird) -> None:
    for path in ("a\0b", "a\udce9b"):
        with pytest.raises(BadInput):
            bird.index(path)


class Searched(str):  # noqa: SLOT000 it has a counter
    """A text that counts how often it is searched."""

    searches = 0

    def find(self, *arguments: Any) -> int:
        self.searches += 1
        return super().find(*arguments)


def test_marks_that_are_nowhere_are_looked_for_once() -> None:
    text = Searched("x\n" * 10)
    finder = LineFinder(text)
    for _ in range(2_000):
        assert finder.next("nowhere") == 1
    assert text.searches == 1


def test_many_steps_back_cost_one_look_each(
    bird: Bowerbird, notes: Path, cost: Callable[..., float]
) -> None:
    """Were the log walked through for each, four times the steps would cost sixteen times and more."""
    files = iter(range(10))

    def read(most: int) -> None:
        number = next(files)
        head = json.dumps({"sessionId": f"s{number}", "projectHash": "p"})
        said = [
            json.dumps({"id": str(n), "type": "user", "content": f"walrus {n}"})
            for n in range(most)
        ]
        back = [json.dumps({"$rewindTo": str(n)}) for n in range(most - 1, 0, -1)]
        path = notes / f"g{number}.jsonl"
        path.write_text("\n".join([head, *said, *back]))
        assert bird.index(str(path)).passages == 1

    most = 12 * cost(read, 1_500)
    assert cost(read, 6_000, enough=most) < most


@pytest.mark.parametrize("lined", [True, False], ids=["lines", "one line"])
@pytest.mark.parametrize(
    "encode",
    [base64.b64encode, base64.b16encode, base64.b85encode],
    ids=["base64", "hex", "base85"],
)
def test_encoded_data_is_no_text_and_the_report_says_so(
    bird: Bowerbird, notes: Path, encode: Callable[[bytes], bytes], lined: bool
) -> None:
    data = encode(random.Random(7).randbytes(100_000)).decode()
    held = "\n".join(data[at : at + 76] for at in range(0, len(data), 76)) if lined else data
    (notes / "good.md").write_text(f"otters build dams\n\n{held}\n\nbeavers do, too\n")
    report = bird.index(str(notes))
    size = sum(len(line) for line in held.split() if len(line) >= 40)
    assert [one.reason for one in report.cut] == [
        f"{size:,} characters of encoded data are left out"
    ]
    assert not report.redacted
    lines = held.count("\n") + 5
    assert bird.query("beavers")[0].entry.end_line == lines
    assert data[:40] not in bird.query("otters")[0].entry.text


def test_random_words_are_left_out_in_blocks(bird: Bowerbird, notes: Path) -> None:
    drawn = random.Random(7)
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<>;_`"
    held = " ".join("".join(drawn.choices(letters, k=12)) for _ in range(10_000))
    prose = "otters build dams\n" * 500
    (notes / "good.md").write_text(f"{prose}{held}\n{prose}beavers do, too\n")
    (cut,) = bird.index(str(notes)).cut
    left_out, _, said = cut.reason.partition(" ")
    assert said == "characters of encoded data are left out"
    assert len(held) - 8_192 < int(left_out.replace(",", "")) < len(held) + 8_192
    assert bird.query("beavers")[0].entry.end_line == 1_002
    assert bird.query("otters build dams")


def test_what_only_looks_encoded_stays(bird: Bowerbird, notes: Path) -> None:
    """Paths, long names and a few checksums."""
    drawn = random.Random(7)
    sums = "\n".join(drawn.randbytes(32).hex() for _ in range(500))
    paths = "\n".join(
        f"src/components/{drawn.choice('abc')}/pages/settings/useThatHandler{at}"
        for at in range(2_000)
    )
    (notes / "sums.txt").write_text(sums)
    (notes / "paths.txt").write_text(paths)
    report = bird.index(str(notes))
    assert report.cut == ()
    assert sums[:64] in bird.query(sums[:64])[0].entry.text
