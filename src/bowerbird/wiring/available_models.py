"""The models that could be used here: the package's, files, Ollama's, and those of the settings."""

import os
from importlib.util import find_spec

from bowerbird.core.errors import BadInput, ModelError, UnknownName, UsageError
from bowerbird.core.model_choice import EMBED, RERANK, WRITE, ModelChoice
from bowerbird.host.installed import adding
from bowerbird.host.places import folder
from bowerbird.models.automatic import (
    OLLAMA,
    all_memory,
    chosen,
    free_memory,
    ollama_models,
    writer,
)
from bowerbird.models.model_folder import GGUF, ONNX, model_at, model_files
from bowerbird.models.providers import PROVIDERS, endpoint, is_local
from bowerbird.models.registry import BUILTIN, CONTEXTUAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.config import Config
    from bowerbird.core.model_choice import Fetched
    from bowerbird.core.ports.progress import Progress
    from bowerbird.core.types import ModelIdentity
    from bowerbird.models.http import Endpoint

AUTO = "auto"
# The settings of each role.
PREFIXES = {EMBED: "embed", RERANK: "rerank", WRITE: "llm"}
# The library that runs a file of each sort, and the extra that brings it.
_NEEDS = {ONNX: ("onnxruntime", "onnx"), GGUF: ("xllamacpp", "gguf")}
# The package's models: name, dimensions, and the files of each.
_PACKAGED = (
    (BUILTIN, 256, ("static-256",)),
    (
        CONTEXTUAL,
        384,
        ("minilm-words", "minilm-layers", "minilm-sayings", "minilm-comparing", "minilm-telling"),
    ),
)


def models_folder() -> str:
    """Where files of models are looked for."""
    return os.path.join(folder("data", os.environ), "models")


def has_server(provider: str) -> bool:
    """Whether the settings of a provider may hold an address and a key."""
    return provider in PROVIDERS


def available(config: "Config") -> list[ModelChoice]:
    """Every model, those in use first. Asks a running Ollama."""
    found = [*_packaged(), *_files(), *_served(config)]
    for role, prefix in PREFIXES.items():
        provider, model = config[f"{prefix}.provider"], config[f"{prefix}.model"]
        if not provider:
            continue
        if role == WRITE and provider == OLLAMA and not model:
            model = writer(all_memory())
        at = next((at for at, one in enumerate(found) if _is(one, role, provider, model)), None)
        if at is None:
            found.append(_named(config, role, prefix, model))
        else:
            found[at] = found[at].replace(used=True, role=role)
    return sorted(found, key=lambda one: not one.used)


def named(config: "Config", name: str, role: str = "", address: str = "") -> ModelChoice:
    """The model of that name, for a role; without one for what it was made for.

    One that is not listed is a service's, and so is one with the `address` of a server. Raises
    UnknownName, BadInput, and ModelError if it cannot be used.
    """
    models = available(config)
    found = [one for one in models if name in (one.name, one.name.partition("/")[2])]
    provider, _, model = name.partition("/")
    service = provider in PROVIDERS and bool(model)
    if address:
        if not service:
            raise BadInput(f"{name} has no server", "take --endpoint out")
        return _of_service(config, provider, model, role, address)
    if not found:
        names = [one.name for one in models]
        if service and provider != OLLAMA:
            return _of_service(config, provider, model, role, "")
        if name.startswith(f"{OLLAMA}/") and not _served(config):
            raise ModelError(
                f"no Ollama answers at {_ollama(config).host}",
                f"start it, and: ollama pull {name.partition('/')[2]}; or set embed.endpoint",
            )
        raise UnknownName.among("model", name, [*names, AUTO])
    if found[0].note:
        raise ModelError(f"{name} cannot be used: {found[0].note}", "choose another: bower model")
    return found[0].replace(role=role or found[0].role)


