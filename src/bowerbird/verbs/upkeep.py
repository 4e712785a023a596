"""Wires `status`, `doctor` and `rescue`."""

import os

from bowerbird.core.errors import ModelError, UsageError
from bowerbird.core.value import Note
from bowerbird.host.places import trusted_file
from bowerbird.wiring.acting import Verbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.core.answers import Status
    from bowerbird.core.health import Finding, Findings
    from bowerbird.core.plugins import Plugins
    from bowerbird.core.rescued import Rescued


# The settings that name another model than the package's own, with the values that name none.
_BUILT_IN = (("embed.provider", "builtin"), ("rerank.provider", ""), ("llm.provider", ""))
# Suffix of the folder in which hooks record events.
_JOURNAL = ".journal"


class Upkeep(Verbs):
    """The verbs that describe and check the store."""

    def status(self, *, measure: bool, everywhere: bool) -> "Status":
        """What the store contains; empty without a store."""
        found = self._described(measure=measure, everywhere=everywhere)
        found = found if self._acting.who.local else found.replace(db_path="")
        notes = () if everywhere else self._reach.notes()
        return found.replace(notes=(*found.notes, *notes))

    def _described(self, *, measure: bool, everywhere: bool) -> "Status":
        self._reach.refuse_beyond(everywhere, "all_projects")
        from bowerbird.core.types import EVERY_PROJECT
        from bowerbird.verbs.status import describe

        found = describe(
            self._opened.path,
            EVERY_PROJECT if everywhere else self._reach.project.name,
            self._reach.everywhere if everywhere else self._reach.seen,
            self._opened.reader,
            self._opened.embedder,
            self._opened.drops,
            measure=measure,
            bounds=self._reach.bounds,
        )
        if not self._reach.confined and any(self._config[key] != own for key, own in _BUILT_IN):
            from bowerbird.wiring.model_roles import roles, uses_today

            try:
                settings, language = self._opened.embedding(), self._opened.language()
                known = roles(settings, language, uses_today(language, self._opened.clock()))
                found = found.replace(models=known)
                if why := self._opened.why():
                    chosen = Note("model", "embed.provider = auto: ", why)
                    found = found.replace(notes=(*found.notes, chosen))
            except (UsageError, ModelError) as error:
                wrong = Note("degraded", error.message, "; ", error.remedy)
                told = found.notes if wrong in found.notes else (*found.notes, wrong)
                found = found.replace(notes=told)
        if os.path.isdir(self._opened.path + _JOURNAL):
            from bowerbird.sessions.observe.journal import Journal

            journal = Journal(self._opened.path)
            kept = {"sessions": len(journal.sessions()), "bytes": journal.size()}
            found = found.replace(journal={"capture": self._config["agent.capture"]} | kept)
            if not everywhere and not self._reach.confined:
                from bowerbird.verbs.reviewing import Reviewing

                level = Reviewing(self._config, self._opened, self._reach).level_state()
                found = found.replace(level=level.as_dict())
        filled = any(one["uid"] and one["passages"] for one in found.projects)
        if self._reach.confined or not (filled or os.path.exists(trusted_file(os.environ))):
            return found
        from bowerbird.verbs.folder_trust import Trusting

        return Trusting(self._opened).annotated(found)

    def rescue(self, *, daily: bool, dry_run: bool = False) -> "Rescued":
        """Archive the transcripts that agents keep."""
        from bowerbird.verbs.rescuing import rescued

        return rescued(self._config, self._opened.clock, daily=daily, dry_run=dry_run)

    def plugins(self) -> "Plugins":
        """What other packages add."""
        self._acting.who.require_local("plugins")
        from bowerbird.core.plugins import Plugins
        from bowerbird.verbs.plugins import installed

        return Plugins(tuple(installed(self._config)))

    def doctor(self, *, secrets: bool) -> "Findings":
        """Checks the program, the store and the settings. Changes nothing."""
        from bowerbird.core.health import Findings

        self._acting.who.require_local("doctor")
        return Findings(self._findings(secrets=secrets))

    def _findings(self, *, secrets: bool) -> "Iterator[Finding]":
        from bowerbird.verbs.diagnosis import examined
        from bowerbird.verbs.folder_trust import Trusting

        trusting = Trusting(self._opened)
        yield from examined(self._config, self._opened, trusting, secrets=secrets)
        if self._config["sync.target"]:
            from bowerbird.verbs.syncing import Syncing

            yield from Syncing(self._config, self._opened, self._reach, self._acting).findings()
