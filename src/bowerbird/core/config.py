"""All settings with meaning, type and default; wiring, doctor and the documentation read this list."""

from bowerbird.core.errors import BadConfig, BadInput, UnknownName, UsageError, quotable
from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    # Combines the user's value with that of a project's file into the effective one.
    Narrowing = Callable[[Any, Any], Any]

# The origin of a setting that nobody set.
DEFAULT = "default"
# Characters of a text: as many as a configuration file may have.
_LONGEST_TEXT = 64_000
# Characters of the path of a file that an error names.
_LONGEST_PATH = 4_096


class Setting(Record):
    """A key of the configuration.

    `bounds` are the lowest and the highest of numbers, inclusive. `narrows` applies a project's own,
    untrusted value; None: a project may not set it. A `secret` value is never shown. `among` are the
    permitted texts; empty if any is.
    """

    key: str
    default: "Any"
    meaning: str
    bounds: tuple[float, float] | None = None
    narrows: "Narrowing | None" = None
    secret: bool = False
    among: tuple[str, ...] = ()

    @property
    def strictest(self) -> str:
        """The text that restricts most, where a project may restrict it; what a wrong text counts as."""
        if self.narrows is None or not self.among:
            return ""
        strictest = self.among[0]
        for one in self.among[1:]:
            strictest = self.narrows(strictest, one)
        return strictest

    @property
    def variable(self) -> str:
        """The environment variable of the same meaning."""
        return "BOWER_" + self.key.replace(".", "_").upper()

    def parse(self, value: "Any", where: str) -> "Any":
        """The value converted to the type of the default.

        Raises BadConfig, naming its origin, for a file or variable; BadInput for an argument or option
        (``--x``).
        """
        wanted = type(self.default)
        if isinstance(value, str) and wanted is not str:
            try:
                value = wanted(value)
            except ValueError as error:
                raise self._refused(value, where) from error
        if wanted is float and type(value) is int:
            try:
                value = float(value)
            except OverflowError as error:
                raise self._refused(value, where) from error
        if type(value) is not wanted or (isinstance(value, str) and not _is_plain(value)):
            raise self._refused(value, where)
        # Written so that NaN is rejected too.
        if self.bounds is not None and not self.bounds[0] <= value <= self.bounds[1]:
            raise self._refused(value, where)
        if self.among and value not in self.among:
            raise self._refused(value, where)
        return value

    def _refused(self, value: object, where: str) -> UsageError:
        names = {int: "a whole number", float: "a number", str: "a text"}
        wanted = names[type(self.default)]
        if self.bounds is not None:
            wanted += f" from {self.bounds[0]:,g} to {self.bounds[1]:,.12g}"
        elif wanted == "a text":
            wanted += f" of at most {_LONGEST_TEXT:,} characters, valid Unicode and without NUL"
        if self.among:
            wanted = f"one of: {', '.join(self.among)}"
        if where == CALL or where.startswith("--"):
            name = where if where != CALL else self.key.rpartition(".")[2]
            return BadInput(f"{name} cannot be {_quoted(value)}", f"give it {wanted}")
        shown = "…" if self.secret else _quoted(value)
        return BadConfig(
            f"{self.key} = {shown} ({quotable(where, _LONGEST_PATH)})", f"give it {wanted}"
        )


def _is_plain(text: str) -> bool:
    """Whether a text is one that files, stores and programs can take."""
    if len(text) > _LONGEST_TEXT or "\0" in text:
        return False
    return text.isascii() or text == text.encode("utf-8", "replace").decode()


def _theirs(_own: str, theirs: str) -> str:
    """A project's file may name its own project only: see `core.places.called`."""
    return theirs


def _cap(own: int, theirs: int) -> int:
    """The lower of two limits, where 0 is no limit."""
    return min(own or theirs, theirs or own)


def _less_capture(own: str, theirs: str) -> str:
    """The one of two that records less."""
    return max(own, theirs, key=CAPTURES.index)


def _off_wins(own: str, theirs: str) -> str:
    """Off if either is off."""
    return "off" if "off" in (own, theirs) else own


