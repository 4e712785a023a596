"""The models that could embed, rerank or write here, and which one does."""

from bowerbird.core.value import Record

# What a model is for.
EMBED, RERANK, WRITE = ("embed", "rerank", "write")


class ModelChoice(Record):
    """One model: its name as `bower model use` takes it, its role, and what is known of it.

    `local`: nothing leaves the machine. `dims` of its vectors and `size_bytes` of its file, 0 if unknown.
    `ms_per_text` and `found` were measured on this machine with the bundled questions: the time of one
    short text, and the share of questions whose memory came first; None if they were not. `used`: it is
    the configured one of its role. `note` says what keeps it from being used. `endpoint`: the
    address that its server gets, empty for the configured one.
    """

    name: str
    role: str
    provider: str = ""
    model: str = ""
    local: bool = True
    dims: int = 0
    size_bytes: int = 0
    ms_per_text: float | None = None
    found: float | None = None
    used: bool = False
    note: str = ""
    endpoint: str = ""
    TABLE = (
        ("name", "text"),
        ("role", "text"),
        ("used", "flag"),
        ("local", "flag"),
        ("dims", "whole"),
        ("size_bytes", "whole"),
        ("ms_per_text", "number?"),
        ("found", "share?"),
        ("note", "text-"),
    )


class ModelChange(Record):
    """A store that is being embedded anew: by which model, and how many of its entries are done.

    `running`: a process is at it; else it was interrupted.
    """

    name: str
    done: int
    total: int
    running: bool
    TABLE = ("*",)


class Models(Record):
    """The models that there are, those in use first.

    `folder` is where files of models are looked for; `why` says how the embedder was chosen; `change` is
    what replaces it just now.
    """

    models: tuple[ModelChoice, ...]
    folder: str
    why: str = ""
    change: ModelChange | None = None
    notes: tuple[str, ...] = ()
    TABLE = ("*", ("why", "text-"), ("change", "model_change?", "change"))


class Fetched(Record):
    """A downloaded model: its path, its size in bytes, its checksum, and whether it was there already."""

    name: str
    path: str
    size_bytes: int
    sha256: str
    was_there: bool = False
    TABLE = ("*",)
