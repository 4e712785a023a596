"""What people come to the dashboard for, from the first page to the last, in a real browser."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from tests.surface.http.conftest import Server
from tests.surface.web.conftest import Journey, Pages, opened_by
from tests.surface.web.shop import DEAD_END, KEPT, SESSIONS, Shop

from bowerbird import Bowerbird
from bowerbird.core.errors import Denied
from bowerbird.core.who import AGENT, USER, Who

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.forked import Forks
    from tests.surface.web.browser import Browser

TOKEN = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"


@pytest.fixture
def bird(journey: Journey) -> Iterator[Bowerbird]:
    """The shop's store, in the name of its owner."""
    shop = journey.pages.shop
    with Bowerbird.open(shop.store, project=f"path:{shop.project}") as opened:
        yield opened.acting(Who(USER, USER))


def test_a_link_that_was_opened_is_refused_and_a_lost_session_is_found_again(
    journey: Journey,
) -> None:
    used = journey.pages.key()
    journey.driver.delete_all_cookies()
    journey.go(f"/ui/enter?to=/ui/fading#{used}")
    journey.until(lambda: journey.path() == "/ui/fading")
    journey.driver.delete_all_cookies()
    journey.go(f"/ui/enter?to=/ui/fading#{used}")
    journey.until(lambda: "does not work" in journey.text("h1"))
    assert journey.driver.get_cookie("bower") is None
    journey.go("/ui/memories?q=kind%3Agotcha&sort=oldest")
    assert "bower dashboard" in journey.text()
    journey.driver.find_element(By.ID, "key").send_keys(journey.pages.key(), Keys.ENTER)
    journey.until(lambda: journey.path() == "/ui/memories?q=kind%3Agotcha&sort=oldest")


