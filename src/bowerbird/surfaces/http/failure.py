"""Errors as HTTP responses: a status, and a body with the message and its remedy."""

import json

from starlette.responses import Response

from bowerbird.core import errors
from bowerbird.core.errors import BowerbirdError
from bowerbird.daemon.indexing import UnderWay

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Refused(BowerbirdError):
    """A request that is refused, with an HTTP `status` and its `headers`."""

    def __init__(
        self, status: int, message: str, remedy: str, headers: "Mapping[str, str] | None" = None
    ) -> None:
        super().__init__(message, remedy)
        self.status = status
        self.headers = dict(headers or {})


# The status of the nearest base class applies.
_STATUS: "dict[type[BowerbirdError], int]" = {
    errors.BadConfig: 500,
    errors.UsageError: 422,
    errors.NotFound: 404,
    errors.Denied: 403,
    errors.StoreMissing: 404,
    errors.StoreBusy: 503,
    UnderWay: 409,
    errors.StoreOutdated: 503,
    errors.StoreNewer: 503,
    errors.StoreReadOnly: 503,
    errors.StoreReplaced: 503,
    errors.StoreLinked: 503,
    errors.StoreFull: 507,
    errors.ModelError: 503,
    errors.MissingExtra: 501,
    BowerbirdError: 500,
}
_DENIED = {401, 403}
_BUSY = {409, 429, 503, 504}
_OTHERS = {404: "NotFound"}
RETRY = {"Retry-After": "1"}


def status_of(error: BowerbirdError) -> int:
    """The HTTP status of an error."""
    if isinstance(error, Refused):
        return error.status
    return next(_STATUS[one] for one in type(error).__mro__ if one in _STATUS)


def name_of(error: BowerbirdError) -> str:
    """The name of the class in `core.errors` that a client raises for it."""
    if not isinstance(error, Refused):
        return next(one.__name__ for one in type(error).__mro__ if hasattr(errors, one.__name__))
    if error.status in _DENIED:
        return "Denied"
    if error.status in _BUSY:
        return "StoreBusy"
    return "BowerbirdError" if error.status == 500 else _OTHERS.get(error.status, "BadInput")  # noqa: PLR2004 of HTTP


def refusal(error: BowerbirdError) -> tuple[int, bytes, dict[str, str]]:
    """The status, the JSON and the headers of the response that reports an error."""
    body = {
        "error": error.message,
        "status": "error",
        "remedy": error.remedy,
        "error_type": name_of(error),
    }
    headers = error.headers if isinstance(error, Refused) else {}
    if isinstance(error, errors.StoreBusy) and not isinstance(error, UnderWay):
        headers = RETRY
    return status_of(error), json.dumps(body).encode(), headers


def failed(error: BowerbirdError) -> Response:
    """The response that reports an error."""
    status, body, headers = refusal(error)
    return Response(body, status, headers, "application/json")
