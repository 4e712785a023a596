"""``bower model``: the models that could embed, rerank or write here, and which one does.

Lists those of the package, the files in the models folder (ONNX folders and GGUF files), the models of a
running Ollama, and those that the settings name: with role, size, dimensions, and whether anything leaves
this machine. --measure also embeds 32 bundled memories and questions with each local embedder and the
configured one, and shows the time of a text and the share of questions whose memory came first.

`bower model use NAME` makes a listed model, or a service's, that of its role in your configuration file,
if it answers. By a new embedder the store is embedded anew by a process in the background, while the
present model goes on answering; once all is done the setting is changed. `bower model` shows how far it
is; --wait does it at once. `use auto` takes the embedder that the store was embedded with, else a file of
the models folder, else of a running Ollama, else the built-in one; it never sends a text to another
machine.

--fetch downloads a model into the models folder and checks it by its checksum: nomic-embed-text-v1.5 (146
MB), embeddinggemma-300M (334 MB), bge-reranker-v2-m3 (636 MB), or the GGUF file at an address with
--sha256. Nothing else downloads.
"""

from bowerbird.core.errors import BadInput
from bowerbird.core.model_choice import EMBED, RERANK, WRITE, Fetched, Models
from bowerbird.surfaces.fields import TYPED, Bowerbird, Field, Given, Notes, Verb

EXAMPLES = (
    ("bower model", "what there is, and what is in use"),
    ("bower model --measure", "with the speed and quality of each on this machine"),
    ("bower model use ollama/nomic-embed-text", "embed the store anew with another one"),
    ("bower model use ollama/qwen3:4b", "a language model"),
    (
        "bower model use compatible/bge-m3 --as embed --endpoint http://127.0.0.1:8080/v1",
        "one of a server of yours",
    ),
    ("bower model use cohere/rerank-v4.0-fast", "a reranker, by the key in BOWER_RERANK_KEY"),
    ("bower model --fetch embeddinggemma-300M", "download one"),
)
VERB = Verb(
    "model",
    "Show, measure, fetch or change the models",
    (
        Field(
            "what", "text", "", choices=("list", "use"),
            interfaces=(TYPED,), option=("WHAT",), words="?",
        ),
        Field(
            "name", "text", "use: a name of the list, or auto",
            interfaces=(TYPED,), option=("NAME",), words="?",
        ),
        Field(
            "measure", "flag", "also embed some bundled texts: speed and quality",
            default=False, interfaces=(TYPED,), apart="how",
        ),
        Field(
            "role", "text", "use: what for, if its name does not say", choices=(EMBED, RERANK, WRITE),
            interfaces=(TYPED,), option=("--as",), metavar="ROLE",
        ),
        Field(
            "endpoint", "text", "use: the address of its server",
            interfaces=(TYPED,), metavar="URL",
        ),
        Field(
            "wait", "flag", "use: embed the store in this process", default=False,
            interfaces=(TYPED,), apart="how",
        ),
        Field(
            "fetch", "text", "download this model: a name or an address",
            interfaces=(TYPED,), metavar="NAME", apart="how",
        ),
        Field(
            "sha256", "text", "the checksum of the file at an address",
            interfaces=(TYPED,), metavar="HEX",
        ),
    ),
    Models,
    "rebuild",
    group="Look after",
    order=10,
    route=("GET", "/models"),
    reach="",
    owners=True,
    slow=True,
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> Models | Fetched:
    """Show them, change one, or fetch one."""
    what, name, fetch = given.get("what", "list"), given.get("name"), given.get("fetch")
    if fetch is not None:
        if what == "use":
            raise BadInput(
                "--fetch downloads, and use takes what is there", "do one after the other"
            )
        return bird.admin.fetch_model(fetch, given.get("sha256", ""), given.get("progress"))
    if given.get("sha256") is not None:
        raise BadInput("--sha256 is for --fetch", "name what to fetch")
    if what == "use":
        if name is None:
            raise BadInput("use which model?", "name one of the list: bower model")
        return bird.admin.use_model(
            name,
            given.get("role", ""),
            given.get("endpoint", ""),
            wait=given.get("wait", False),
            progress=given.get("progress"),
        )
    if name is not None:
        raise BadInput(f"list takes no name: {name}", f"bower model use {name}")
    return bird.admin.models(measure=given.get("measure", False))


def notes(found: Models | Fetched, _: Given) -> Notes:
    """What was left, or goes on."""
    if isinstance(found, Models):
        yield from found.notes