def _of_service(config: "Config", provider: str, model: str, role: str, given: str) -> ModelChoice:
    """A model that a service has. Raises BadInput if nothing says what for, and BadConfig."""
    from bowerbird.models.embed.known import is_known
    from bowerbird.models.embed.wires import WIRES as EMBEDS
    from bowerbird.models.llm.registry import SERVERS
    from bowerbird.models.rerank.wires import WIRES as RERANKS

    serves = {EMBED: provider in EMBEDS, RERANK: provider in RERANKS, WRITE: provider in SERVERS}
    if role and not serves[role]:
        does = " and ".join(one for one, can in serves.items() if can)
        raise BadInput(f"{provider} has no models to {role}", f"it has some to {does}")
    if not role and serves[EMBED] and is_known(model):
        role = EMBED
    elif not role and serves[RERANK] and RERANK in model.lower():
        role = RERANK
    elif not role and sum(serves.values()) == 1:
        role = next(one for one, can in serves.items() if can)
    if not role:
        raise BadInput(
            f"{provider}/{model} may be for several things", "add --as embed, rerank or write"
        )
    prefix = PREFIXES[role]
    present = config[f"{prefix}.provider"]
    own = present == provider or not has_server(present)
    address, key = (config[f"{prefix}.{one}"] if own else "" for one in ("endpoint", "key"))
    local = is_local(endpoint(provider, prefix, given or address, key), "")
    name = f"{provider}/{model}"
    return ModelChoice(name, role, provider, model, local=local, endpoint=given)


def settings_of(choice: ModelChoice) -> "dict[str, str | None]":
    """What the configuration file says to use a model in its role; None takes a key out."""
    prefix = PREFIXES[choice.role]
    settings = {f"{prefix}.provider": choice.provider, f"{prefix}.model": choice.model or None}
    if choice.endpoint:
        settings[f"{prefix}.endpoint"] = choice.endpoint
    # They are another model's.
    return settings | ({"embed.dims": None} if choice.role == EMBED else {})


def of_another(config: "Config", choice: ModelChoice) -> list[str]:
    """The settings that are of the present server of a role, and that no other model may get."""
    prefix = PREFIXES[choice.role]
    present = config[f"{prefix}.provider"]
    if present == choice.provider or not has_server(present):
        return []
    return [key for key in (f"{prefix}.endpoint", f"{prefix}.key") if config[key]]


def with_model(config: "Config", choice: ModelChoice) -> "Config":
    """The settings with another model in its role."""
    prefix = PREFIXES[choice.role]
    for key in of_another(config, choice):
        config = config.but(key, "", AUTO)
    if choice.endpoint:
        config = config.but(f"{prefix}.endpoint", choice.endpoint, AUTO)
    changed = config.but(f"{prefix}.provider", choice.provider, AUTO).but(
        f"{prefix}.model", choice.model, AUTO
    )
    return changed.but("embed.dims", 0, AUTO) if choice.role == EMBED else changed


def automatic(config: "Config", stamped: "ModelIdentity | None") -> "tuple[Config, str]":
    """The settings of the model that `auto` takes, and why. `stamped` is that of the store's vectors.

    Raises ModelError if the store's model is not to be had here, or is on another machine.
    """
    if stamped is None:
        choice, why = chosen(_files(), lambda: _served(config), free_memory())
    else:
        choice, why = _stamped(config, stamped), "the store was embedded with it"
    return with_model(config, choice), why


def measured(config: "Config", choice: ModelChoice) -> list[float]:
    """What the bundled questions say of an embedder: the share found, and milliseconds a text.

    Raises ModelError.
    """
    from bowerbird.models.embed.measured import measured as measure
    from bowerbird.models.registry import embedder

    found = measure(embedder(config if choice.used else with_model(config, choice)))
    return [found.found, found.ms_per_text]


def fetch(name: str, sha256: str, progress: "Progress | None") -> "Fetched":
    """Download a model into the models folder. Raises BadInput and ModelError."""
    from bowerbird.models.fetch import fetched

    return fetched(name, sha256, models_folder(), progress)


