"""What `doctor` checks: the program and the store, whose files are trusted, and every setting."""

import os

from bowerbird.core.config import SETTINGS
from bowerbird.core.errors import BadConfig, BowerbirdError, ModelError, UsageError
from bowerbird.core.health import HOOKS, OK, PROBLEM, WARNING, Finding
from bowerbird.core.life import DAY
from bowerbird.core.plugins import METHODOLOGIES
from bowerbird.core.value import Advice, Do, iso
from bowerbird.host.foreign import whole
from bowerbird.host.places import HANDED, folder
from bowerbird.sessions.learn.scratchpad import SUFFIX as SCRATCHPAD
from bowerbird.sessions.observe.health import FOLDER as HOOKS_FOLDER
from bowerbird.sessions.observe.health import UNKNOWN, health
from bowerbird.sessions.observe.journal import SUFFIX as JOURNAL
from bowerbird.verbs.doctor import examine
from bowerbird.verbs.graph_health import gauged
from bowerbird.verbs.plugins import installed
from bowerbird.verbs.rescuing import losses
from bowerbird.wiring.methodologies import methodology
from bowerbird.wiring.reach import allowed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.core.config import Config
    from bowerbird.verbs.folder_trust import Trusting
    from bowerbird.wiring.opened import Opened

# Files beside a store that hold lines, by suffix: what hooks noted, the copies that they ask, uses.
_SIDE_FILES = (".noted", ".noted.taken", ".external", ".outcomes", ".usage", ".usage.taken", HANDED)
# Bytes of one; the largest, what was noted, has at most 16 MB.
_LARGEST = 64_000_000
# Days for which a hook failure is reported.
_RECENT = 7
# Days of which the hooks that were late are counted.
_LATELY = 3


def examined(
    config: "Config", opened: "Opened", trusting: "Trusting", *, secrets: bool
) -> "Iterator[Finding]":
    """Yields what may be wrong. Changes nothing."""
    find = None
    if secrets:
        from bowerbird.guard.secrets import find as find_secrets

        def find(text: str) -> "Iterator[str]":
            return (found.kind for found in find_secrets(text))

    yield Finding("store", opened.path)
    yield from examine(
        opened.backend,
        opened.path,
        opened.reader,
        opened.embedder,
        find,
        lambda: _beside(opened.path),
    )
    yield from gauged(opened)
    yield from trusting.findings()
    yield from losses(opened.clock)
    yield from _hooks(opened.clock())
    yield from _models(opened)
    yield from _plugins(config)
    for setting in SETTINGS:
        value = config[setting.key]
        shown_value = "…" if setting.secret else value
        shown = f"{setting.key} = {shown_value}" if value != "" else f"{setting.key} is not set"
        yield Finding("setting", shown, origin=config.set_by(setting.key))
    try:
        allowed(config)
    except BadConfig as error:
        yield Finding("configuration", error.message, PROBLEM, error.remedy)
    try:
        methodology(config)
    except BadConfig as error:
        detail = f"{error.message}; native is used instead"
        yield Finding("configuration", detail, WARNING, error.remedy)


def _beside(store: str) -> "Iterator[tuple[str, str]]":
    """The lines of the files that hooks and readers write beside a store, each with its file."""
    paths = [store + one for one in _SIDE_FILES]
    for above in (
        store + JOURNAL,
        store + SCRATCHPAD,
        os.path.join(folder("state", os.environ), HOOKS_FOLDER),
    ):
        paths += [os.path.join(at, name) for at, _, names in os.walk(above) for name in names]
    for path in paths:
        try:
            data = whole(path, _LARGEST)
        except (OSError, ValueError):
            continue  # there is none, or it is no file of lines
        for line in data.decode("utf-8", "replace").splitlines():
            yield os.path.basename(path), line


def _models(opened: "Opened") -> "Iterator[Finding]":
    """Reports which models are asked, and what leaves the machine for them."""
    from bowerbird.wiring.model_roles import roles, uses_today

    try:
        uses = uses_today(opened.language(), opened.clock())
    except BowerbirdError:
        uses = []  # the store's own checks report what is wrong with it
    try:
        found = roles(opened.embedding(), opened.language(), uses)
    except (UsageError, ModelError) as error:
        yield Finding("models", error.message, PROBLEM, error.remedy)
        return
    for one in found:
        yield Finding(
            "models",
            f"{one.line()}; without it {one.instead} answer",
            WARNING if one.error else OK,
            one.error,
        )


def _plugins(config: "Config") -> "Iterator[Finding]":
    """Reports what other packages add, and what of it cannot be used."""
    for one in installed(config):
        if one.error and one.chosen and one.group == METHODOLOGIES:
            continue  # reported with what is used instead
        if one.error:
            yield Finding("plug-in", one.error, WARNING, one.remedy)
        else:
            used = " (in use)" if one.chosen else ""
            detail = f"{one.group}: {one.name} {one.version} of {one.package}: {one.gives}{used}"
            yield Finding("plug-in", detail)


def _hooks(now: int) -> "Iterator[Finding]":
    """Reports when each agent's hooks last fired and last failed."""
    for one in health(folder("state", os.environ)):
        detail = f"{one.agent}: last fired {iso(one.at)} ({one.event})" if one.at else one.agent
        missed = sum(now - at < _LATELY * DAY for at in one.missed)
        if missed:
            times = "once" if missed == 1 else f"{missed} times"
            detail += f"; {times} in {_LATELY} days an event got nothing"
        if one.failed_at:
            detail += f"; last failure {iso(one.failed_at)} ({one.failed}): {one.why}"
        failing = bool(missed) or (now - one.failed_at < _RECENT * DAY and not one.late)
        remedy = (
            "the machine was busy; on one that is slow set BOWER_HOOK_PATIENCE=3, or let a process answer"
            " that stays: bower mcp in the agent, or bower watch"
            if one.late
            else "correct what called it; bower hook --help lists the agents"
            if one.agent == UNKNOWN
            else Advice(
                "fix what is reported above about the store; if there is nothing: ",
                Do("install", one.agent, no_hooks=True),
                ", and report it",
            )
        )
        level = WARNING if failing else OK
        yield Finding(HOOKS, detail, level, remedy if failing else "", one.agent)
