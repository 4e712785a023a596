"""The Team page and the threads of disputes, without script and in both languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.surface.web.shop import KEPT

from bowerbird import Bowerbird
from bowerbird.core.who import Who

if TYPE_CHECKING:
    from tests.surface.web.conftest import Pages


def test_a_person_looks_after_the_team_in_the_browser(pages: Pages) -> None:
    visit = pages.visit()
    id = pages.shop.ids[KEPT]
    with Bowerbird.open(pages.server.store, project="shop") as bird:
        alone = not bird.admin.team().members
        assert ("Nobody shares this store" in visit.page("/ui/team?p=shop")) is alone
        bird.edit(id, audience="team", origin="user")
        bird.admin.add_member("mia", role="steward")
        bird.admin.new_member_token("mia", label="laptop")
        mia = bird.acting(
            Who(
                "member:mia", "member", person="mia", role="steward", most="normal",
                local=False, wide=False, may_share=False,
            )
        )  # fmt: skip
        mia.dispute(id, "that was <b>last</b> year")
    page = visit.page("/ui/team?p=shop")
    for said in ("mia", "steward", "laptop", "that was &lt;b&gt;last&lt;/b&gt; year", id):
        assert said in page
    assert "disputed by" in visit.page(f"/ui/m/{id}?p=shop")
    done = visit.do("say", id=id, text="I shall ask", p="shop", back=f"/ui/m/{id}?p=shop")
    assert done.status == 303
    assert "I shall ask" in visit.page(f"/ui/m/{id}?p=shop")
    assert visit.do("close_dispute", id=id, verdict="kept", p="shop").status == 303
    page = visit.page("/ui/team?p=shop")
    assert "Nothing is disputed" in page
    assert visit.do("language", language="fr").status == 303
    page = visit.page("/ui/team?p=shop")
    assert "Rien n’est contesté" in page
    assert "responsable" in page


def test_who_only_looks_has_no_form_about_a_dispute(pages: Pages) -> None:
    looking = pages.visit(person=False)
    page = looking.page("/ui/team?p=shop")
    assert 'action="/ui/do/close_dispute"' not in page