def _stamped(config: "Config", identity: "ModelIdentity") -> ModelChoice:
    if identity.provider == BUILTIN:
        packaged = next((one for one, dims, _ in _PACKAGED if dims == identity.dims), CONTEXTUAL)
        return ModelChoice(packaged, EMBED, packaged)
    if identity.provider == OLLAMA:
        return ModelChoice(f"{OLLAMA}/{identity.name}", EMBED, OLLAMA, identity.name)
    for one in _files():
        if one.name == f"{identity.provider}/{identity.name}":
            return one
    if identity.provider in PROVIDERS and _is_here(config, identity):
        name = f"{identity.provider}/{identity.name}"
        return ModelChoice(name, EMBED, identity.provider, identity.name)
    if identity.provider in _NEEDS:
        where = f"{models_folder()} does not hold it"
        remedy = "put it there, or name it in embed.provider and embed.model"
    else:
        where = "auto sends no text to another machine"
        remedy = f"set embed.provider = {identity.provider} and embed.model = {identity.name}"
    remedy += "; or embed the store anew: bower model use builtin"
    raise ModelError(f"the store was embedded with {identity}, and {where}", remedy)


def _is_here(config: "Config", identity: "ModelIdentity") -> bool:
    """Whether the settings still have the address of that model's server, on this machine."""
    try:
        server = endpoint(identity.provider, "embed", config["embed.endpoint"], config["embed.key"])
    except UsageError:
        return False
    same = identity.revision.partition(",")[0].partition(" ")[0] == server.name
    return same and is_local(server, identity.name)


def _packaged() -> list[ModelChoice]:
    from bowerbird.models.embed.contextual import WEIGHTS

    return [
        ModelChoice(
            name,
            EMBED,
            name,
            dims=dims,
            size_bytes=sum(os.path.getsize(os.path.join(WEIGHTS, f"{one}.bin")) for one in files),
        )
        for name, dims, files in _PACKAGED
    ]


def _files() -> list[ModelChoice]:
    found = []
    for one in model_files(models_folder()):
        library, extra = _NEEDS[one.provider]
        lacks = not one.note and find_spec(library) is None
        found.append(one.replace(note=f"it needs a package: {adding(extra)}") if lacks else one)
    return found


def _served(config: "Config") -> list[ModelChoice]:
    try:
        server = _ollama(config)
    except UsageError:
        return []
    try:
        return ollama_models(server)
    except ModelError:
        return []  # it is not running
    finally:
        server.close()


def _ollama(config: "Config") -> "Endpoint":
    """Where Ollama is asked. Raises BadConfig."""
    address = config["embed.endpoint"] if config["embed.provider"] == OLLAMA else ""
    return endpoint(OLLAMA, "embed", address, "")


def _is(one: ModelChoice, role: str, provider: str, model: str) -> bool:
    if one.provider != provider:
        return False
    if provider in (BUILTIN, CONTEXTUAL):
        return role == EMBED
    path = os.path.abspath(os.path.expanduser(model)) if provider in _NEEDS else model
    return path in (one.model, one.model.removesuffix(":latest"))


def _named(config: "Config", role: str, prefix: str, model: str) -> ModelChoice:
    """A model that only the settings name."""
    provider = config[f"{prefix}.provider"]
    file = model_at(os.path.abspath(os.path.expanduser(model))) if provider in _NEEDS else None
    if file is not None:
        return file.replace(role=role, model=model, used=True)
    shown = os.path.basename(model.rstrip("/")) if provider in _NEEDS else model
    local, note = provider in _NEEDS, ""
    if provider in PROVIDERS:
        try:
            server = endpoint(
                provider, prefix, config[f"{prefix}.endpoint"], config[f"{prefix}.key"]
            )
            local = is_local(server, model if provider == OLLAMA else "")
        except UsageError as error:
            note = error.message
    name = f"{provider}/{shown}" if shown else provider
    dims = config["embed.dims"] if role == EMBED else 0
    return ModelChoice(name, role, provider, model, local=local, dims=dims, used=True, note=note)
