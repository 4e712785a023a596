"""Who computes what: per role the model, where it runs, what leaves the machine, and what today cost."""

from bowerbird.core.life import DAY
from bowerbird.core.model_use import ANSWERED, FAILED, NOT_LANGUAGE, ModelRole
from bowerbird.models.providers import PROVIDERS, endpoint, is_local
from bowerbird.models.registry import LANGUAGE
from bowerbird.wiring.counting import counted_as

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.config import Config
    from bowerbird.core.model_use import Use
    from bowerbird.core.ports.thinking import LanguageModel
    from bowerbird.wiring.language import Language

_HERE = "this machine"
# Embedders and rerankers in files of this machine.
_FILES = frozenset(("builtin", "contextual", "onnx", "gguf"))
# What each role is sent, and what answers without it.
_TEXTS = "texts of memories and passages, and questions"
_HITS = "questions, and the best texts that were found"
_ASKED = {
    "lessons": "what was typed and done in sessions",
    "judge": "pairs of memories",
    "consolidate": "memories on one subject",
}


def uses_today(language: "Language", now: int) -> "list[Use]":
    """What models were asked today. Raises StoreError where the store cannot be read."""
    return [*language.uses().since(now - now % DAY)]


def roles(config: "Config", language: "Language", uses: "Sequence[Use]") -> tuple[ModelRole, ...]:
    """The roles that have a model. Raises BadConfig and UnknownName for wrong settings."""
    found = [_role(config, "embed", _TEXTS, "words alone", uses)]
    # A language model that orders hits has a row of its own.
    if config["rerank.provider"] not in ("", LANGUAGE):
        found.append(_role(config, "rerank", _HITS, "the order of the ranking", uses))
    if config["llm.provider"]:
        found += _language(config, language, uses)
    return tuple(found)


def _role(config: "Config", role: str, sent: str, instead: str, uses: "Sequence[Use]") -> ModelRole:
    # Another model that did the same earlier today is not meant.
    own = [one for one in uses if one.task == role and one.model == counted_as(role, config)]
    failures = [one for one in own if one.kind == FAILED]
    return _placed(config, role, sent, instead).replace(
        requests=len(own),
        tokens=sum(one.read for one in own),
        cost=round(sum(one.cost for one in own), 6),
        failures=len(failures),
        # What has gone well since is no reason to warn.
        error=failures[-1].error if failures and own[-1].kind == FAILED else "",
    )


def _placed(config: "Config", role: str, sent: str, instead: str) -> ModelRole:
    provider = config[f"{role}.provider"]
    model = config[f"{role}.model"] if role == "embed" or provider in PROVIDERS else ""
    name = f"{provider} {model}".strip()
    if provider in _FILES:
        return ModelRole(role, name, _HERE, instead=instead)
    if provider not in PROVIDERS:
        return ModelRole(role, name, "a package", f"its package says: {sent}", instead)
    server = endpoint(provider, role, config[f"{role}.endpoint"], config[f"{role}.key"])
    here = is_local(server, model if provider == "ollama" else "")
    where = _HERE if here else _far(server.host, server.proxy)
    return ModelRole(role, name, where, "" if here else sent, instead)


def _far(host: str, proxy: str) -> str:
    return f"{host} by the proxy {proxy}" if proxy else host


def _language(config: "Config", language: "Language", uses: "Sequence[Use]") -> "list[ModelRole]":
    """A row for each model, with what is counted of it today."""
    sent = [_ASKED[one] for one in language.tasks()] + ["questions with --expand"]
    found: dict[str, ModelRole] = {}
    for tier, model in language.models().items():
        if model.name in found:
            continue
        own = [one for one in uses if one.model == model.name and one.task not in NOT_LANGUAGE]
        failures = [one for one in own if one.kind == FAILED]
        found[model.name] = ModelRole(
            f"llm {tier}",
            model.name,
            _place(model),
            "; ".join(sent) if model.remote else "",
            "the rules",
            sum(one.kind in (ANSWERED, FAILED) for one in own),
            sum(one.read + one.written for one in own),
            round(sum(one.cost for one in own), 6),
            config["llm.daily_tokens"],
            len(failures),
            failures[-1].error if failures else "",
        )
    return [*found.values()]


def _place(model: "LanguageModel") -> str:
    if not model.remote:
        return _HERE
    return getattr(model, "host", "") or "where its command sends it"
