"""``bower import``: take in an export, another store, or the memory of another tool.

`bower import PATH` looks at what is there:

  an export or a store of Bowerbird   merged: memories unite by id and by content, versions, tags and
                                      counts too; either order gives the same store, twice changes
                                      nothing, and what was erased stays so. Where both sides gave a
                                      memory another text, it waits in `bower review`.
  notes that `bower export` wrote     what you changed in them becomes versions; those whose memory is not
                                      here become new ones, with their fields and dates, as imports. It
                                      tells you of notes that you deleted, and that are remembered.
  CLAUDE.md, AGENTS.md                rules outside the kept block come in as memories; in the block a
                                      line that you changed becomes a version of its memory. It tells you
                                      of lines that are of no memory, and of those you took out.
  anything of another tool            its memories go through admission, with the trust of imports: known
                                      ones are not stored twice, dates are kept

The tools: claude-mem, mem0, basic-memory, obsidian, letta, hermes, chatgpt, claude, mcp-memory, brv, and
rules for CLAUDE.md, AGENTS.md, .cursorrules and the rules of Cursor and Windsurf.

`bower import NAME [PATH]` names the importer and looks where its tool keeps its data. `bower import`
alone lists what it finds on this machine, and asks. --dry-run shows a table and writes nothing.

Exports and stores keep their trust if you take them in on a terminal; an agent's are at most normal.
--trust limits it: for a colleague's export.

What lies in this folder's repository comes into its project, everything else is for all projects, unless
--project names one. On a terminal it asks whether the notes are your own: agents are told of those
unasked, while those of others, and what a script or an agent imports, come only where somebody asks.
--mine says so without the question, also of what was imported before.
"""

import os
import sys

from bowerbird.core.migrated import OWN, READ_AT_ONCE, Imported
from bowerbird.core.types import GLOBAL, TRUSTS
from bowerbird.surfaces.cli.call import INTERRUPTED, Call
from bowerbird.surfaces.cli.page import counted, emit
from bowerbird.surfaces.fields import Bowerbird, Field, Given, Notes, Verb

