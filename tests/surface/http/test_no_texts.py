"""What is no text, in every field of every route: refused with a remedy, and no fault of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from tests.surface.http.conftest import BASE

from bowerbird.surfaces.http.verbs import VERBS, Verb

if TYPE_CHECKING:
    from tests.surface.http.conftest import Server

ODD = ("\0", "a\0b", "\ud800", "x\udfffy", "file:\0", "file:\udc80")


def texts(verb: Verb) -> dict[str, list[Any]]:
    """Odd values for each field that takes a text, by its name in a request."""
    found: dict[str, list[Any]] = {"unheard": [*ODD]}
    for name, field in verb.ask.model_fields.items():
        takes = str(field.annotation)
        if "dict" in takes:
            found[name] = [made for odd in ODD for made in ({"k": odd}, {odd: 1})]
        elif "str" in takes or "Any" in takes:
            found[name] = [[odd] for odd in ODD] if "list" in takes else [*ODD]
    return found


def written(value: Any) -> str:
    return quote(value[0] if isinstance(value, list) else value, errors="surrogatepass")


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: f"{verb.method} {verb.name}")
def test_what_is_no_text_is_refused(server: Server, verb: Verb) -> None:
    path = BASE + verb.path.replace("{id}", "019a2f6c")
    for name, values in texts(verb).items():
        for value in values:
            if verb.method == "GET":
                said = server.ask("GET", f"{path}?{name}={written(value)}")
            else:
                said = server.ask("POST", path, {name: value})
            assert said.status == 400, (name, value, said.body)
            assert said.data["error_type"] == "BadInput"
            assert said.data["remedy"]


@pytest.mark.parametrize("id", ["%00", "019a2f6c%00", "%ed%a0%80", "%ff", "%0a"])
@pytest.mark.parametrize(
    "verb", [verb for verb in VERBS if "{id}" in verb.path], ids=lambda v: v.name
)
def test_an_id_that_is_no_text_leads_nowhere(server: Server, verb: Verb, id: str) -> None:
    said = server.ask("GET", BASE + verb.path.replace("{id}", id) + "?all_projects=true")
    assert said.status in (404, 422)
    assert said.data["remedy"]
