"""``bower dashboard``: what memory knows, why, and one key to put it right, in the browser.

It opens the pages of the running server, or starts one until Ctrl-C. The link works once, for a minute,
and is not printed: --print shows it, to be opened by hand. A session that a person opens from a terminal
may decide; one that an agent or a script opens may look and flag. A shortcut of an editor may open the
form about a file: `bower dashboard remember --file PATH`. It needs the extra `http`.
"""

import sys
import tempfile
import webbrowser
from html import escape
from http.client import HTTPException
from time import monotonic
from urllib.parse import urlencode

from bowerbird.core.errors import BadInput, Unreachable
from bowerbird.core.http import HttpServer
from bowerbird.core.who import USER
from bowerbird.daemon.address import published
from bowerbird.daemon.links import Links
from bowerbird.surfaces.cli.call import Call, Outcome
from bowerbird.surfaces.cli.caller import who
from bowerbird.surfaces.cli.page import emit
from bowerbird.surfaces.cli.table import load
from bowerbird.surfaces.fields import Field, Verb

EXAMPLES = (
    ("bower dashboard", "open it"),
    ("bower dashboard review", "what waits for review"),
    ("bower dashboard remember --file src/auth.py", "remember something about a file"),
    ("bower dashboard --print", "a link to open by hand"),
)
# Seconds in which a server has to answer that it is there.
_ANSWER_S = 2.0
# The pages by name, with their addresses.
_PAGES = {name: name for name in ("ask", "memories", "modules", "review", "sessions", "activity")}
_PAGES |= {"health": "", "remember": "teach"}
VERB = Verb(
    "dashboard",
    "Open memory in the browser: look, ask, review, remember",
    (
        Field(
            "page", "text", f"one of {', '.join(_PAGES)}", option=("PAGE",), words="?", default=""
        ),
        Field("file", "text", "with remember: the file it is about", metavar="PATH"),
        Field("print", "flag", "print the link instead of opening it", default=False),
        Field(
            "host", "text", "127.0.0.1 where the browser does not know names below localhost",
            metavar="HOST",
        ),
    ),
    group="Look after",
    order=1,
    renderer="serve",
)  # fmt: skip


def command(call: Call) -> Outcome:
    """Open it; start a server if none runs."""
    options = call.options
    if options.page and options.page not in _PAGES:
        raise BadInput(f"there is no page {options.page}", f"name one: {', '.join(_PAGES)}")
    if options.file and options.page != "remember":
        raise BadInput("--file is about what is remembered", "bower dashboard remember --file PATH")
    with call.open() as bird:
        store, project = bird.path, bird.project.uid
    try:
        _answering(published(store))
    except Unreachable:
        server = load("cli.commands.serve")
        found: Outcome = server.listen(
            call, began=lambda address: _began(call, store, address, project), port=0
        )
        return found
    link = _link(call, store, published(store), project)
    if options.print:
        return Outcome({"link": link})
    _open(call, link)
    return Outcome({"opened": True})


def _answering(address: str) -> None:
    """Raises Unreachable where a server was, and answers no more."""
    server = HttpServer(address)
    try:
        server.request("GET", "/health", None, {}, monotonic() + _ANSWER_S)
    except (OSError, HTTPException) as error:
        raise Unreachable(f"no server answers at {address}", "start one") from error
    finally:
        server.close()


def _began(call: Call, store: str, address: str, project: str) -> None:
    """Open the pages of the server that began here, or print the link: it goes on until Ctrl-C."""
    link = _link(call, store, address, project)
    if call.options.print:
        emit(sys.stdout, link + "\n")
    else:
        _open(call, link)


def _is_person() -> bool:
    caller = who(writes=True)
    return caller.actor == USER and caller.origin == USER


def _link(call: Call, store: str, address: str, project: str) -> str:
    """Mint a link."""
    options = call.options
    key = Links(store).mint(person=_is_person(), project=project)
    name = published(store, "dashboard")
    if options.host:
        name = f"{options.host}:{name.rpartition(':')[2]}"
        emit(sys.stderr, "a cookie of 127.0.0.1 goes to every server there, whatever its port\n")
    page = _PAGES[options.page or "health"]
    about = f"?{urlencode({'file': options.file})}" if options.file else ""
    to = urlencode({"to": f"/ui/{page}{about}"})
    return f"{address.partition('://')[0]}://{name}/ui/enter?{to}#{key}"


def _open(call: Call, link: str) -> None:
    """Open a link in the browser."""
    # Others can read the arguments of a browser: it is given a file that leads there.
    handle, path = tempfile.mkstemp(suffix=".html", prefix="bower-")
    with open(handle, "w", encoding="utf-8") as file:
        file.write(f'<!doctype html><meta http-equiv="refresh" content="0; url={escape(link)}">')
    opened = webbrowser.open("file://" + path)
    if not call.page.quiet:
        how = "opened in your browser" if opened else f"no browser was found: open {path}"
        whose = (
            ""
            if _is_person()
            else "; not from a person's terminal: it may look and flag, not decide"
        )
        emit(sys.stderr, f"{how}; the link works once, for a minute{whose}\n")
