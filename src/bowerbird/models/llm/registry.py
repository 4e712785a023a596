"""Language models by the settings of `llm`, each imported when it is chosen."""

from bowerbird.core.errors import BadConfig, UnknownName
from bowerbird.core.thinking import FAST, LITE, PRO

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from bowerbird.core.clock import Clock
    from bowerbird.core.config import Config
    from bowerbird.core.ports.thinking import LanguageModel
    from bowerbird.guard.redact import Allow
    from bowerbird.models.llm.limits import Uses
    from bowerbird.models.llm.tiers import Tiers

GGUF = "gguf"
COMMAND = "command"
# The providers of servers that have a language model.
SERVERS = ("openai", "compatible", "ollama", "gemini", "anthropic", "cloudflare")
# Providers of this machine, whose models another tier may name: ``ollama/qwen3:1.7b``.
_LOCAL = ("ollama", GGUF)
_GIVEN = ("endpoint", "key", "timeout", "context")
# The setting of each tier's model; the fast one is done by `llm.model`, and so is a tier without its own.
_TIERS = ((FAST, "llm.model"), (LITE, "llm.lite"), (PRO, "llm.pro"))


def thinker(
    config: "Config", uses: "Uses", allow: "Allow", clock: "Clock", environment: "Mapping[str, str]"
) -> "Tiers | None":
    """The configured models; None if there are none. `environment` is that of the user's own command.

    Raises BadConfig and UnknownName.
    """
    if not config["llm.provider"]:
        return None
    from bowerbird.models.llm.limits import Limits
    from bowerbird.models.llm.prices import price
    from bowerbird.models.llm.tiers import Tiers

    models = {
        tier: language_model(config, config[key], key, environment)
        for tier, key in _TIERS
        if config[key] or tier == FAST
    }
    limits = Limits(
        uses,
        clock,
        tokens=config["llm.daily_tokens"],
        dollars=config["llm.daily_dollars"],
        patience=config["llm.timeout"],
    )
    return Tiers(models, limits, allow, config["llm.timeout"], price(config["llm.price"]))


def language_model(
    config: "Config", model: str, key: str, environment: "Mapping[str, str]"
) -> "LanguageModel":
    """One model by its name, given by the setting `key`. Raises BadConfig and UnknownName."""
    provider = config["llm.provider"]
    named, slash, rest = model.partition("/")
    elsewhere = bool(slash) and named in _LOCAL and named != provider and key != "llm.model"
    if elsewhere:
        provider, model = named, rest
    if provider == COMMAND:
        from bowerbird.models.llm.command import CommandModel

        return CommandModel(config["llm.command"], environment)
    if provider not in (GGUF, *SERVERS):
        return _plugged(provider, model, config)
    if not model and provider == "ollama":
        from bowerbird.models.automatic import all_memory, writer

        model = writer(all_memory())
    if not model:
        raise BadConfig("llm.model is not set", f"name a model that {provider} has")
    if provider == GGUF:
        from bowerbird.models.llm.gguf import GgufModel

        return GgufModel(model, config["llm.context"])
    from bowerbird.models.llm.remote import RemoteModel
    from bowerbird.models.providers import endpoint

    # The address and the key are those of `llm.provider`: no other provider gets them.
    address, secret = ("", "") if elsewhere else (config["llm.endpoint"], config["llm.key"])
    return RemoteModel(
        provider, model, endpoint(provider, "llm", address, secret), config["llm.context"]
    )


def _plugged(provider: str, model: str, config: "Config") -> "LanguageModel":
    from bowerbird.core.plugins import LANGUAGE_MODELS
    from bowerbird.host.plugins import names

    known = names(LANGUAGE_MODELS)
    if provider not in known:
        every = [*SERVERS, GGUF, COMMAND, *known]
        raise UnknownName.among("provider of language models", provider, every)
    from bowerbird.models.llm.plugged import PluggedModel

    settings = {one: config[f"llm.{one}"] for one in _GIVEN}
    return PluggedModel(provider, {"model": model, **settings})
