"""What language models do over one store, as the settings of `llm` say."""

import os

from bowerbird.core.errors import BadConfig, StoreMissing, StoreOutdated, UsageError
from bowerbird.guard.redact import Allow

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from bowerbird.core.clock import Clock
    from bowerbird.core.config import Config
    from bowerbird.core.ports.store import Store
    from bowerbird.core.ports.thinking import Judge, LanguageModel, Thinking
    from bowerbird.models.llm.expanding import ModelExpander
    from bowerbird.models.llm.summarising import ModelSummariser
    from bowerbird.models.llm.tiers import Tiers
    from bowerbird.storage.model_use import ModelUses

# What a language model does unasked, if `llm.tasks` names it.
UNASKED = ("lessons", "judge", "consolidate")


class Language:
    """The configured models, made when they are first asked for."""

    def __init__(
        self, config: "Config", path: str, reader: "Callable[[], Store]", clock: "Clock"
    ) -> None:
        self._config = config
        self._path = path
        self._reader = reader
        self._clock = clock
        self._tiers: Tiers | None = None

    def thinker(self, task: str = "") -> "Thinking | None":
        """The models; None if there are none, or they are not to do a task unasked.

        Wrong settings stop nothing that was not asked for: `status` and `doctor` report them. Raises
        BadConfig and UnknownName if no task is named.
        """
        if not task:
            return self._made()
        try:
            return self._made() if task in self.tasks() else None
        except UsageError:
            return None

    def judge(self) -> "Judge | None":
        """The judge of pairs of memories, if a model is to judge unasked."""
        thinker = self.thinker("judge")
        if thinker is None:
            return None
        from bowerbird.models.llm.judging import ModelJudge

        return ModelJudge(thinker)

    def summariser(self) -> "ModelSummariser | None":
        """Sums up memories, if a model is to do so."""
        thinker = self.thinker("consolidate")
        if thinker is None:
            return None
        from bowerbird.models.llm.summarising import ModelSummariser

        return ModelSummariser(thinker)

    def expander(self) -> "ModelExpander | None":
        """Says questions in other words, if there is a model."""
        thinker = self.thinker()
        if thinker is None:
            return None
        from bowerbird.models.llm.expanding import ModelExpander

        return ModelExpander(thinker)

    def _made(self) -> "Tiers | None":
        if self._tiers is None:
            from bowerbird.models.llm.registry import thinker

            key = "guard.allow"
            allow = Allow.parse(self._config[key].split(","), self._config.set_by(key))
            self._tiers = thinker(self._config, self.uses(), allow, self._clock, os.environ)
        return self._tiers

    def models(self) -> "Mapping[str, LanguageModel]":
        """The models by tier. Raises BadConfig and UnknownName."""
        made = self._made()
        return {} if made is None else made.models

    def tasks(self) -> list[str]:
        """What the models do unasked. Raises BadConfig."""
        named = [one.strip() for one in self._config["llm.tasks"].split(",") if one.strip()]
        if wrong := [one for one in named if one not in UNASKED]:
            raise BadConfig(f"llm.tasks names {wrong[0]}", f"name some of: {', '.join(UNASKED)}")
        return named

    def uses(self) -> "ModelUses":
        """What models were asked, by all processes."""
        from bowerbird.storage.model_use import ModelUses

        def kept(at: int) -> "Iterable[dict[str, Any]]":
            try:
                return self._reader().model_uses(at)
            except (StoreMissing, StoreOutdated):
                return ()

        return ModelUses(self._path, kept)

    def close(self) -> None:
        """Release connections and weights; the next question opens them again."""
        if self._tiers is not None:
            self._tiers.close()