# What hooks record of a session, most first.
FULL, METADATA, OFF = CAPTURES = ("full", "metadata", "off")
# The origin of a value that a caller passed as an argument.
CALL = "call"

SETTINGS = (
    Setting("store", "", "path of the store file; {agent} stands for the agent's name"),
    Setting(
        "project", "", "project to work in instead of the working directory's", narrows=_theirs
    ),
    Setting("query.limit", 10, "maximum number of hits of a query", (1, 50), narrows=min),
    Setting(
        "query.budget", 0, "cap on the tokens of all hits; 0: none", (0, 1_000_000), narrows=_cap
    ),
    Setting("query.min_score", 0.0, "floor on the relevance of a hit", (0.0, 1.0), narrows=max),
    Setting("query.depth", 1.0, "number of candidates examined; 2: twice as many", (0.5, 8.0)),
    Setting(
        "context.budget",
        0,
        "tokens of a context at most; 0: the phase's, else 2,048",
        (0, 1_000_000),
        narrows=_cap,
    ),
    Setting("guard.allow", "", "secrets to keep, by commas: kinds, or sha256: and 8 hex digits"),
    Setting("index.chunk_tokens", 400, "size of a passage of notes, in tokens", (50, 4_000)),
    Setting("index.chunk_overlap", 0, "tokens that neighbouring passages share", (0, 1_000)),
    Setting("serve.token", "", "the user's token for the server, not the file's", secret=True),
    Setting(
        "embed.provider",
        "builtin",
        "the embedder: auto, builtin, contextual, onnx, gguf, ollama, openai, gemini, voyage, cohere,"
        " jina, cloudflare, tei, compatible, or that of a package",
    ),
    Setting("embed.model", "", "the name of the model there, or the folder of an onnx one"),
    Setting("embed.endpoint", "", "its address, such as http://127.0.0.1:1234/v1"),
    Setting("embed.key", "", "the key to it", secret=True),
    Setting("embed.dims", 0, "dimensions to request; 0: the model's default", (0, 8_192)),
    Setting(
        "embed.timeout",
        0.0,
        "seconds that a request may take; 0: 60, or 300 for a server on this machine",
        (0.0, 600.0),
    ),
    Setting("embed.batch", 0, "texts in a request; 0: as many as the provider takes", (0, 2_048)),
    Setting(
        "rerank.provider",
        "",
        "what orders the best hits: onnx, gguf, compatible, tei, cohere, jina, voyage, cloudflare, llm"
        " (the language model), or a package's reranker; empty: none",
    ),
    Setting("rerank.model", "", "the name of the model there, or its folder or file"),
    Setting("rerank.endpoint", "", "its address, such as http://127.0.0.1:8080/v1"),
    Setting("rerank.key", "", "the key to it", secret=True),
    Setting("rerank.most", 20, "number of the best hits that it orders", (2, 100)),
    Setting(
        "rerank.timeout",
        0.0,
        "seconds that it may take, then the order stays; 0: 5, or 20 for a language model",
        (0.0, 120.0),
    ),
    Setting(
        "llm.provider",
        "",
        "a language model: openai, compatible, ollama, gemini, anthropic, cloudflare, gguf, command, or"
        " that of a package; empty: none",
    ),
    Setting("llm.model", "", "the name of the model there, or the path of a GGUF file"),
    Setting("llm.lite", "", "a cheaper model for small tasks; ollama/NAME and gguf/PATH are local"),
    Setting("llm.pro", "", "a better model for judging and consolidating"),
    Setting("llm.endpoint", "", "its address, such as http://127.0.0.1:8080/v1"),
    Setting("llm.key", "", "the key to it", secret=True),
    Setting("llm.command", "", "the command of provider command; {schema} is the schema's file"),
    Setting("llm.context", 8_192, "tokens that a local model reads", (1_024, 1_000_000)),
    Setting("llm.timeout", 120.0, "timeout of an answer, in seconds", (1.0, 3_600.0)),
    Setting(
        "llm.tasks",
        "lessons, judge, consolidate",
        "what it does unasked, by commas: lessons, judge, consolidate",
    ),
    Setting(
        "llm.daily_tokens",
        500_000,
        "cap on its tokens of a day (UTC); 0: none",
        (0, 10_000_000_000),
    ),
    Setting("llm.daily_dollars", 1.0, "cap on its cost of a day; 0: none", (0.0, 100_000.0)),
    Setting("llm.price", "", "its dollars for a million tokens read/written, such as 0.10/0.50"),
    Setting(
        "learn.ask",
        "off",
        "end: an agent is asked once, after a correction or a cured failure, what it learned; or off",
        narrows=_off_wins,
        among=("off", "end"),
    ),
    Setting("cache.max_entries", 100_000, "vectors of such a model that are kept", (0, 10_000_000)),
    Setting(
        "agent.capture",
        "full",
        "what hooks record: full, metadata (no words), or off",
        narrows=_less_capture,
        among=CAPTURES,
    ),
    Setting(
        "agent.keep_days", 90, "days for which recorded sessions are kept; 0: for ever", (0, 10_000)
    ),
    Setting(
        "agent.keep_megabytes",
        200,
        "maximum size of all recorded sessions; 0: unlimited",
        (0, 100_000),
    ),
    Setting(
        "agent.inject",
        "on",
        "whether hooks inject memories into an agent's context: on or off",
        narrows=_off_wins,
        among=("on", "off"),
    ),
    Setting(
        "agent.start_budget",
        600,
        "tokens that the start of a session adds at most",
        (200, 8_000),
        narrows=min,
    ),
    Setting(
        "agent.prompt_budget", 500, "tokens that a prompt adds at most", (200, 8_000), narrows=min
    ),
    Setting(
        "agent.learn",
        "on",
        "whether a session's lessons become memories when it ends: on or off",
        narrows=_off_wins,
        among=("on", "off"),
    ),
    Setting(
        "agent.level",
        0,
        "confidence needed to inject a memory, 1 (highest) to 4; 0: chosen by the project's sessions",
        (0, 4),
    ),
    Setting(
        "agent.experiment",
        "off",
        "on: some sessions get fewer or no injections, to measure the benefit of memory; on or off",
        among=("on", "off"),
    ),
    Setting(
        "agent.methodology",
        "native",
        "methodology with the phases of bower context: native, bmad, tdd, or that of a package",
    ),
    Setting(
        "agent.phase_weights",
        "",
        "weights of kinds in a phase that replace the built-in ones: implement.gotcha=1.75, …",
    ),
    Setting(
        "index.at_start",
        "on",
        "whether changed notes are indexed when an agent's session begins: on or off",
        narrows=_off_wins,
        among=("on", "off"),
    ),
    Setting(
        "index.at_growth",
        500,
        "kilobytes by which a running session's transcript grows until it is indexed again; 0: off",
        (0, 1_000_000),
    ),
    Setting(
        "index.at_search",
        "off",
        "whether a query first indexes changes of known files: on or off",
        among=("on", "off"),
    ),
    Setting(
        "index.read",
        128,
        "passages of notes, an eighth of one, that index reads for questions in other words; 0: none",
        (0, 100_000),
    ),
    Setting("index.sources", "", "sources of packages that read files before ours do, by commas"),
    Setting(
        "sync.target",
        "",
        "folder, s3:// or postgresql:// address to synchronise this store through; empty: none",
    ),
    Setting("sync.every", 60, "seconds between two times in processes that stay", (10, 86_400)),
    Setting(
        "sync.personal",
        "off",
        "whether personal memories leave, for devices of yours: on or off",
        among=("on", "off"),
    ),
    Setting("sync.passphrase", "", "the passphrase of that place", secret=True),
    Setting(
        "sso.issuer",
        "",
        "address of the OpenID Connect provider by which members sign in to the pages of a server",
    ),
    Setting("sso.client", "", "id under which that provider knows this server"),
    Setting("sso.secret", "", "secret of that client; empty for a public one", secret=True),
    Setting(
        "sso.claim",
        "email",
        "claim of its tokens that names a member; an email counts only if the provider verified it",
    ),
    Setting("index.max_megabytes", 32, "larger files are reported and skipped", (1, 10_000)),
)
_BY_KEY = {setting.key: setting for setting in SETTINGS}