EXAMPLES = (
    ("bower import", "what is there to take in"),
    ("bower import memories.jsonl", "an export"),
    ("bower import ~/laptop/memory.db --dry-run", "what merging another store would do"),
    ("bower import claude-mem", "from where claude-mem keeps its data"),
    ("bower import obsidian ~/vault --mine", "your own notes, of which agents may be told"),
    ("bower import colleague.jsonl --trust imported", "as something that others wrote"),
)
# Importers of exports that hold conversations beside memories.
_CHATS = ("chats", "chatgpt", "claude")
_YES = ("y", "yes")
_OWN = "{} to come: your own words, so that agents may be told of them unasked? [y/N] "
VERB = Verb(
    "import",
    "Take in an export, another store, or another tool's memory",
    (
        Field(
            "what", "text", "an importer's name, or a path", option=("NAME|PATH",), words="?",
        ),
        Field("path", "text", "where its data is", option=("PATH",), words="?"),
        Field("dry_run", "flag", "only show what would happen", default=False),
        Field(
            "trust", "text", "the most that memories of an export or a store are trusted",
            choices=TRUSTS, metavar="TRUST",
        ),
        Field("mine", "flag", "these are your own notes: only on a terminal of yours", default=False),
        Field("sources", "flag", "ByteRover: also the stores that it includes", default=False),
    ),
    Imported,
    "write",
    group="Keep",
    order=9,
    slow=True,
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> Imported:
    """Take it in, or offer what is there."""
    what, path = given.get("what", ""), given.get("path", "")
    if not what:
        return _chosen(bird, given)
    name, place = bird.admin.importer_at(what, path)
    return _taken(bird, given, name, place, "")


def _taken(bird: Bowerbird, given: Given, name: str, place: str, into: str) -> Imported:
    def taken(*, dry_run: bool, mine: bool) -> Imported:
        return bird.admin.import_from(
            place,
            name,
            trust=given.get("trust", ""),
            dry_run=dry_run,
            with_sources=given.get("sources", False),
            into=into,
            mine=mine,
            progress=given.get("progress"),
        )

    mine, dry_run = given.get("mine", False), given.get("dry_run", False)
    # A store or an export knows whose its memories are; what another tool kept does not.
    if not (mine or dry_run or name in OWN) and bird.owned and _on_terminal():
        added = taken(dry_run=True, mine=False).added
        mine = bool(added) and _answer(_OWN.format(counted(added, "note"))) in _YES
    return taken(dry_run=dry_run, mine=mine)


def _chosen(bird: Bowerbird, given: Given) -> Imported:
    """What a person agrees to, of what is found, or with `dry_run` all of it; others get the list."""
    offered = tuple(bird.admin.importable())
    if not _on_terminal():
        return Imported(offered=offered, dry_run=True)
    done: list[Imported] = []
    left = []
    here = bird.project
    for one in offered:
        asked = f"Import {one.what} from {one.path}"
        if given.get("dry_run"):
            done.append(_taken(bird, given, one.what, one.path, ""))
            continue
        if one.project:
            said = _answer(f"{asked} into the project {one.project}? [y/N, g: for all projects] ")
            other = GLOBAL.name if said == "g" else ""
        elif here.uid:
            said = _answer(f"{asked} for all projects? [y/N, p: only for {here.name}] ")
            other = here.uid if said == "p" else ""
        else:
            said, other = _answer(f"{asked} for all projects? [y/N] "), ""
        if other or said in _YES:
            done.append(_taken(bird, given, one.what, one.path, other))
        else:
            left.append(one)
    return Imported(
        ", ".join(one.what for one in done),
        os.pathsep.join(one.path for one in done),
        added=sum(one.added for one in done),
        changed=sum(one.changed for one in done),
        known=sum(one.known for one in done),
        links=sum(one.links for one in done),
        moved=tuple(note for one in done for note in one.moved),
        errors=tuple(error for one in done for error in one.errors),
        offered=tuple(left),
        dry_run=given.get("dry_run", False) or not done,
        stopped=any(one.stopped for one in done),
        project=next((one.project for one in done if one.project), ""),
    )


def _on_terminal() -> bool:
    return all(one is not None and one.isatty() for one in (sys.stdin, sys.stderr))


def _answer(question: str) -> str:
    emit(sys.stderr, question)
    return sys.stdin.readline().strip().lower()


def notes(done: Imported, _: Given) -> Notes:
    """What was left, and what to do next."""
    yield from Call.note(done.new_project)
    if done.moved and done.added:
        would = ("would come", "would be") if done.dry_run else ("came", "are")
        into = f"{would[0]} into the project {done.project}"
        into = into if done.project else f"{would[1]} for all projects"
        yield f"they {into}; elsewhere: --project NAME, or later with bower move"
    if done.sources:
        also = ", ".join(done.sources)
        yield f"it reads along {also}; to take those notes too: --sources"
    if done.added > READ_AT_ONCE and not done.dry_run:
        yield (
            "they are found now; for questions in other words a model reads the rest of them in a server,"
            " after your agent's next session, or at once with: bower warm"
        )
    if done.what in _CHATS and os.path.exists(_conversations(done.path)):
        yield f"conversations are not memories; to search them: bower index {done.path}"
    if done.received is not None and done.received.waiting:
        yield "memories with two texts wait; see: bower review"


def _conversations(path: str) -> str:
    """Where an export has its conversations, if it has any."""
    name = "conversations.json"
    return os.path.join(path, name) if os.path.isdir(path) else path if path.endswith(name) else ""


def exit_code(done: Imported) -> int:
    """1 where something could not be taken."""
    failed = INTERRUPTED if done.stopped else 1
    return failed if done.errors else 0
