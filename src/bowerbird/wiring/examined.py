"""What `doctor` looks at: the program and the store, whose files are believed, and every setting."""

from bowerbird.core.config import SETTINGS
from bowerbird.core.errors import BadConfig
from bowerbird.core.health import PROBLEM, Finding
from bowerbird.storage.doctor import examine
from bowerbird.wiring.reach import allowed
from bowerbird.wiring.rescuing import losses

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.core.config import Config
    from bowerbird.wiring.believed import Trusting
    from bowerbird.wiring.opened import Opened


def examined(
    config: "Config",
    opened: "Opened",
    trusting: "Trusting",
    *,
    secrets: bool,
) -> "Iterator[Finding]":
    """What may be wrong; nothing is changed."""
    find = None
    if secrets:
        from bowerbird.guard.secrets import find as find_secrets

        def find(text: str) -> "Iterator[str]":
            return (found.kind for found in find_secrets(text))

    yield Finding("store", opened.path)
    yield from examine(opened.backend, opened.path, opened.reader, opened.embedder, find)
    yield from trusting.findings()
    yield from losses(opened.clock)
    for setting in SETTINGS:
        value = config[setting.key]
        told = "…" if setting.secret else value
        shown = f"{setting.key} = {told}" if value != "" else f"{setting.key} is not set"
        yield Finding("setting", shown, origin=config.place(setting.key))
    try:
        allowed(config)
    except BadConfig as error:
        yield Finding("configuration", error.message, PROBLEM, error.remedy)
