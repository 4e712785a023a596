"""A hook of another process, answered by one that has the store open."""

from contextlib import nullcontext

from bowerbird.core.config import Config
from bowerbird.core.events import Event
from bowerbird.hook import Hook
from bowerbird.hook.injecting import Injecting
from bowerbird.wiring.hooking import Hooking

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager
    from typing import Any

    from bowerbird.bird import Bowerbird
    from bowerbird.core.injected import Injection


def injection(bird: "Bowerbird", asked: "dict[str, Any]") -> "Injection | None":
    """What to inject at an event, as the hook's own process would select it.

    `asked` is what that process sent (`daemon.hook_wire`); `bird` is over the store that it named. Raises
    StoreError and BadConfig.
    """
    event = Event(**asked["event"])
    hooking = Hooking(Config.of(asked["config"]), asked["state"], bird.path)
    above = tuple(asked["above"])
    return Injecting(_Served(event, above, hooking, bird)).injection(asked["error"])


class _Served(Hook):
    """A hook whose process sent its event and settings."""

    def __init__(
        self, event: "Event", above: "Sequence[str]", hooking: Hooking, bird: "Bowerbird"
    ) -> None:
        super().__init__(event, {}, lambda: tuple(above), hooking)
        self._bird = bird

    def bird(self, settings: "dict[str, Any] | None" = None) -> "AbstractContextManager[Bowerbird]":
        """The open store with the settings of the hook's process, which does not close it."""
        config = self.hooking.config
        for key, value in (settings or {}).items():
            config = config.but(key, value, "flag")
        return nullcontext(self._bird.under(config, self.event.cwd))