def test_the_first_steps_tick_themselves_off_and_a_stopped_server_is_said(
    chromium: Browser, forks: Forks, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("new")
    (folder / "shop" / ".git").mkdir(parents=True)
    (folder / "shop" / "notes.md").write_text("# Notes\n\nThe till opens at nine.\n")
    shop, server = Shop(folder, forks), Server(folder, forks)
    journey = Journey(chromium, Pages.of(shop, server))
    chromium.driver.get(
        "about:blank"
    )  # or signing in here would end the session of the other tests
    try:
        opened_by(chromium, journey.pages, "/ui/welcome")
        for there_is_no_store_yet, own in (("review", "Nothing waits"), ("graph", "no memory yet")):
            journey.go(f"/ui/{there_is_no_store_yet}")
            assert own in journey.text()
        journey.go("/ui/teach?p=global")
        assert "It is kept for all projects" in journey.text()
        journey.go("/ui/welcome")
        assert "It is kept for shop." in journey.text()
        assert len(journey.driver.find_elements(By.CSS_SELECTOR, ".done")) == 0
        started = {"hook_event_name": "SessionStart", "source": "startup", "session_id": "first"}
        payload = json.dumps(started | {"cwd": str(shop.project)})
        shop.run("hook", "claude-code", "SessionStart", given=payload)
        journey.until(lambda: "✓" in journey.text(".steps li:first-child"))
        shop.run("index", str(shop.project))
        journey.until(lambda: "✓" in journey.text(".steps li:nth-child(2)"))
        journey.driver.find_element(By.ID, "text").send_keys("The till is counted at nine")
        journey.press_on("button.main")
        journey.until(lambda: len(journey.driver.find_elements(By.CSS_SELECTOR, ".done")) == 3)
        assert journey.path() == "/ui/welcome"
        journey.go("/ui/")
    finally:
        server.end()
    journey.until(lambda: re.search(r"\d\d:\d\d", journey.text("#offline")))
    chromium.driver.get("about:blank")  # or the page goes on asking the server that ended
    list(chromium.complaints())


def test_a_filter_is_an_address_that_others_may_be_given(journey: Journey) -> None:
    journey.enter("/ui/memories")
    journey.press_on(".facets a[href*=decision]")
    journey.until(lambda: "kind%3Adecision" in journey.path())
    where, rows = journey.path(), journey.text("tbody")
    journey.driver.refresh()
    assert journey.text("tbody") == rows
    journey.enter(where)
    assert journey.text("tbody") == rows


def test_a_memory_leads_to_the_session_that_taught_it_and_back(journey: Journey) -> None:
    journey.go("/ui/memories?q=kind%3Afact+compared+in+cents")
    journey.press_on("tbody .says a")
    journey.until(lambda: journey.path().startswith("/ui/m/"))
    memory = journey.path()
    journey.until(lambda: "prices are compared in cents" in journey.text("blockquote"))
    journey.press_on("main a[href*='/ui/s/']")
    journey.until(lambda: journey.path().startswith("/ui/s/"))
    assert SESSIONS[0][0][:4] in journey.text() or SESSIONS[1][0][:4] in journey.text()
    journey.driver.back()
    journey.until(lambda: journey.path() == memory)


def test_an_edit_shows_what_changed_and_is_taken_back(journey: Journey, bird: Bowerbird) -> None:
    id = bird.remember("The stock is counted on Sundays by two people", kind="fact").id
    journey.go(f"/ui/m/{id}")
    journey.press("e")
    journey.until(lambda: journey.path().endswith("/edit"))
    field = journey.driver.find_element(By.ID, "text")
    field.clear()
    field.send_keys("The stock is counted on Mondays by two people", Keys.CONTROL + Keys.ENTER)
    journey.until(lambda: journey.text("ins") == "Mondays")
    assert journey.text("del") == "Sundays"
    journey.press_on(".versions button")
    journey.until(lambda: "Sundays" in journey.text(".text"))


def test_holding_back_and_later_are_a_key_each_and_are_undone(
    journey: Journey, bird: Bowerbird
) -> None:
    waiting = [
        bird.remember(f"The {word} is closed in August", review="an agent was not sure").id
        for word in ("mill", "yard")
    ]
    journey.go(f"/ui/review/{waiting[0]}")
    journey.press("h")
    journey.until(lambda: journey.driver.find_elements(By.CSS_SELECTOR, ".notice"))
    assert bird.waiting(waiting[0]).cases[0].code == "held"
    journey.press("z")
    journey.until(lambda: "Undone" in journey.text(".notice"))
    assert bird.waiting(waiting[0]).cases[0].code != "held"
    journey.go(f"/ui/review/{waiting[1]}")
    journey.press("l")
    journey.until(lambda: waiting[1] not in journey.path())
    assert bird.admin.queue()[-1] == waiting[1]


def test_a_dispute_is_talked_about_and_closed_by_who_may(journey: Journey, bird: Bowerbird) -> None:
    id = bird.remember("The attic is aired on Sundays").id
    bird.edit(id, audience="team", origin="user")
    for name, role in (("mia", "member"), ("tom", "steward")):
        bird.admin.add_member(name, role=role)
    mia, tom = (
        bird.acting(
            Who(
                f"member:{name}", "member", person=name, role=role, most="normal", local=False,
                wide=False, may_share=False,
            )
        )
        for name, role in (("mia", "member"), ("tom", "steward"))
    )  # fmt: skip
    before = bird.get(id).details
    mia.dispute(id, "that was last year")
    after = bird.get(id).details
    assert before is not None
    assert after is not None
    journey.go(f"/ui/m/{id}")
    assert "mia" in journey.text("h2 .bad-word")
    assert after.current_confidence == pytest.approx(0.8 * before.current_confidence, abs=0.01)
    journey.driver.find_element(
        By.CSS_SELECTOR, "form[action$='/do/say'] input[name=text]"
    ).send_keys("I shall ask", Keys.ENTER)
    journey.until(lambda: "I shall ask" in journey.text("main"))
    with pytest.raises(Denied):
        mia.close_dispute(id, "kept")
    tom.close_dispute(id, "kept", "asked: it holds")
    journey.go(f"/ui/m/{id}")
    assert journey.driver.find_elements(By.CSS_SELECTOR, "h2 .bad-word") == []
    assert "asked: it holds" in journey.text("main")
    bird.forget(id)


def test_a_link_of_an_agent_decides_nothing(journey: Journey, bird: Bowerbird) -> None:
    id = bird.remember("The lamps are green", review="an agent was not sure").id
    journey.driver.delete_all_cookies()
    journey.go(f"/ui/enter?to=/ui/review/{id}#{journey.pages.key(person=False)}")
    journey.until(lambda: journey.path() == f"/ui/review/{id}")
    journey.press("c")
    assert journey.driver.find_elements(By.CSS_SELECTOR, "[data-key=c]") == []
    # Nor does the form of a page that it may send, for another verb.
    journey.go(f"/ui/m/{id}/wrong")
    journey.browser.run(
        "const form = document.querySelector('form.tall'); form.action = '/ui/do/review';"
        "const field = document.createElement('input'); field.name = 'verdict';"
        "field.value = 'confirm'; form.append(field); form.submit()"
    )
    journey.until(lambda: "Only a session that a person opened" in journey.text(".notice"))
    assert bird.get(id).review
    journey.enter()


def test_the_last_rows_are_reached_page_by_page(journey: Journey, bird: Bowerbird) -> None:
    for number in range(53):
        bird.remember(f"Pallet {number} stands in row {number * 3 + 1}", tags=["pallet"])
    journey.go("/ui/memories?q=tag%3Apallet")
    seen: list[str] = []
    while True:
        seen += journey.rows()
        if not journey.driver.find_elements(By.CSS_SELECTOR, "[rel=next]"):
            break
        where = journey.path()
        journey.press_on("[rel=next]")
        journey.until(lambda: journey.path() != where)  # noqa: B023 it is called at once
    assert len(seen) == len(set(seen)) == 53
    assert journey.text("h1 small") == "53"
    last = journey.path()
    journey.press_on("tbody tr:last-child a")
    journey.until(lambda: journey.path().startswith("/ui/m/"))
    journey.driver.back()
    journey.until(lambda: journey.path() == last)
    journey.press_on("[rel=first]")
    journey.until(lambda: "after=" not in journey.path())
    assert journey.rows()[0] == seen[0]


def test_an_answer_quotes_memory_and_nonsense_has_none(journey: Journey) -> None:
    # The page begins in its field, so that letters are no keys.
    journey.go("/ui/ask")
    journey.press(*"why do the checkout tests time out", Keys.ENTER)
    journey.until(lambda: journey.driver.find_elements(By.CSS_SELECTOR, "blockquote"))
    assert KEPT in journey.text(".answer")
    assert "gotcha" in journey.text(".answers").lower()
    journey.go("/ui/ask?q=qzxv+wobbling+frumious")
    assert journey.text().count("Nothing") == 1


def test_a_dead_end_says_so_and_more_than_five_sources_collapse(
    journey: Journey, bird: Bowerbird
) -> None:
    for number in range(7):
        bird.remember(f"Crane {number} in hall {number * 3} lifts {number + 2} pallets of tiles")
    journey.go("/ui/ask?q=mocking+Redis+in+CI")
    dead = journey.driver.find_element(By.CSS_SELECTOR, ".answer.dead .chip.dead")
    assert dead.text.lower().startswith("dead end")
    assert DEAD_END.removeprefix("Dead end: ") in journey.text(".answer.dead blockquote")
    journey.go("/ui/ask?q=which+crane+lifts+pallets+of+tiles")
    shown = [
        one
        for one in journey.driver.find_elements(By.CSS_SELECTOR, ".answer")
        if one.is_displayed()
    ]
    assert len(shown) == 5
    journey.press_on("details summary")
    shown = [
        one
        for one in journey.driver.find_elements(By.CSS_SELECTOR, ".answer")
        if one.is_displayed()
    ]
    assert len(shown) >= 7
    where = journey.path()
    wrong = journey.driver.find_element(By.CSS_SELECTOR, ".answer .chip .flag")
    id = str(wrong.get_attribute("href")).partition("/m/")[2].partition("/")[0]
    wrong.click()
    journey.until(lambda: journey.path().startswith(f"/ui/m/{id}/wrong"))
    journey.press_on("[value=over]")
    journey.driver.find_element(By.ID, "why").send_keys("it was sold")
    journey.press_on("button.main")
    journey.until(lambda: journey.path() == where)
    assert id not in journey.driver.page_source.partition("<main")[2]
    assert bird.get(id).state == "deprecated"
    journey.press("z")
    journey.until(lambda: "Undone" in journey.text(".notice"))
    assert (bird.get(id).state, bird.get(id).review) == ("active", "")


def test_three_that_were_wrong_in_a_session_offer_a_step_back(
    journey: Journey, bird: Bowerbird
) -> None:
    session = SESSIONS[1][0]
    ids = [bird.remember(f"Bay {number} is swept on day {number + 1}").id for number in range(3)]
    for id in ids:
        journey.go(f"/ui/m/{id}/wrong?session={session}")
        journey.press_on("[value=over]")
        journey.driver.find_element(By.ID, "why").send_keys("not since spring")
        journey.press_on("button.main")
        journey.until(lambda: journey.driver.find_elements(By.CSS_SELECTOR, ".notice"))
    assert "not since spring" in bird.history(ids[0]).events[-1].reason
    offer = "form[action$='/do/level'] button.plain"
    journey.press_on(offer)
    journey.until(lambda: journey.driver.find_elements(By.CSS_SELECTOR, offer) == [])
    journey.go("/ui/")
    assert journey.driver.find_elements(By.CSS_SELECTOR, offer) == []


def test_what_a_session_taught_is_settled_at_once(journey: Journey, bird: Bowerbird) -> None:
    session = SESSIONS[0][0]
    agent = bird.acting(Who(AGENT, AGENT))
    ids = [
        agent.remember(
            f"Ramp {number} takes {number + 3} tons",
            review="an agent was not sure",
            session=session,
        ).id
        for number in range(4)
    ]
    journey.go(f"/ui/s/{session}")
    for id in ids[:3]:
        assert journey.driver.find_element(By.NAME, f"verdict-{id}").is_selected()
    journey.press_on(f"[name='verdict-{ids[3]}'][value=reject]")
    journey.press_on("form.tall button.main")
    journey.until(lambda: journey.driver.find_elements(By.CSS_SELECTOR, ".notice"))
    assert [bird.get(id).state for id in ids] == ["active"] * 3 + ["deleted"]
    assert not any(bird.get(id).review for id in ids[:3])


def test_a_preview_tells_of_a_secret_and_of_what_is_close(journey: Journey) -> None:
    journey.go("/ui/")
    journey.press("n")
    journey.until(lambda: journey.path().startswith("/ui/teach"))
    text = f"{KEPT.replace('30', '90')}, says the bot with {TOKEN}"
    journey.driver.find_element(By.ID, "text").send_keys(text)
    journey.press_on("button:not(.main)[formaction$=preview]")
    journey.until(lambda: "secret" in journey.text("[aria-labelledby=foreseen]"))
    assert KEPT in journey.text("[aria-labelledby=foreseen]")
    assert TOKEN not in journey.text("[aria-labelledby=foreseen]")
    journey.press_on("button.main")
    journey.until(lambda: "1 secret was removed from it" in journey.text(".notice"))
    journey.press("z")
    journey.until(lambda: "Undone" in journey.text(".notice"))


def test_who_types_what_is_right_types_over_what_is_wrong(journey: Journey) -> None:
    journey.go(f"/ui/m/{journey.pages.shop.ids[KEPT]}/wrong")
    journey.until(lambda: journey.driver.switch_to.active_element.tag_name == "textarea")
    journey.press("No")
    field = journey.driver.switch_to.active_element
    assert field.get_property("value") == "No"
