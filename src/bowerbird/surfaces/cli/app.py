"""The ``bower`` command: finds the verb, runs it, and writes its answer in the requested format."""

import gc
import os
import sys
from time import perf_counter, process_time

from bowerbird.core.errors import BowerbirdError, StoreEmpty, StoreOutdated
from bowerbird.surfaces.cli.arguments import asked_format, flag_given, read, split
from bowerbird.surfaces.cli.call import INTERRUPTED, Call
from bowerbird.surfaces.cli.page import Page, emit, shown
from bowerbird.surfaces.cli.table import find, load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces.cli.call import Outcome
    from bowerbird.surfaces.fields import Verb

# The version of the envelope.
SCHEMA = 1


# The cycle collector runs after this many new objects. With Python's default of 700 it ran 30 times in a
# cold query and 60 times in a `curate`, took 3 % of their instructions and more of their time, and found
# nothing: they create 20,000 to 40,000 objects.
COLLECT_AFTER = 100_000


class Unwritable(Exception):
    """Standard output cannot be written, for instance because the disk is full."""


def main(argv: "list[str] | None" = None) -> int:
    """Run the command line; returns the exit code: 0 success, 1 failure, 2 usage."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    # OpenBLAS starts a thread per core, and they spin: a second look took 32 times the CPU of a bare
    # interpreter instead of 11.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(COLLECT_AFTER)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 open to the end
    if sys.stdout is None:
        return _unwritable("it is closed")
    # Stored text may contain characters that this stream cannot encode; that must not raise.
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        return _run(arguments)
    except Unwritable as error:
        _drop_output()
        return _unwritable(str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader closed the pipe. The interpreter would report an error while flushing at exit.
        _drop_output()
        return 0
    finally:
        # Otherwise the interpreter collects once more before it exits: a tenth of a query's time.
        gc.freeze()


def _drop_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _unwritable(why: str) -> int:
    emit(sys.stderr, f"error: the answer cannot be written: {why}\n")
    return 1


def _put(text: str) -> None:
    """Writes to standard output and flushes, so that a failure there is not called an internal error."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Unwritable((error.strerror or str(error)).lower()) from error


def _run(arguments: "list[str]") -> int:
    verb = ""
    json = _wants_json(asked_format(arguments), prose=False)
    verbose = flag_given(arguments, "--verbose", "-v")
    try:
        before, name, after = split(arguments)
        if flag_given(before + after, "--version"):
            name, before, after = "version", ["--format", asked_format(arguments)], []
        if name is None:
            overview: str = load("cli.overview").text()
            _put(shown(overview))
            return 0
        verb = name
        module = find(name)
        verb = module.VERB.name
        json = _wants_json(asked_format(arguments), prose=module.VERB.prose)
        if flag_given(before + after, "--help", "-h"):
            _put(shown(load("cli.manual").manual(module)))
            return 0
        return _answer(module, before + after)
    except BowerbirdError as error:
        _fail(verb, error.message, error.remedy, json)
        return error.exit_code
    except (BrokenPipeError, Unwritable):
        raise  # nobody is left to report to
    except Exception as error:  # noqa: BLE001 the last resort: no traceback meets a user unasked
        if verbose:
            # An error message may quote text that was not cleaned.
            emit(sys.stderr, load("cli.fault").trace(error))
        message = f"{type(error).__name__}: {error}"
        _fail(verb, message, "an internal error; --verbose shows the traceback", json)
        return 1


def _answer(module: "Any", arguments: "list[str]") -> int:
    verb: Verb = module.VERB
    options = read(verb, arguments)
    page = Page.of(sys.stdout, quiet=options.quiet, verbose=options.verbose)
    call = Call(options, page)
    begin = perf_counter()
    outcome: Outcome
    try:
        outcome = call.carried_out(module)
    except StoreEmpty as error:
        if not load("cli.empty_store").removed(error, options.format):
            raise
        outcome = call.carried_out(module)
    except StoreOutdated:
        # A check for damage looks at the file as it is.
        if verb.name == "verify" or not load("cli.older_store").upgraded(call):
            raise
        outcome = call.carried_out(module)
    took = perf_counter() - begin
    if _wants_json(options.format, prose=verb.prose):
        _write_envelope(verb.name, outcome.data, success=outcome.exit_code == 0)
    else:
        _write_text(verb, outcome, page, options.format)
    if options.verbose:
        _emit_details(call, outcome, took)
    if outcome.after is not None:
        outcome.after()
    return outcome.exit_code


def _write_text(verb: "Verb", outcome: "Outcome", page: Page, format: str) -> None:
    text = outcome.shown or ""
    if not isinstance(outcome.shown, str):
        module, _, name = (verb.renderer or verb.name).partition(":")
        renderer = load(module if "." in module else "cli.render." + module)
        markdown = (
            getattr(renderer, "markdown", None) if format == "markdown" and not name else None
        )
        handed = outcome.value if outcome.shown is None else outcome.shown
        text = (markdown or getattr(renderer, name or "text"))(handed, page)
    if text:
        _put(shown(text if text.endswith("\n") else text + "\n"))
    if not page.quiet:
        for note in outcome.notes:
            emit(sys.stderr, f"note: {note}\n")


def _emit_details(call: Call, outcome: "Outcome", took: float) -> None:
    """Paths and times on stderr, for --verbose."""
    if call.store:
        emit(sys.stderr, f"store: {call.store}\n")
    for line in outcome.timings:
        emit(sys.stderr, line + "\n")
    cpu = process_time() * 1000
    timing = f"time: {took * 1000:.1f} ms, {cpu:.1f} ms of CPU with the start of Python\n"
    emit(sys.stderr, timing)


def _wants_json(format: str, *, prose: bool) -> bool:
    if format == "auto":
        return not prose and not sys.stdout.isatty()
    return format == "json"


def _write_envelope(verb: str, data: "dict[str, Any]", *, success: bool) -> None:
    encoder = load("cli.envelope")
    _put(encoder.envelope(verb, data, success=success, schema=SCHEMA))


def _fail(verb: str, message: str, remedy: str, json: bool) -> None:
    if json:
        data = {"error": message, "status": "error", "remedy": remedy}
        _write_envelope(verb, data, success=False)
        return
    page = Page.of(sys.stderr, quiet=False, verbose=False)
    emit(sys.stderr, page.style("error:", "red", "bold") + f" {message}\n")
    if remedy:
        emit(sys.stderr, f"  {page.remedy(remedy)}\n")
