"""Records what requests to embedders and rerankers took, beside the store, for `status` and `doctor`."""

from bowerbird.core.model_use import ANSWERED, FAILED, Use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bowerbird.core.clock import Clock
    from bowerbird.core.config import Config
    from bowerbird.storage.model_use import ModelUses


def counted_as(role: str, config: "Config") -> str:
    """By what name the requests to a role's model are recorded."""
    return f"{config[f'{role}.provider']} {config[f'{role}.model']}".strip()


def counting(
    role: str, config: "Config", uses: "ModelUses", clock: "Clock"
) -> "Callable[[int, float, str], None]":
    """What tells `uses` the tokens and dollars of a request of a role, or its error."""
    model = counted_as(role, config)

    def counted(tokens: int, dollars: float, error: str) -> None:
        kind = FAILED if error else ANSWERED
        uses.note(Use(clock(), kind, model, role, tokens, 0, dollars, error))

    return counted
