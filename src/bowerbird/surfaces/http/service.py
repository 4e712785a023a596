"""The served verbs: determines the project of a request, and words advice in terms of HTTP.

Requests never name paths on the disk: reads come from the store, and `index` accepts only the folders
that the server was started with, by their names.
"""

from urllib.parse import urlencode

from bowerbird.core.types import GLOBAL
from bowerbird.core.value import Advice
from bowerbird.surfaces.fields import HTTP, every
from bowerbird.surfaces.http.failure import Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.core.value import Do
    from bowerbird.daemon.tokens import Token
    from bowerbird.surfaces.fields import Verb

    Data = dict[str, Any]

BASE = "/api/v1"
# The served verbs with their modules.
SERVED = tuple((one.VERB, one) for one in every() if one.VERB.route is not None)
_ROUTES: "dict[str, Verb]" = {verb.name: verb for verb, _ in SERVED}
# Request fields that apply to any verb, in addition to its own.
REACH = ("project", "session", "all_projects")


def project_of(given: "Data", token: "Token", reach: str) -> tuple[str, bool]:
    """The project of a request, and whether it reaches beyond that. Raises Refused if it has none.

    `reach` is that of its verb.
    """
    beyond = given.get("all_projects") or given.get("everywhere")
    if token.role and beyond:
        raise Refused(403, "a member of the team names one project", "give project: its name")
    if not reach or beyond:
        return GLOBAL.name, True
    if given.get("project") is not None:
        return given["project"], False
    if len(token.projects) == 1:
        return token.projects[0], False
    if reach == "nowhere":
        return GLOBAL.name, False
    raise Refused(
        422, "no project is named", "give project: its name or uid, or all_projects: true"
    )


def words(message: str, secret: str = "") -> str:
    """Advice in terms of HTTP; `secret` is the store's path, which is removed."""
    text = message.by(_request) if isinstance(message, Advice) else message
    return text.replace(secret, "the store") if secret else text


def _request(do: "Do") -> str:
    """The request for a verb; a verb that is not served is named as a command."""
    verb = _ROUTES.get(do.verb)
    if verb is None or verb.route is None:
        return do.command()
    method, path = verb.route
    if "{id}" in path:
        return f"{method} {BASE}{path.replace('{id}', do.arguments[0] if do.arguments else 'ID')}"
    known = {field.name: field.called(HTTP) for field in verb.at(HTTP)}
    if method == "GET" and do.named and not do.arguments and do.named.keys() <= known.keys():
        given = urlencode({known[name]: value for name, value in do.named.items()})
        return f"{method} {BASE}{path}?{given}"
    more = " with" if do.arguments or do.named else ""
    return verb.names(do, HTTP, f"{method} {BASE}{path}{more}")
