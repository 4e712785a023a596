"""Journeys through the dashboard in a real browser: signing in, keys, verdicts, live counts, access."""

from __future__ import annotations

import os
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import axe_core_python
import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from tests.surface.web.browser import HIGH, NARROW, WIDE
from tests.surface.web.shop import KEPT, NEW, WAITING
from tests.surface.web.test_pages import addresses

if TYPE_CHECKING:
    from tests.surface.web.conftest import Journey

SOURCE = (Path(axe_core_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
WHOLE = os.environ.get("AXE") == "all"
ALL = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
}
BUT_COLOURS = {**ALL, "rules": {"color-contrast": {"enabled": False}}}
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
# The rows of a table, and the items of a list, look like those before them.
REPEATED = "main tr:nth-child(n + 5), main li:nth-child(n + 5), main article:nth-of-type(n + 4)"


def test_a_link_signs_in_and_leaves_no_key_behind(journey: Journey) -> None:
    journey.enter("/ui/memories?q=kind%3Agotcha")
    assert "#" not in journey.driver.current_url
    assert journey.text("h1").startswith("Memories")
    assert journey.browser.run("return document.cookie") == ""
    journey.driver.back()
    assert "#" not in journey.driver.current_url


def test_keys_lead_to_a_row_and_back_to_it(journey: Journey) -> None:
    journey.go("/ui/")
    journey.press("g", "m")
    # The address is there before the page is.
    journey.until(lambda: journey.driver.find_elements(By.ID, "q"))
    assert journey.path().startswith("/ui/memories")
    journey.press("/")
    journey.press(*"kind:gotcha", Keys.ENTER)
    journey.until(lambda: "q=kind" in journey.path())
    journey.press("j", "j", "j")
    third = journey.focused()
    where = journey.path()
    assert third
    journey.press(Keys.ENTER)
    journey.until(lambda: journey.path().startswith("/ui/m/"))
    assert third in journey.text()
    journey.driver.back()
    journey.until(lambda: journey.path() == where)
    journey.until(lambda: journey.focused() == third)
    journey.press("?")
    assert journey.until(lambda: journey.text("dialog[open]"))
    journey.press(Keys.ESCAPE)


def test_a_contradiction_marks_what_differs_and_is_settled_by_one_key(journey: Journey) -> None:
    new, kept = journey.pages.shop.ids[NEW], journey.pages.shop.ids[KEPT]
    journey.go(f"/ui/review/{new}")
    assert (journey.text("ins"), journey.text("del")) == ("45", "30")
    state = journey.pages.server.bower
    journey.press("c")  # confirms one that stands alone, and replaces nothing
    assert journey.path() == f"/ui/review/{new}"
    assert state("get", new)["review"]
    journey.press("p")
    journey.until(lambda: "in place of the kept one" in journey.text(".notice"))
    assert journey.focused().startswith("Review")
    assert (state("get", new)["state"], state("get", kept)["state"]) == ("active", "superseded")
    journey.press("z")
    journey.until(lambda: "Undone" in journey.text(".notice"))
    assert (state("get", new)["review"] != "", state("get", kept)["state"]) == (True, "active")
    journey.go(f"/ui/review/{new}")
    journey.press("b")
    journey.until(lambda: "Both hold:" in journey.text(".notice"))
    assert (state("get", new)["review"], state("get", kept)["state"]) == ("", "active")
    journey.press("z")
    journey.until(lambda: "Undone" in journey.text(".notice"))
    assert state("get", new)["review"]


def test_verdicts_by_keys_follow_one_another(journey: Journey) -> None:
    first, second = (journey.pages.shop.ids[text] for text in WAITING)
    state = journey.pages.server.bower
    journey.go(f"/ui/review/{first}")
    journey.press("e")
    journey.until(lambda: journey.driver.switch_to.active_element.tag_name == "textarea")
    journey.press(Keys.END, " and none is lost", Keys.CONTROL + Keys.ENTER)
    journey.until(lambda: "Confirmed in other words" in journey.text(".notice"))
    assert state("get", first)["text"].endswith("none is lost")
    journey.press("z")
    journey.until(lambda: "Undone" in journey.text(".notice"))
    assert state("get", first)["text"] == WAITING[0]
    assert state("get", first)["review"]
    journey.go(f"/ui/review/{second}")
    journey.press("r")
    journey.until(lambda: "Rejected" in journey.text(".notice"))
    assert state("get", second)["state"] == "deleted"
    journey.press("z")
    journey.until(lambda: "Undone" in journey.text(".notice"))
    assert state("get", second)["state"] == "active"


def test_keys_that_are_about_the_card_say_so_while_a_row_has_the_focus(journey: Journey) -> None:
    first = journey.pages.shop.ids[WAITING[0]]
    journey.go(f"/ui/review/{first}")
    for key in "che":
        journey.press("j", key)
        assert "Esc lets go of it" in journey.until(lambda: journey.text("#aside"))
        assert journey.path() == f"/ui/review/{first}"
        journey.press(Keys.ESCAPE)
        assert journey.text("#aside") == ""
        assert journey.browser.run("return document.activeElement === document.body")
    journey.driver.refresh()
    assert journey.browser.run("return document.activeElement.closest('[data-row]')") is None
    journey.press("e")
    journey.until(lambda: journey.driver.switch_to.active_element.tag_name == "textarea")


def test_rows_that_wait_next_are_ticked_by_a_key_and_decided_together(journey: Journey) -> None:
    journey.go("/ui/review")
    at, id = journey.browser.run(
        "const rows = [...document.querySelectorAll('[data-row]')];"
        "const at = rows.findIndex((row) => row.querySelector('[name^=pick-]'));"
        "return [at, rows[at].dataset.row]"
    )
    journey.press(*"j" * (at + 1), "x")
    confirm, reject = journey.driver.find_elements(By.CSS_SELECTOR, "[data-ticked]")
    assert (confirm.text, reject.text) == ("1", "1")
    journey.press_on(".several-do [value=reject]")
    journey.until(lambda: "1 memory rejected" in journey.text(".notice"))
    state = journey.pages.server.bower
    assert state("get", id)["state"] == "deleted"
    journey.press("z")
    journey.until(lambda: "Undone" in journey.text(".notice"))
    assert state("get", id)["state"] != "deleted"


def test_on_a_phone_what_the_verdicts_do_stands_before_them(journey: Journey) -> None:
    covered = """
        const end = document.documentElement.scrollHeight, hidden = [];
        const box = (one) => one.getBoundingClientRect();
        for (let y = 0; y < end; y += 20) {
          scrollTo(0, y);
          const bar = box(document.querySelector(".verdicts"));
          for (const one of document.querySelectorAll(".effects > *"))
            if (box(one).bottom > bar.top) hidden.push(one.textContent);
        }
        return hidden;
    """
    journey.browser.look(NARROW)
    try:
        for text in (NEW, WAITING[0]):
            journey.go(f"/ui/review/{journey.pages.shop.ids[text]}")
            assert (
                journey.browser.run("return document.querySelectorAll('.effects > dd').length") > 2
            )
            assert journey.browser.run(covered) == []
            assert journey.browser.run("return document.body.scrollWidth <= innerWidth")
    finally:
        journey.browser.look()


def test_a_write_elsewhere_is_offered_while_a_page_is_open(journey: Journey) -> None:
    journey.go("/ui/memories")
    before = journey.text("[data-count=memories]")
    journey.pages.server.bower("curate", "The till rings twice at noon")
    journey.until(lambda: journey.text("#news").startswith("1 new"))
    assert journey.text("[data-count=memories]") != before
    assert "The till rings" not in journey.text("tbody")
    journey.driver.find_element(By.CSS_SELECTOR, "#news a").click()
    journey.until(lambda: "The till rings" in journey.text("tbody"))


def test_an_edit_elsewhere_is_offered_and_not_written_over(journey: Journey) -> None:
    bower = journey.pages.server.bower
    id = bower("curate", "The vault has two keys")["id"]
    journey.go(f"/ui/m/{id}/edit")
    mine, theirs = "The vault has three keys", "The vault has five keys"
    journey.driver.find_element(By.ID, "text").clear()
    journey.driver.find_element(By.ID, "text").send_keys(mine)
    bower("edit", id, theirs)
    journey.until(lambda: journey.text("#news").startswith("1 new"))
    journey.press_on("button.main")
    journey.until(lambda: f"says now: {theirs}" in journey.text(".notice"))
    assert bower("get", id)["text"] == theirs
    assert journey.driver.find_element(By.ID, "text").get_attribute("value") == mine
    journey.press_on("button.main")
    journey.until(lambda: journey.path() == f"/ui/m/{id}")
    assert bower("get", id)["text"] == mine


def test_without_the_script_everything_but_keys_works(journey: Journey) -> None:
    journey.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        journey.go("/ui/teach")
        journey.driver.find_element(By.ID, "text").send_keys("Lamps hang above the till")
        journey.driver.find_element(By.CSS_SELECTOR, "button.main").click()
        journey.until(lambda: "Lamps hang" in journey.text(".notice"))
    finally:
        journey.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_the_policy_refuses_to_make_markup_of_text(journey: Journey) -> None:
    journey.go("/ui/")
    refused = journey.browser.run(
        "try { document.body.innerHTML = '<p>'; return '' } catch (error) { return error.name }"
    )
    assert refused == "TypeError"
    list(journey.browser.complaints())


Look = tuple[tuple[int, int], str, tuple[tuple[bool, dict[str, Any]], ...]]


def looks() -> list[Look]:
    """Sizes, languages, and what is checked, dark or not: `make axe` checks all with each other.

    The colours of a page are the same at each width and in each language.
    """
    if WHOLE:
        both = ((False, ALL), (True, ALL))
        return [(*one, both) for one in product((WIDE, NARROW), ("en", "fr"))]
    return [
        (WIDE, "en", ((False, ALL), (True, COLOURS))),
        (NARROW, "fr", ((False, BUT_COLOURS),)),
    ]


@pytest.mark.parametrize(("size", "language", "checks"), looks())
def test_every_page_can_be_used_by_everybody(
    journey: Journey, size: tuple[int, int], language: str, checks: Any
) -> None:
    found: list[str] = []
    with_axe = journey.driver.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument", {"source": SOURCE}
    )
    try:
        _speak(journey, language)
        journey.browser.look((size[0], HIGH))
        for name, where in addresses(journey.pages).items():
            journey.go(where)
            width = journey.browser.run("return document.documentElement.scrollWidth")
            if width > size[0]:
                found.append(f"{name} is {width} wide")
            found += [f"{name} loads {one}" for one in _from_elsewhere(journey)]
            for dark, check in checks:
                journey.browser.scheme(dark=dark)
                found += [f"{name}, {dark=}: {one}" for one in _violations(journey.driver, check)]
    finally:
        journey.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", with_axe)
        journey.browser.look()
        # Whoever signs in again finds what they had chosen: other tests read English.
        _speak(journey, "en")
    assert found == [], "\n".join(found)


def _speak(journey: Journey, language: str) -> None:
    journey.go("/ui/settings")
    journey.browser.run(
        f"const field = document.querySelector('#language'); field.value = '{language}';"
        "field.form.submit()"
    )
    journey.until(lambda: journey.browser.run("return document.documentElement.lang") == language)


def _from_elsewhere(journey: Journey) -> list[str]:
    """What a page loaded from another place than its server."""
    loaded = journey.browser.run(
        "return performance.getEntriesByType('resource').map((one) => one.name)"
    )
    return [one for one in loaded if not one.startswith(f"http://{journey.pages.host}/")]


def _violations(driver: Any, checks: dict[str, Any]) -> list[str]:
    done = driver.execute_async_script(
        "const end = arguments[2];"
        "const exclude = arguments[1] ? [[arguments[1]]] : [];"
        "axe.run({exclude}, {...arguments[0], resultTypes: ['violations']}).then((found) => end("
        "found.violations.map(({id, nodes}) => `${id} ${nodes[0].failureSummary} ${nodes[0].html}`)))",
        checks,
        "" if WHOLE else REPEATED,
    )
    return [str(one)[:400] for one in done]
