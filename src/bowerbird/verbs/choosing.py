"""Wires `model`: lists, measures, fetches and changes models."""

import json
import os
import subprocess
from contextlib import closing, contextmanager, suppress

from bowerbird.core.config import setting
from bowerbird.core.errors import BadConfig, ModelError, StoreBusy, StoreMissing
from bowerbird.core.model_choice import EMBED, RERANK, ModelChange, Models
from bowerbird.core.thinking import FAST, Task, object_of, one_of
from bowerbird.core.value import Advice, Do
from bowerbird.host.foreign import whole
from bowerbird.host.installed import starting
from bowerbird.host.locks import lock, opened_to_lock
from bowerbird.host.places import folder, make_folder, write_own
from bowerbird.wiring.acting import Verbs
from bowerbird.wiring.available_models import (
    AUTO,
    PREFIXES,
    available,
    fetch,
    has_server,
    measured,
    models_folder,
    named,
    of_another,
    settings_of,
    with_model,
)
from bowerbird.wiring.opened import EMBEDDER
from bowerbird.wiring.user_settings import change, require_changeable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.core.config import Config
    from bowerbird.core.model_choice import Fetched, ModelChoice
    from bowerbird.core.ports.models import Embedder
    from bowerbird.core.ports.progress import Progress

# Where measured speeds and qualities are kept, by the name and size of a model.
_MEASURED = "models-measured.json"
_LARGEST = 1_000_000
# What a language model is asked before it is set; one that thinks takes some tokens for that.
_READY = Task("ready", FAST, "Say that you are ready.", object_of(ready=one_of("yes")), 500)


