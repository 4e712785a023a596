"""What notes lead to, and which document that is."""

from __future__ import annotations

import pytest

from bowerbird.ingest.links import Link, Notes, links


def wiki(target: str, heading: str = "", line: int = 1, *, embeds: bool = False) -> Link:
    return Link(target, heading, line, wiki=True, embeds=embeds)


def path(target: str, heading: str = "", line: int = 1, *, embeds: bool = False) -> Link:
    return Link(target, heading, line, wiki=False, embeds=embeds)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[[Note]]", [wiki("Note")]),
        ("[[folder/Note#Part|shown]] and [[B]]", [wiki("folder/Note", "Part"), wiki("B")]),
        ("![[image.png|300]]", [wiki("image.png", embeds=True)]),
        ("| [[Note\\|shown]] |", [wiki("Note")]),
        ("[[#Part]] [[]] [[ ]]", []),
        ("[a](note.md)", [path("note.md")]),
        ('[a](<../b c.md> "t")', [path("../b c.md")]),
        ("[a](b%20c.md#Part%201)", [path("b c.md", "Part 1")]),
        ("[a](a_(b).md)", [path("a_(b).md")]),
        ("![x](img/x.png)", [path("img/x.png", embeds=True)]),
        ("[a](https://x.org/a.md) [b](#part) [c](mailto:x@y.z) [d](//x.org)", []),
        ("[ref]: other.md", [path("other.md")]),
        ("`[[code]]` and `[a](b.md)` but [[this]]", [wiki("this")]),
        ("one\n\n[[two]]", [wiki("two", line=3)]),
    ],
)
def test_links_of_a_note(text: str, found: list[Link]) -> None:
    assert list(links(text.split("\n"))) == found


def test_links_in_fenced_code_are_none() -> None:
    assert links(["```", "[[a]]", "```", "[[b]]"], {0, 1, 2}) == (wiki("b", line=4),)


NOTES = Notes(
    [
        "/v/Index.md",
        "/v/daily/Plan.md",
        "/v/jobs/Plan.md",
        "/v/jobs/Deploy checklist.md",
        "/v/x.png",
    ],
    {"/v/jobs/Deploy checklist.md": ["Go live"]},
)


@pytest.mark.parametrize(
    ("link", "note", "meant"),
    [
        (wiki("Index"), "/v/jobs/Plan.md", "/v/Index.md"),
        (wiki("index"), "/v/jobs/Plan.md", "/v/Index.md"),
        (wiki("Plan"), "/v/jobs/Deploy checklist.md", "/v/jobs/Plan.md"),
        (wiki("Plan"), "/v/Index.md", ""),
        (wiki("daily/Plan"), "/v/jobs/Plan.md", "/v/daily/Plan.md"),
        (wiki("go live"), "/v/Index.md", "/v/jobs/Deploy checklist.md"),
        (wiki("x.png"), "/v/jobs/Plan.md", "/v/x.png"),
        (wiki("nowhere"), "/v/Index.md", ""),
        (path("../daily/Plan.md"), "/v/jobs/Plan.md", "/v/daily/Plan.md"),
        (path("Index.md"), "/v/jobs/Plan.md", ""),
        (path("/jobs/Plan.md"), "/v/daily/Plan.md", "/v/jobs/Plan.md"),
    ],
)
def test_what_a_link_means(link: Link, note: str, meant: str) -> None:
    assert NOTES.meant(link, note) == meant


def test_hostile_links_are_read_in_one_pass() -> None:
    """What takes longer than linear time here would take hours."""
    for text in ("[[" * 300_000, "[" * 600_000 + "](", "[a](" * 200_000, "`" * 600_000 + "[["):
        assert len(links([text + "]("])) <= 10_000
