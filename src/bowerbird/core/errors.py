"""Every error the product raises on purpose, each with its remedy.

BowerbirdError
├── UsageError              the call is wrong: exit 2
│   ├── BadInput            a text, path or value that cannot be taken
│   │   ├── PassphraseNeeded  a shared place is encrypted, with a passphrase that is not known here
│   │   └── NotAPerson       only a person may say so
│   ├── BadConfig           a configuration file or variable that cannot be read
│   └── UnknownName         a kind, key, model or backend nobody registered
├── NotFound                no such entry, document or version
├── StoreError
│   ├── StoreMissing        no store where one is needed
│   ├── NotAStore           the file is something else
│   │   └── StoreEmpty      the file has no bytes
│   ├── StoreNewer          written by a newer Bowerbird
│   ├── StoreOutdated       written by an older one, and this call may not upgrade it
│   ├── StoreReadOnly       the file or its folder cannot be written
│   ├── StoreBusy           another process held the write lock for too long
│   ├── StoreFull           the disk is full
│   ├── StoreReplaced       the file is not the one that was opened, or that its log is of
│   ├── StoreLinked         the file has a second name
│   └── StoreDamaged        the file fails its own checks
├── Denied                  whoever asks may not do that
├── Unreachable             no server answers
├── ModelError              a model cannot be loaded or does not fit its identity
│   └── ModelWaits          it is not asked now: a limit is reached, or it failed just now
├── PluginFailed            an addition of another package cannot be loaded, or failed
└── MissingExtra            a feature needs a package that is not installed
"""

# Characters of somebody's text that an error quotes.
_LONGEST_QUOTED = 80


def quotable(text: str, most: int = _LONGEST_QUOTED) -> str:
    """A text as an error can quote it: short, and valid Unicode."""
    some = text if len(text) <= most else text[:most] + "…"
    return some.encode("utf-8", "backslashreplace").decode()


class BowerbirdError(Exception):
    """The root: `message` says what went wrong, `remedy` what to do about it."""

    exit_code = 1

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy
        if remedy:
            self.add_note(str(remedy))  # a traceback shows it too


class UsageError(BowerbirdError):
    """The caller's request is invalid."""

    exit_code = 2


class BadInput(UsageError):
    """A text, path or value that is not valid."""


class PassphraseNeeded(BadInput):
    """A place to synchronise through is encrypted, and its passphrase is not known here."""


class NotAPerson(BadInput):
    """Only a person may say so, and the caller is a program."""


class BadConfig(UsageError):
    """A configuration file or variable that is not valid."""


class UnknownName(UsageError):
    """A name that is not registered."""

    @classmethod
    def among(cls, what: str, name: str, known: "list[str]") -> "UnknownName":
        """The error for `name`, with the nearest of the `known` names as its remedy."""
        name = quotable(name)
        near = nearest(name, known)
        remedy = f"did you mean {near}?" if near else f"known: {', '.join(sorted(known))}"
        return cls(f"unknown {what}: {name}", remedy)


class NotFound(BowerbirdError):
    """No such entry, document or version."""


class StoreError(BowerbirdError):
    """The store cannot perform the operation."""


class StoreMissing(StoreError):
    """No store where one is needed."""


class NotAStore(StoreError):
    """The file is not a store."""


class StoreEmpty(NotAStore):
    """The file is empty: to start a new store there, remove it."""

    def __init__(self, message: str, remedy: str, path: str = "") -> None:
        super().__init__(message, remedy)
        self.path = path


class StoreNewer(StoreError):
    """Written by a newer Bowerbird."""


class StoreOutdated(StoreError):
    """Written by an older Bowerbird, and this call may not upgrade it."""


class StoreReadOnly(StoreError):
    """The file or its folder cannot be written."""


class StoreBusy(StoreError):
    """Another process held the write lock for too long."""


class StoreFull(StoreError):
    """The disk is full."""


class StoreReplaced(StoreError):
    """The file at the path is not the one that was opened, or not the one its log belongs to."""


class StoreLinked(StoreError):
    """The file has a second name (a hard link), under which it would have a second log."""


class StoreDamaged(StoreError):
    """The file fails its own checks."""


class Denied(BowerbirdError):
    """The caller is not permitted to do that."""


class Unreachable(BowerbirdError):
    """The server does not answer."""


class ModelError(BowerbirdError):
    """A model cannot be loaded or does not fit its identity."""


class ModelWaits(ModelError):
    """A model is not asked now: a limit is reached, or it is left alone after failures."""


class PluginFailed(BowerbirdError):
    """An addition of another package cannot be loaded, or failed."""


class MissingExtra(BowerbirdError):
    """A feature needs a package that is not installed."""


def nearest(name: str, known: "list[str]") -> str | None:
    """The known name that looks most like a mistyped one, or None.

    The dashes of an option do not count: all options begin alike.
    """
    import difflib  # start-up: used only after a mistake

    bare = {one.lstrip("-"): one for one in known}
    found = difflib.get_close_matches(name.lstrip("-"), list(bare), n=1)
    return bare[found[0]] if found else None