class Choosing(Verbs):
    """The verb that tells and changes which models there are."""

    def models(self, *, measure: bool) -> Models:
        """Every model, with what was measured of it; `measure` embeds the bundled texts with each."""
        self._acting.who.require_local("model")
        return self._models(*self._embedding(), measure=measure)

    def _embedding(self) -> "tuple[Config, tuple[str, ...]]":
        """The settings of the embedder, and what keeps `auto` from taking one."""
        try:
            return self._opened.embedding(), ()
        except ModelError as error:
            return self._config, (f"{error.message}; {error.remedy}",)

    def _models(
        self, config: "Config", told: "tuple[str, ...]" = (), *, measure: bool = False
    ) -> Models:
        found = available(config)
        known = _measured()
        notes = [*told]
        if measure:
            for one in found:
                if one.role == EMBED and not one.note and (one.local or one.used):
                    try:
                        known[_key(one)] = measured(config, one)
                    except ModelError as error:
                        notes.append(f"{one.name}: {error.message}; {error.remedy}")
            with suppress(OSError):  # measured again the next time
                write_own(os.path.join(folder("state", os.environ), _MEASURED), json.dumps(known))
        rows = (one.replace(**_numbers(known.get(_key(one)))) for one in found)
        state, stopped = self._change()
        if state is not None and stopped:
            notes.append(f"embedding with {state.name} stopped: {stopped}")
        return Models(tuple(rows), models_folder(), self._opened.why(), state, tuple(notes))

    def fetch(self, name: str, sha256: str, progress: "Progress | None") -> "Fetched":
        """Downloads a model into the models folder. Raises BadInput and ModelError."""
        self._acting.who.require_local("model")
        return fetch(name, sha256, progress)

    def use(
        self, name: str, role: str, endpoint: str, progress: "Progress | None", *, wait: bool
    ) -> Models:
        """Makes a model that of its role in the user's configuration file, and an embedder the store's.

        For an embedder a process in the background embeds the store anew, and changes the file when it
        is done; with `wait` this one does. Raises UnknownName, BadInput, BadConfig and ModelError; the
        present model stays then.
        """
        self._acting.who.require_local("model")
        self._acting.who.require_write()
        if name == AUTO:
            require_changeable(self._config, EMBEDDER)
            # What it cannot take is refused now, while a model answers.
            with closing(
                self._opened.at(self._opened.path, self._config.but(EMBEDDER[0], AUTO, AUTO))
            ) as it:
                it.embedding()
            change({"embed.provider": AUTO, "embed.model": None, "embed.dims": None})
            return self._after("auto takes effect with the next command")
        choice = named(self._embedding()[0], name, role, endpoint)
        self._require_own_server(choice)
        require_changeable(self._config, (*self._settings(choice),))
        if choice.role != EMBED:
            with _waiting(choice, progress):
                return self._set(choice)
        # A model that does not answer is refused now, not in the background.
        embedder = self._candidate(choice)
        with _waiting(choice, progress):
            embedder.ready()
        if not self._entries():
            change(self._settings(choice))
            return self._after(f"{choice.name} embeds what is stored from now on", choice)
        if not wait:
            self._begin(choice)
            return self._after(f"the store is being embedded by {choice.name}; see: bower model")
        with self._at_it(choice.name):
            self._embed_anew(embedder, choice, progress)
        return self._after(f"{choice.name} is in use", choice)

    def _set(self, choice: "ModelChoice") -> Models:
        """Makes a model that orders or writes that of its role, if it answers. Raises ModelError."""
        opened = self._opened.at(self._opened.path, with_model(self._config, choice))
        try:
            if choice.role == RERANK:
                reranker = opened.reranker()
                if reranker is not None:
                    reranker.order(f"ready at {self._opened.clock()}", ["ready", "steady"])
            else:
                thinker = opened.thinker()
                if thinker is not None:
                    thinker.ask(_READY, "ready")
        finally:
            opened.close()
        change(self._settings(choice))
        does = "orders hits" if choice.role == RERANK else "does what a language model does"
        leaves = "" if choice.local else "; bower status says what leaves this machine"
        return self._after(f"{choice.name} {does} from now on{leaves}", choice)

    def _settings(self, choice: "ModelChoice") -> "dict[str, str | None]":
        """What the file says to use a model; an address and a key of another server go with that."""
        theirs = [
            key for key in of_another(self._embedding()[0], choice) if not self._by_variable(key)
        ]
        return dict.fromkeys(theirs) | settings_of(choice)

    def _require_own_server(self, choice: "ModelChoice") -> None:
        """Raises BadConfig if a variable would give a server the address or the key of another one."""
        config, _ = self._embedding()  # of `auto`, the server that it has taken
        for key in of_another(config, choice):
            if has_server(choice.provider) and self._by_variable(key):
                present = config[f"{PREFIXES[choice.role]}.provider"]
                raise BadConfig(
                    f"{self._config.set_by(key)} is {present}'s, not {choice.provider}'s",
                    f"unset {self._config.set_by(key)} first",
                )

    def _by_variable(self, key: str) -> bool:
        return self._config.set_by(key) == setting(key).variable

    def _candidate(self, choice: "ModelChoice") -> "Embedder":
        config = with_model(self._embedding()[0], choice)
        return self._opened.embedder_of(config, anew=True)

    def _entries(self) -> int:
        try:
            with self._opened.reading() as store:
                return store.entries.total()
        except StoreMissing:
            return 0

    def _embed_anew(
        self, embedder: "Embedder", choice: "ModelChoice", progress: "Progress | None"
    ) -> None:
        from bowerbird.ingest.reindex import reindex

        writer = self._acting.writer()
        reindex(writer, embedder, progress, beside=True)
        change(self._settings(choice))
        # Protected until the file names it: a process with the settings of before would drop it.
        with writer.transaction():
            writer.vectors.expect(None)
        # What was written meanwhile; then the former model's vectors go.
        reindex(writer, embedder, progress)

    @contextmanager
    def _at_it(self, name: str) -> "Iterator[None]":
        """Holds the file that says what is going on. Raises StoreBusy if another process does."""
        path = self._opened.change_file
        make_folder(os.path.dirname(path))
        handle = opened_to_lock(path)
        try:
            if not lock(handle, wait=False):
                raise StoreBusy(
                    "another process is embedding this store anew",
                    Advice("wait until it is done: ", Do("model")),
                )
            present = self._present()
            _say(handle, name, present, "")
            try:
                yield
            except Exception as error:
                message, remedy = (
                    getattr(error, "message", str(error)),
                    getattr(error, "remedy", ""),
                )
                _say(handle, name, present, f"{message}; {remedy}" if remedy else message)
                raise
            os.unlink(path)
        finally:
            os.close(handle)

    def _change(self) -> "tuple[ModelChange | None, str]":
        """What is going on, and why it stopped if it did."""
        try:
            handle = os.open(self._opened.change_file, os.O_RDWR)
        except OSError:
            return None, ""
        try:
            running = not lock(handle, wait=False)
            said = json.loads(os.read(handle, 1 << 16) or b"{}")
            name, present, error = (str(said[one]) for one in ("name", "present", "error"))
            if not running and present != self._present():
                return None, ""  # the model was changed in another way since
        except (OSError, ValueError, KeyError, TypeError):
            return None, ""
        finally:
            os.close(handle)
        done = total = 0
        with suppress(StoreMissing), self._opened.reading() as store:
            total, coming = store.entries.total(), store.vectors.expected()
            done = total - store.vectors.unread(coming) if coming else 0
        if not running and not error:
            error = f"its process ended; go on: bower model use {name}"
        return ModelChange(name, done, total, running), "" if running else error

    def _present(self) -> str:
        """The embedder that the settings name now."""
        return f"{self._config['embed.provider']} {self._config['embed.model']}"

    def _begin(self, choice: "ModelChoice") -> None:
        command = [
            *starting(),
            "model",
            "use",
            choice.name,
            "--as",
            EMBED,
            *(["--endpoint", choice.endpoint] if choice.endpoint else []),
            "--wait",
            "--store",
            self._opened.path,
        ]
        quiet = subprocess.DEVNULL
        subprocess.Popen(  # noqa: S603 our own command
            command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
        )

    def _after(self, note: str, choice: "ModelChoice | None" = None) -> Models:
        """The list, with `choice` in use."""
        config, told = self._embedding() if choice is None else (self._config, ())
        found = self._models(config if choice is None else with_model(config, choice), told)
        return found.replace(notes=(note, *found.notes))


@contextmanager
def _waiting(choice: "ModelChoice", progress: "Progress | None") -> "Iterator[None]":
    """Tells what is waited for: a server may load a model for minutes, or ask for a rest."""
    if progress is None:
        yield
        return
    progress.start(f"waiting for {choice.name} to answer", 0)
    try:
        yield
    finally:
        progress.finish()


def _key(one: "ModelChoice") -> str:
    return f"{one.name} {one.size_bytes}"


def _measured() -> dict[str, list[float]]:
    try:
        found = json.loads(whole(os.path.join(folder("state", os.environ), _MEASURED), _LARGEST))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _numbers(row: "list[float] | None") -> dict[str, float]:
    if not isinstance(row, list) or len(row) != 2:  # noqa: PLR2004 quality and speed
        return {}
    return {"found": row[0], "ms_per_text": row[1]}


def _say(handle: int, name: str, present: str, error: str) -> None:
    os.ftruncate(handle, 0)
    os.lseek(handle, 0, os.SEEK_SET)
    said = {"name": name, "present": present, "error": error}
    os.write(handle, json.dumps(said).encode())
