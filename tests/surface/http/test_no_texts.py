"""What is no text, in every field of every route: refused with a remedy, and no fault of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from tests.surface.http.conftest import BASE

from bowerbird.surfaces.fields import HTTP, Verb
from bowerbird.surfaces.http.service import SERVED

if TYPE_CHECKING:
    from tests.surface.http.conftest import Server

ODD = ("\0", "a\0b", "\ud800", "x\udfffy", "file:\0", "file:\udc80")


def texts(verb: Verb) -> dict[str, list[Any]]:
    """Odd values for each field that takes a text, by its name in a request."""
    found: dict[str, list[Any]] = {"unheard": [*ODD]}
    for field in verb.at(HTTP):
        if field.shape == "data":
            found[field.called("http")] = [made for odd in ODD for made in ({"k": odd}, {odd: 1})]
        elif field.shape.rstrip("?") in {"text", "texts", "when"}:
            found[field.called("http")] = (
                [[odd] for odd in ODD] if field.shape == "texts" else [*ODD]
            )
    return found


def written(value: Any) -> str:
    return quote(value[0] if isinstance(value, list) else value, errors="surrogatepass")


@pytest.mark.parametrize(
    "verb",
    [verb for verb, _ in SERVED],
    ids=lambda verb: f"{(verb.route or ('', ''))[0]} {verb.name}",
)
def test_what_is_no_text_is_refused(server: Server, verb: Verb) -> None:
    path = BASE + (verb.route or ("", ""))[1].replace("{id}", "019a2f6c")
    for name, values in texts(verb).items():
        for value in values:
            if (verb.route or ("", ""))[0] == "GET":
                said = server.ask("GET", f"{path}?{name}={written(value)}")
            else:
                said = server.ask("POST", path, {name: value})
            assert said.status == 400, (name, value, said.body)
            assert said.data["error_type"] == "BadInput"
            assert said.data["remedy"]


@pytest.mark.parametrize("id", ["%00", "019a2f6c%00", "%ed%a0%80", "%ff", "%0a"])
@pytest.mark.parametrize(
    "verb",
    [verb for verb, _ in SERVED if "{id}" in (verb.route or ("", ""))[1]],
    ids=lambda v: v.name,
)
def test_an_id_that_is_no_text_leads_nowhere(server: Server, verb: Verb, id: str) -> None:
    said = server.ask(
        "GET", BASE + (verb.route or ("", ""))[1].replace("{id}", id) + "?all_projects=true"
    )
    assert said.status in (404, 422)
    assert said.data["remedy"]
