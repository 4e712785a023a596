"""Two hundred strings that others collected to break pages, in every field of memories: text alone."""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from tests.surface.web.test_pages import HERE, read

from bowerbird import Bowerbird
from bowerbird.core.errors import UnknownName
from bowerbird.core.who import USER, Who

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.surface.web.conftest import Journey, Pages

STRINGS: list[str] = json.loads((Path(__file__).parent / "hostile.json").read_text())["strings"]
# Strings that one memory holds.
TOGETHER = 20
# The name of a folder, and so of a project; no name holds a slash.
FOLDER = '"><img src=x onerror=alert(1)>{{ 7 * 70007 }}\u202e'
# What is on a page that no template wrote, or leads elsewhere.
_STRANGE = """
const [tags, names] = [...arguments].map((one) => new Set(one));
const strange = [];
for (const one of document.querySelectorAll('*')) {
  if (!tags.has(one.localName)) strange.push(one.outerHTML.slice(0, 200));
  for (const {name, value} of one.attributes) {
    const leads = ['src', 'href', 'action', 'formaction'].includes(name);
    const away = leads && new URL(value, location).origin !== location.origin;
    if (!names.has(name) || away) strange.push(`${one.localName} ${name}=${value}`);
  }
}
for (const one of performance.getEntriesByType('resource')) {
  if (new URL(one.name).origin !== location.origin) strange.push(one.name);
}
if (!document.querySelector('body > main + dialog#keys')) strange.push('the page ends early');
return strange;
"""


@pytest.fixture(scope="module")
def kept(pages: Pages) -> Iterator[list[str]]:
    """Memories in a project of such a name; gone afterwards."""
    folder = pages.shop.folder / FOLDER
    (folder / ".git").mkdir(parents=True)
    with contextlib.chdir(folder), Bowerbird.open(pages.shop.store) as opened:
        bird = opened.acting(Who(USER, USER))
        ids = []
        for at in range(0, len(STRINGS), TOGETHER):
            some = STRINGS[at : at + TOGETHER]
            # The name of a tag needs a letter or a digit.
            tags = [one for one in some if re.search(r"[^\W_]", one)]
            text = f"Lid {at}: {' · '.join(some)}"
            kept = bird.remember(text, tags=tags, modules=some, files=some, session=some[0])
            bird.flag(kept.id, some[-1])
            ids.append(kept.id)
            if at:
                bird.link(ids[0], kept.id, "related_to")
        yield ids
        bird.admin.erase(ids)


def test_no_kind_of_memory_is_called_so(pages: Pages) -> None:
    with Bowerbird.open(pages.shop.store, project=f"path:{pages.shop.project}") as bird:
        for one in STRINGS:
            with pytest.raises(UnknownName):
                bird.remember("The lid is blue", kind=one)


def test_two_hundred_hostile_strings_are_text_on_every_page(
    journey: Journey, kept: list[str]
) -> None:
    written = "\n".join(one.read_text(encoding="utf-8") for one in HERE.rglob("*.html"))
    tags = sorted({*re.findall(r"<([a-z][a-z0-9]*)", written), "ins", "del", "tbody"})
    names = sorted({*re.findall(r"[ \n]([a-zA-Z][a-zA-Z0-9-]*)(?:=|>| |{)", written)})
    project = f"p={quote(f'path:{journey.pages.shop.folder / FOLDER}', safe='')}"
    listed = [
        "",
        "memories",
        "memories?sort=oldest",
        "review",
        "activity",
        "modules",
        "sessions",
        "fading",
    ]
    listed += ["ask?q=alert+javascript+script", "graph", f"graph?around={kept[0]}"]
    listed += [f"memories?q={quote(one)}" for one in STRINGS[:: len(STRINGS) // 5]]
    listed += [f"m/{id}" for id in kept]
    listed += [
        f"{page.format(id)}"
        for id in kept[::5]
        for page in ("review/{}", "m/{}/edit", "m/{}/wrong")
    ]
    list(journey.browser.complaints())
    found: list[str] = []
    for where in listed:
        journey.go(f"/ui/{where}{'&' if '?' in where else '?'}{project}")
        strange = journey.browser.run(_STRANGE, tags, names)
        found += [f"{where}: {one}" for one in (*strange, *journey.browser.complaints())]
    assert not found, "\n".join(found)


def test_no_page_holds_what_hides(pages: Pages, kept: list[str]) -> None:
    visit = pages.visit()
    visit.do("language", language="en")
    hidden = re.compile(
        "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
    )
    for where in ("", "memories", "review", "activity", *(f"m/{id}" for id in kept)):
        page = read(visit.page(f"/ui/{where}"))
        assert not page.harm, where
        assert not hidden.search(page.text), where
        assert "490049" not in page.text