def setting(key: str) -> Setting:
    """The setting of that name. Raises UnknownName with the nearest known key."""
    if key not in _BY_KEY:
        raise UnknownName.among("configuration key", key, list(_BY_KEY))
    return _BY_KEY[key]


def _quoted(value: object) -> str:
    """A value as quoted in an error, shortened."""
    try:
        return quotable(repr(value))
    except ValueError:  # Python converts no integer of more than 4,300 digits
        return "a number of thousands of digits"


def flatten(table: "Mapping[str, Any]", prefix: str = "") -> "dict[str, Any]":
    """Nested tables as dotted keys."""
    flat: dict[str, Any] = {}
    for name, value in table.items():
        if isinstance(value, dict):
            flat.update(flatten(value, f"{prefix}{name}."))
        else:
            flat[prefix + name] = value
    return flat


class Effective(Record):
    """The effective settings: the user's configuration file, and each setting with its origin.

    `settings` has key, value, default, meaning and origin of each; a secret value is never shown.
    """

    path: str
    settings: "tuple[dict[str, Any], ...]"
    exists: bool
    TABLE = (("path", "text"), ("exists", "flag"), ("settings", ["data"]))


class Config:
    """Effective values, each with its origin."""

    __slots__ = ("_set_by", "_values")

    def __init__(self) -> None:
        self._values: dict[str, Any] = {}
        self._set_by: dict[str, str] = {}

    def put(self, key: str, value: "Any", where: str) -> None:
        """Sets a key, replacing any earlier value. Raises UnknownName and BadConfig."""
        self._values[key] = setting(key).parse(value, where)
        self._set_by[key] = where

    def narrow(self, key: str, value: "Any", where: str) -> None:
        """Applies a value of a project's own file as far as it restricts what would apply without it.

        Raises UnknownName and BadConfig, the latter also for a key that it may not set.
        """
        known = setting(key)
        if known.narrows is None:
            raise BadConfig(
                f"{where} sets {key}, which a project's file may not",
                "set it in your own configuration file, and only if you trust this project",
            )
        asked = known.parse(value, where)
        if known.narrows(self[key], asked) == asked:
            self.put(key, asked, where)

    def but(self, key: str, value: "Any", where: str) -> "Config":
        """A copy with one key set. Raises UnknownName and BadConfig."""
        copy = Config()
        copy._values.update(self._values)
        copy._set_by.update(self._set_by)
        copy.put(key, value, where)
        return copy

    @classmethod
    def of(cls, rows: "Iterable[Sequence[Any]]") -> "Config":
        """The configuration of another process, from its `rows`. Raises UnknownName and BadConfig."""
        config = cls()
        for key, value, where in rows:
            config.put(key, value, where)
        return config

    def rows(self) -> "list[tuple[str, Any, str]]":
        """Every key that was set, with its value and origin, without secrets."""
        return [
            (key, value, self._set_by[key])
            for key, value in self._values.items()
            if not _BY_KEY[key].secret
        ]

    def __getitem__(self, key: str) -> "Any":
        return self._values.get(key, _BY_KEY[key].default)

    def choose(self, key: str, value: "Any") -> "Any":
        """The value passed with a call, validated, or the configured one if it is None."""
        return self[key] if value is None else setting(key).parse(value, CALL)

    def shown(self, key: str) -> "dict[str, Any]":
        """A setting as its owner may see it: a secret value is replaced by an ellipsis."""
        known, value = _BY_KEY[key], self[key]
        return {
            "key": key,
            "value": "…" if known.secret and value else value,
            "default": known.default,
            "meaning": known.meaning,
            "origin": self.set_by(key),
        }

    def set_by(self, key: str) -> str:
        """The origin of the effective value: a flag, a variable, a file or DEFAULT."""
        return self._set_by.get(key, DEFAULT)
