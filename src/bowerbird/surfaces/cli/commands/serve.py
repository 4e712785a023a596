"""``bower serve``: the verbs over HTTP, for programs that hold a token.

Listens on loopback at port 8787; --port 0 uses any free port and records it for clients. The user's
token is in a file that only its owner can read; agents get their own with --new-token, which prints
it once and stores a hash. On SIGTERM it finishes requests in progress and ends; on SIGUSR2 it then
begins again with the code and settings of now, at the same socket. It needs the extra `http`, and
serves /mcp too. See docs/HTTP.md.
"""

import sys

from bowerbird.core.errors import BadInput, MissingExtra
from bowerbird.core.when import interval
from bowerbird.daemon.tokens import Tokens
from bowerbird.host.installed import adding
from bowerbird.surfaces.cli.call import Call, Outcome
from bowerbird.surfaces.cli.page import emit
from bowerbird.surfaces.cli.table import load
from bowerbird.surfaces.fields import Field, Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


EXAMPLES = (
    ("bower serve", "at http://127.0.0.1:8787"),
    ("bower serve --port 0 --index ~/notes --index-interval 15m", "and keep a folder indexed"),
    ("bower serve --workers 4", "questions on four cores; writes one after another"),
    ("bower serve --new-token ci --read-only --only shop", "a token that reads one project"),
    ("bower serve --list-tokens", "tokens and their rights"),
    ("bower serve --revoke-token ci", "revoke one"),
)


def _field(name: str, shape: str, group: str, meaning: str, **more: "Any") -> Field:
    return Field(name, shape, meaning, group=group, **more)


# What makes a token safe on its way to whatever listens.
SAFE = (
    _field("certfile", "text", "where", "certificate for TLS, PEM", metavar="FILE"),
    _field("keyfile", "text", "where", "its key, PEM", metavar="FILE"),
    _field(
        "behind_proxy", "flag", "where", "a proxy in front of it terminates TLS", default=False
    ),
    _field(
        "allow_host", "texts", "where",
        "a host name to accept, with its port unless usual", metavar="NAME", whole=True,
    ),
)  # fmt: skip
_MEANWHILE = "meanwhile"
_TOKENS = "tokens and their rights"
VERB = Verb(
    "serve",
    "Serve the verbs over HTTP, for programs with a token",
    (
        _field("host", "text", "where", "default 127.0.0.1", metavar="HOST"),
        _field("port", "whole", "where", "default 8787; 0: any", metavar="N"),
        *SAFE,
        _field(
            "workers", "whole", "where",
            "processes that answer questions (default 1: the server itself)", metavar="N",
        ),
        _field(
            "index", "texts", _MEANWHILE, "index this at the start", metavar="PATH", whole=True
        ),
        _field(
            "index_interval", "text", _MEANWHILE, "and again at this interval: 90s, 15m, 24h, 7d",
            metavar="TIME",
        ),
        _field(
            "prune_interval", "text", _MEANWHILE,
            "prune faded memories at this interval (default 24h; off: never)", metavar="TIME",
        ),
        _field(
            "consolidate_interval", "text", _MEANWHILE,
            "sum up memories that say the like at this interval (default off), as bower consolidate",
            metavar="TIME",
        ),
        _field(
            "warm_interval", "text", _MEANWHILE,
            "embed entries without vectors at this interval (default 5m; off: never)",
            metavar="TIME",
        ),
        _field("new_token", "text", _TOKENS, "make a token for an agent", metavar="NAME"),
        _field("read_only", "flag", _TOKENS, "it may not write", default=False),
        _field("only", "texts", _TOKENS, "it is for this project", metavar="PROJECT", whole=True),
        _field("list_tokens", "flag", _TOKENS, "show the agents' tokens", default=False),
        _field("revoke_token", "text", _TOKENS, "revoke a token", metavar="NAME"),
    ),
    group="Connect",
    order=3,
)  # fmt: skip


def command(call: Call) -> Outcome:
    """Serve, or look after the tokens."""
    options = call.options
    managed = (options.new_token, options.list_tokens, options.revoke_token)
    if sum(one not in {None, False} for one in managed) > 1:
        raise BadInput(
            "only one option on tokens can be given", "create, list or revoke: one at a time"
        )
    if any(one not in {None, False} for one in managed):
        return _manage(call)
    if options.read_only or options.only:
        raise BadInput(
            "--read-only and --only are about a token", "give --new-token NAME with them"
        )
    if options.workers is not None and options.workers < 1:
        raise BadInput(f"--workers is {options.workers}", "give the number of your cores, or 1")
    how = {"host": options.host, "port": options.port, "workers": options.workers}
    return listen(
        call,
        **{name: one for name, one in how.items() if one is not None},
        folders=tuple(options.index or ()),
        interval=_every("--index-interval", options.index_interval or "off"),
        prune_interval=_every("--prune-interval", options.prune_interval or "24h"),
        consolidate_interval=_every(
            "--consolidate-interval", options.consolidate_interval or "off"
        ),
        warm_interval=_every("--warm-interval", options.warm_interval or "5m"),
    )


def listen(call: Call, began: "Callable[[str], object] | None" = None, **how: "Any") -> Outcome:
    """Serve until it is asked to end; `how` are fields of `Serving`, `began` is told the address."""
    options = call.options
    try:
        server = load("http.serve")
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.partition(".")[0] == "bowerbird":
            raise
        raise MissingExtra(f"serving needs the package {error.name}", adding("http")) from error
    serving = server.Serving(
        options.store,
        certfile=getattr(options, "certfile", None),
        keyfile=getattr(options, "keyfile", None),
        behind_proxy=getattr(options, "behind_proxy", False),
        allowed=tuple(getattr(options, "allow_host", None) or ()),
        project=options.project,
        quiet=options.quiet,
        **how,
    )

    def announce(address: str, token: str) -> None:
        _announce(call, address, token)
        if began is not None:
            began(address)

    address = server.serve(serving, announce)
    return Outcome({"address": address, "stopped": True})


def _announce(call: Call, address: str, token: str) -> None:
    """Its address and where its token is, once it accepts requests; the token is never printed."""
    if not call.page.quiet:
        emit(sys.stderr, f"serving {address}; the token is in {token}; Ctrl-C ends it\n")


def _every(option: str, given: str) -> float | None:
    """Seconds of a time such as 15m; None for off. Raises BadInput."""
    return None if given == "off" else interval(option, given)


def _manage(call: Call) -> Outcome:
    """Make, list or revoke tokens."""
    options = call.options
    with call.open() as bird:
        tokens = Tokens(bird.path)
        only = [*(options.only or ()), *filter(None, [options.project])]
        named = [bird.within(name) for name in only]
        uids = tuple(dict.fromkeys(one.project.uid for one in named))
        notes = [note for one in named for note in map(str, one.project_notes())]
    data: dict[str, Any] = {}
    if options.new_token is not None:
        token = tokens.make(options.new_token, read_only=options.read_only, projects=uids)
        data = {"token": token, "name": options.new_token.strip()}
        data |= {"read_only": options.read_only, "projects": list(uids)}
    elif options.revoke_token is not None:
        tokens.revoke(options.revoke_token)
        data = {"revoked": options.revoke_token}
    else:
        known = [one.raw_dict() | {"projects": list(one.projects)} for one in tokens.named()]
        hidden = {"hash", "role", "trust"}
        data = {"tokens": [{k: v for k, v in one.items() if k not in hidden} for one in known]}
    return Outcome(data, notes=tuple(notes))
