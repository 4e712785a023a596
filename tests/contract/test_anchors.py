"""What a memory is about in code, and what becomes of it: fresh, moved, stale, and believed less."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from bowerbird.core.types import Entry

AUTH = (
    "import time\n\n\ndef verify(token):\n    return token > time.time()\n\n\n"
    "def issue():\n    return 1\n"
)
OTHER = "def other():\n    return 2\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "project"
    (root / "src").mkdir(parents=True)
    (root / ".bowerbird.toml").write_text("")
    (root / "src/auth.py").write_text(AUTH)
    (root / "src/other.py").write_text(OTHER)
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def bird(store_path: str, clock: Callable[[], int], project: Path) -> Iterator[Bowerbird]:
    with Bowerbird.open(store_path, clock=clock) as bird:
        bird.index(project)
        yield bird


def kept(bird: Bowerbird, text: str, *files: str) -> str:
    return bird.remember(text, files=files, confidence=1.0).id


def states(entry: Entry) -> list[tuple[str, str, str]]:
    return [(one.path, one.name, one.state) for one in entry.anchors]


def confidence(entry: Entry) -> float:
    assert entry.details is not None
    return entry.details.current_confidence


def rewrite(path: Path, text: str) -> None:
    """Change a file so that its time tells it."""
    before = path.stat().st_mtime_ns if path.exists() else 0
    path.write_text(text)
    os.utime(path, ns=(before + 10_000_000_000, before + 10_000_000_000))


def test_a_file_is_cited_as_it_stands(bird: Bowerbird) -> None:
    id = kept(bird, "Tokens are compared by their time alone.", "src/auth.py")
    assert states(bird.get(id)) == [("src/auth.py", "", "fresh")]
    assert confidence(bird.get(id)) == 1.0
    assert bird.stale().memories == ()
    assert bird.stale().tied == 1


def test_a_symbol_that_the_text_names_stands_for_its_file(bird: Bowerbird) -> None:
    id = kept(bird, "`verify` compares by time alone.", "src/auth.py")
    assert states(bird.get(id)) == [("src/auth.py", "verify", "fresh")]


def test_a_text_may_name_a_symbol_with_its_file(bird: Bowerbird) -> None:
    for text in ("src/auth.py:verify is called twice.", "See auth.py::verify, it is called twice."):
        assert states(bird.get(kept(bird, text, "src/auth.py"))) == [
            ("src/auth.py", "verify", "fresh")
        ]
    id = kept(bird, "Whoever calls src/auth.py:verify passes a time.")
    assert states(bird.get(id)) == [("src/auth.py", "verify", "fresh")]
    id = kept(bird, "At src/auth.py:4 a time is compared.", "src/auth.py")
    assert states(bird.get(id)) == [("src/auth.py", "", "fresh")]


def test_a_symbol_is_named_with_its_file(bird: Bowerbird) -> None:
    for written in ("src/auth.py:verify", "./src/auth.py#verify", "src\\auth.py::verify"):
        id = kept(bird, f"It compares by time alone, says {written!r}.", written)
        assert states(bird.get(id)) == [("src/auth.py", "verify", "fresh")]


def test_a_text_that_names_a_symbol_of_the_index_is_tied_to_it(bird: Bowerbird) -> None:
    id = kept(bird, "Whoever calls verify() has to catch nothing.")
    assert states(bird.get(id)) == [("src/auth.py", "verify", "fresh")]


def test_what_names_no_file_is_tied_to_none(bird: Bowerbird) -> None:
    id = kept(bird, "The office opens at nine, e.g. on Mondays.", "src/nowhere.py")
    assert bird.get(id).anchors == ()
    assert bird.stale().tied == 0


def test_a_file_that_was_only_touched_is_fresh(bird: Bowerbird, project: Path) -> None:
    id = kept(bird, "Tokens are compared by their time alone.", "src/auth.py")
    rewrite(project / "src/auth.py", AUTH)
    assert states(bird.get(id)) == [("src/auth.py", "", "fresh")]


def test_a_symbol_stays_fresh_where_lines_around_it_change(bird: Bowerbird, project: Path) -> None:
    id = kept(bird, "It compares by time alone.", "src/auth.py:verify")
    rewrite(project / "src/auth.py", "# new\nimport os\n" + AUTH.replace("return 1", "return 3"))
    found = bird.get(id)
    assert states(found) == [("src/auth.py", "verify", "fresh")]
    assert found.anchors[0].line == 6


def test_what_changed_is_stale_wherever_it_is_shown(bird: Bowerbird, project: Path) -> None:
    id = kept(bird, "It compares the tokens by time alone.", "src/auth.py:verify", "src/other.py")
    rewrite(project / "src/auth.py", AUTH.replace("token >", "token >="))
    expected = [("src/auth.py", "verify", "stale"), ("src/other.py", "", "fresh")]
    assert sorted(states(bird.get(id))) == expected
    assert confidence(bird.get(id)) == pytest.approx(0.9), "one of two files"
    assert sorted(states(bird.query("How are tokens compared?")[0].entry)) == expected
    item = next(one for one in bird.context("How are tokens compared?").items if one.id == id)
    assert {one.state for one in item.anchors} == {"stale", "fresh"}
    assert [one.id for one in bird.stale().memories] == [id]
    assert bird.stale().memories[0].confidence == pytest.approx(0.9)


def test_a_module_counts_the_memories_about_its_files_and_those_that_are_stale(
    bird: Bowerbird, project: Path
) -> None:
    for text in ("Tokens have a time", "Nobody signs tokens", "A guard asks for tokens"):
        kept(bird, text, "src/auth.py")
    kept(bird, "It gives two", "src/other.py")
    rewrite(project / "src/auth.py", AUTH.replace("token >", "token >="))
    bird.index(project)
    (module,) = bird.modules().modules
    assert (module.name, module.files, module.covered) == ("src", 2, 2)
    assert (module.tied, module.stale) == (4, 3)
    assert (bird.stale().total, bird.stale().tied) == (3, 4)


def test_a_symbol_that_moved_says_where_to(bird: Bowerbird, project: Path) -> None:
    id = kept(bird, "It compares by time alone.", "src/auth.py:verify")
    body = AUTH[AUTH.index("def verify") : AUTH.index("def issue")]
    rewrite(project / "src/auth.py", AUTH.replace(body, ""))
    rewrite(project / "src/other.py", f"import time\n\n\nclass Guard:\n    pass\n\n\n{body}")
    bird.index(project)
    (found,) = bird.get(id).anchors
    assert (found.state, found.now, found.line) == ("moved", "src/other.py:verify", 8)
    assert confidence(bird.get(id)) == 1.0


def test_a_renamed_file_says_where_to(bird: Bowerbird, project: Path) -> None:
    whole, part = (
        kept(bird, "Tokens are compared by their time alone.", "src/auth.py"),
        kept(bird, "It takes no key.", "src/auth.py:verify"),
    )
    (project / "src/auth.py").rename(project / "src/tokens.py")
    bird.index(project)
    assert [one.now for one in bird.get(whole).anchors] == ["src/tokens.py"]
    assert [one.now for one in bird.get(part).anchors] == ["src/tokens.py:verify"]


def test_a_deleted_file_is_reported(bird: Bowerbird, project: Path) -> None:
    id = kept(bird, "Tokens are compared by their time alone.", "src/auth.py")
    (project / "src/auth.py").unlink()
    (found,) = bird.get(id).anchors
    assert (found.state, found.reason) == ("stale", "was deleted")
    assert confidence(bird.get(id)) == pytest.approx(0.3)


FORMATTED = {
    "a comment inside": ("    return", "    # The clock of this machine.\n    return"),
    "a comment behind": ('"late")', '"late")  # now'),
    "a blank line": ("    return check", "\n\n    return check"),
    "spaces": ("token > time", "token  >  time"),
    "quotes": ('"late"', "'late'"),
    "wrapped by a formatter": (
        'token > time.time(), "late"',
        'token > time.time(),\n        "late",\n    ',
    ),
}
LATE = AUTH.replace("return token > time.time()", 'return check(token > time.time(), "late")')


@pytest.mark.parametrize("how", FORMATTED)
def test_formatting_is_no_change(bird: Bowerbird, project: Path, how: str) -> None:
    rewrite(project / "src/auth.py", LATE)
    bird.index(project)
    part = kept(bird, "It compares by time alone.", "src/auth.py:verify")
    whole = kept(bird, "Tokens are compared by their time alone.", "src/auth.py")
    changed = LATE.replace(*FORMATTED[how])
    assert changed != LATE
    rewrite(project / "src/auth.py", changed)
    assert states(bird.get(part)) == [("src/auth.py", "verify", "fresh")]
    assert states(bird.get(whole)) == [("src/auth.py", "", "fresh")]
    rewrite(project / "src/auth.py", changed.replace("late", "Late"))
    assert {*states(bird.get(part)), *states(bird.get(whole))} == {
        ("src/auth.py", "verify", "stale"),
        ("src/auth.py", "", "stale"),
    }


def test_a_renamed_symbol_says_what_it_is_called(bird: Bowerbird, project: Path) -> None:
    id = kept(bird, "It compares by time alone.", "src/auth.py:verify")
    rewrite(project / "src/auth.py", AUTH.replace("verify", "is_valid"))
    (found,) = bird.get(id).anchors
    assert (found.state, found.now, found.line) == ("moved", "src/auth.py:is_valid", 4)
    assert confidence(bird.get(id)) == 1.0


def test_a_deleted_symbol_is_reported_though_its_file_stands(
    bird: Bowerbird, project: Path
) -> None:
    id = kept(bird, "It compares by time alone.", "src/auth.py:verify")
    rewrite(project / "src/auth.py", AUTH[AUTH.index("def issue") :])
    (found,) = bird.get(id).anchors
    assert str(found) == "src/auth.py:verify was deleted"
    assert confidence(bird.get(id)) == pytest.approx(0.3)


def test_a_symbol_that_moved_and_changed_says_both(bird: Bowerbird, project: Path) -> None:
    id = kept(bird, "It compares by time alone.", "src/auth.py:verify")
    (project / "src/auth.py").rename(project / "src/tokens.py")
    rewrite(project / "src/tokens.py", AUTH.replace("token >", "token >="))
    bird.index(project)
    (found,) = bird.get(id).anchors
    assert str(found) == "src/auth.py:verify moved to src/tokens.py:verify and changed"
    assert confidence(bird.get(id)) == pytest.approx(0.8)


def test_a_change_of_long_after_asks_for_a_look(
    bird: Bowerbird, project: Path, clock: Callable[[], int]
) -> None:
    id = kept(bird, "Tokens are compared by their time alone.", "src/auth.py")
    (project / "src/auth.py").write_text("x = 1\n")
    later = (clock() // 1000 + 40 * 86_400) * 1_000_000_000
    os.utime(project / "src/auth.py", ns=(later, later))
    assert bird.get(id).anchors[0].reason == "changed 40 days after it was written: look at it"


def commit(where: Path, message: str) -> str:
    identity = ("git", "-c", "user.name=A", "-c", "user.email=a@b.c")
    for words in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", message)):
        subprocess.run([*identity, *words], cwd=where, check=True)
    done = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=where, check=True, capture_output=True
    )
    return done.stdout.decode().strip()


def test_what_changed_since_the_commit_of_a_memory_is_stale_when_it_is_written(
    bird: Bowerbird, project: Path
) -> None:
    first = commit(project, "first")
    (project / "src/gone.py").write_text("GONE = 1\n")
    second = commit(project, "second")
    rewrite(project / "src/auth.py", AUTH.replace("token >", "token >="))
    rewrite(project / "src/other.py", OTHER + "\n\nMORE = 1\n")
    (project / "src/gone.py").unlink()
    bird.index(project)
    files = ("src/auth.py:verify", "src/auth.py:issue", "src/other.py", "src/gone.py")

    def written(text: str, at: str) -> Entry:
        return bird.get(
            bird.remember(text, files=files, commit=at, kind="gotcha", confidence=1.0).id
        )

    found = written("Tokens are compared by their time alone.", second)
    changed = {(one.path, one.name): one.state for one in found.anchors}
    assert changed == {
        ("src/auth.py", "verify"): "stale",
        ("src/auth.py", "issue"): "fresh",
        ("src/other.py", ""): "stale",
        ("src/gone.py", ""): "stale",
    }
    assert confidence(found) == pytest.approx(1 - 1.1 / 3), "all of its files"
    assert [one.reason for one in found.anchors if one.path == "src/gone.py"] == ["was deleted"]
    earlier = written("Whoever issues them counts up from one.", first)
    assert {one.path for one in earlier.anchors} == {"src/auth.py", "src/other.py"}
    for unknown in ("", "deadbeef", "v1.0"):
        now = written(f"The issuer knows no clock, as {unknown or 'nothing'} says.", unknown)
        assert {one.state for one in now.anchors} == {"fresh"}, "as they stand now"
    rewrite(project / "src/auth.py", AUTH)
    rewrite(project / "src/other.py", OTHER)
    again = {one.path: one.state for one in bird.get(found.id).anchors}
    assert again == {"src/auth.py": "fresh", "src/other.py": "fresh", "src/gone.py": "stale"}


def test_what_stands_comes_before_what_changed_of_the_same_file(
    bird: Bowerbird, project: Path
) -> None:
    changes = kept(bird, "Tokens of visitors are compared by their number.", "src/auth.py:verify")
    stands = kept(bird, "Tokens of guests are compared by their time.", "src/auth.py:issue")
    asked = "How are tokens compared?"

    def found(*without: str) -> list[str]:
        return [hit.id for hit in bird.query(asked, memories_only=True, without=without)]

    assert found() == [changes, stands], "they do not differ by much"
    rewrite(project / "src/auth.py", AUTH.replace("token >", "token >="))
    assert found() == [stands, changes]
    assert found("life") == [changes, stands]


def test_a_commit_that_is_named_later_counts_from_then_on(bird: Bowerbird, project: Path) -> None:
    first = commit(project, "first")
    rewrite(project / "src/auth.py", AUTH.replace("token >", "token >="))
    id = kept(bird, "Tokens are compared by their time alone.", "src/auth.py")
    assert confidence(bird.get(id)) == 1.0
    bird.edit(id, commit=first)
    assert confidence(bird.get(id)) == pytest.approx(0.8)


def test_telling_it_again_ties_it_to_what_stands_there_now(bird: Bowerbird, project: Path) -> None:
    text = "Tokens are compared by their time alone."
    id = kept(bird, text, "src/auth.py")
    rewrite(project / "src/auth.py", AUTH + "MORE = 1\n")
    assert states(bird.get(id)) == [("src/auth.py", "", "stale")]
    assert kept(bird, text, "src/auth.py") == id
    assert states(bird.get(id)) == [("src/auth.py", "", "fresh")]
    rewrite(project / "src/auth.py", AUTH + "MORE = 2\n")
    bird.edit(id, files=["src/auth.py"])
    assert states(bird.get(id)) == [("src/auth.py", "", "fresh")]
    bird.revert(id)
    assert states(bird.get(id)) == [("src/auth.py", "", "stale")]


def test_an_edit_of_something_else_leaves_it_tied_as_it_was(bird: Bowerbird, project: Path) -> None:
    id = kept(bird, "Tokens are compared by their time alone.", "src/auth.py")
    rewrite(project / "src/auth.py", AUTH + "MORE = 1\n")
    assert bird.edit(id, tags=["auth"]).changed == ("tags",)
    assert states(bird.get(id)) == [("src/auth.py", "", "stale")]


def test_another_checkout_of_the_project_is_looked_at_where_one_works(
    store_path: str, clock: Callable[[], int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = tmp_path / "one"
    one.mkdir()
    (one / "auth.py").write_text(AUTH)
    who = ["-c", "user.name=A", "-c", "user.email=a@x.org"]
    for words in (
        ["init", "-q", str(one)],
        ["-C", str(one), "add", "."],
        ["-C", str(one), *who, "commit", "-qm", "first"],
        ["clone", "-q", str(one), str(tmp_path / "two")],
        ["-C", str(one), "remote", "add", "origin", "https://x.org/a.git"],
        ["-C", str(tmp_path / "two"), "remote", "set-url", "origin", "https://x.org/a.git"],
    ):
        subprocess.run(["git", *words], check=True)
    monkeypatch.chdir(tmp_path / "one")
    with Bowerbird.open(store_path, clock=clock) as bird:
        id = kept(bird, "Tokens are compared by their time alone.", "auth.py")
        assert states(bird.get(id)) == [("auth.py", "", "fresh")]
    (tmp_path / "two/auth.py").write_text(OTHER)
    monkeypatch.chdir(tmp_path / "two")
    with Bowerbird.open(store_path, clock=clock) as bird:
        assert states(bird.get(id)) == [("auth.py", "", "stale")]


def test_what_came_from_outside_is_tied_to_nothing(bird: Bowerbird) -> None:
    decided = bird.remember("verify() is safe.", files=["src/auth.py"], origin="tool_external")
    assert bird.get(decided.id).anchors == ()


def test_a_path_that_leads_out_of_the_project_is_not_looked_at(
    bird: Bowerbird, tmp_path: Path
) -> None:
    (tmp_path / "secret.txt").write_text("x")
    for path in ("../secret.txt", str(tmp_path / "secret.txt"), "/etc/passwd", ""):
        id = kept(bird, f"What stands in {path!r} is none of its business.", path)
        assert bird.get(id).anchors == ()


def test_impact_tells_which_memories_are_tied_to_its_target(bird: Bowerbird) -> None:
    whole = kept(bird, "Nobody has reviewed this since spring.", "src/auth.py")
    part = kept(bird, "The comparison is off by one.", "src/auth.py:verify")
    kept(bird, "Numbers are made up here.", "src/auth.py:issue")
    shown = {one.id for one in bird.impact("src/auth.py:verify").memories}
    assert shown == {whole, part}
    assert len(bird.impact("src/auth.py").memories) == 3


def test_a_file_that_moved_and_changed_then_is_not_where_it_was_indexed_last(
    bird: Bowerbird, project: Path
) -> None:
    id = kept(bird, "Tokens end after an hour.", "src/auth.py")
    (project / "src/auth.py").rename(project / "src/tokens.py")
    bird.index(project)
    (found,) = bird.get(id).anchors
    assert (found.state, found.now) == ("moved", "src/tokens.py")
    rewrite(project / "src/tokens.py", OTHER)
    (found,) = bird.get(id).anchors
    assert (found.state, found.reason) == ("stale", "was deleted")
