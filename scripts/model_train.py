"""Trains the token table of the built-in embedder: first the teacher's geometry, then retrieval.

A text's vector is the sum of its tokens' rows, so a row's length is that token's weight. Two losses are
combined: distance to the teacher's sentence vectors (in their first principal components, and as
similarities within the batch), and contrastive loss of a text's own neighbour against all others in the
batch (a sentence and the passage around it, a heading and its section, a docstring and its code).
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch
from torch.nn import functional

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from model_tokens import Corpus

    Floats = NDArray[np.float32]
    Ints = NDArray[np.int64]

DIMS = 256
# Weight of a token by its frequency before training: a / (a + p).
SIF = 3e-4
TEMPERATURE = 0.05
# Weight of the contrastive loss relative to the teacher's.
PAIRS_SHARE = 0.2
# Maximum tokens of a passage; more take time and change the mean little.
PASSAGE_TOKENS = 480
SHORTEST_PASSAGE = 3
# Query words are weighted by their frequencies in the store: a / (a + p).
QUESTION_SMOOTHING = 1e-3
HELD_OUT = 97


class Course(NamedTuple):
    """Parameters of a training run.

    `talk` is the share of questions that get an opening, and of passages that get chatter; `spread` and
    `order` weight the teacher's similarities and its order of neighbours.
    """

    talk: float
    spread: float
    order: float


# Two tables are trained and merged. Separately (recall@10, vectors alone), much talk and order gave
# LoCoMo .461, BEAM .487, CoSQA .656; neither of them .513, .480, .640. Merged with a little of both:
# .507, .465, .672, and the best weighted questions on LoCoMo (.623 against .588 and .614).
COURSES = (Course(talk=0.35, spread=10, order=0.3), Course(talk=0.1, spread=20, order=0.03))


def principal(vectors: Floats, dims: int = DIMS) -> tuple[Floats, Floats]:
    """Mean (d,) and the first principal axes (d, dims) of row vectors."""
    mean = vectors.mean(0)
    centred = vectors - mean
    _, axes = np.linalg.eigh(centred.T @ centred / len(centred))
    return mean, np.ascontiguousarray(axes[:, ::-1][:, :dims])


def flat(starts: Ints, sizes: Ints) -> Ints:
    """The positions of many ranges, concatenated."""
    ends = np.cumsum(sizes)
    return np.arange(ends[-1]) + np.repeat(starts - ends + sizes, sizes)


class Pairs:
    """Draws pairs of related texts from a corpus.

    One block in HELD_OUT is kept for validation and never drawn for training.
    """

    def __init__(
        self, corpus: Corpus, talk: Sequence[Sequence[Sequence[int]]], rows: int, seed: int
    ) -> None:
        self.corpus = corpus
        self.talk_share = 0.0
        self.random = np.random.default_rng(seed)
        # Openings of questions and chatter are appended to the corpus's tokens.
        self.tokens = corpus.tokens
        self.talk: list[tuple[Ints, Ints]] = []
        for phrases in talk:
            sizes = np.array([len(phrase) for phrase in phrases], np.int64)
            self.talk.append((_offsets(sizes) + len(self.tokens), sizes))
            added = np.array([row for phrase in phrases for row in phrase], np.int32)
            self.tokens = np.concatenate([self.tokens, added])
        sizes = corpus.starts[corpus.body[:, 1]] - corpus.starts[corpus.body[:, 0]]
        count = int(corpus.source.max()) + 1
        totals = np.bincount(corpus.source, sizes, count)
        self.shares = totals**0.5 / (totals**0.5).sum()
        self.members = [np.flatnonzero(corpus.source == s) for s in range(count)]
        train = np.arange(len(sizes)) % HELD_OUT != 0
        self.chances = []
        for members in self.members:
            chance = np.minimum(sizes[members], 600) ** 0.7 * train[members]
            self.chances.append(np.cumsum(chance) / max(chance.sum(), 1e-9))
        # Word weights per package, for questions to a store that consists of it.
        self.weights = np.ones((count, rows), np.float32)
        for s, members in enumerate(self.members):
            first, last = corpus.starts[corpus.body[members[0], 0]], corpus.body[members[-1], 1]
            counts = np.bincount(corpus.tokens[first : corpus.starts[last]], minlength=rows)
            share = counts / max(1, counts.sum())
            self.weights[s] = QUESTION_SMOOTHING / (QUESTION_SMOOTHING + share)

    def blocks(self, count: int, one_source: bool) -> Ints:
        """Training blocks, drawn from all packages or from one."""
        draws = 1 if one_source else count
        sources = self.random.choice(len(self.shares), draws, p=self.shares)
        if one_source:
            sources = np.repeat(sources, count)
        result = np.zeros(count, np.int64)
        for s in np.unique(sources):
            at = np.flatnonzero(sources == s)
            found = np.searchsorted(self.chances[s], self.random.random(len(at)))
            result[at] = self.members[s][np.minimum(found, len(self.members[s]) - 1)]
        return np.unique(result)

    def draw(self, blocks: Ints) -> tuple[tuple[Ints, Ints], tuple[Ints, Ints], Ints]:
        """(tokens, offsets) of questions, the same of passages, and the blocks that yielded a pair."""
        corpus, random = self.corpus, self.random
        first, last = corpus.body[blocks, 0], corpus.body[blocks, 1]
        sentence = first + (random.random(len(blocks)) * (last - first)).astype(np.int64)
        reach = 2 ** random.integers(0, 7, len(blocks))
        low = np.maximum(first, sentence - random.integers(0, reach + 1))
        high = np.minimum(last, sentence + 1 + random.integers(0, reach + 1))
        title = corpus.titles[blocks]
        by_title = (title >= 0) & (random.random(len(blocks)) < 0.4)
        asked = np.where(by_title, title, sentence)
        # Most passages leave out the question's own sentence, so that the model learns meaning rather
        # than word overlap.
        leave = ~by_title & (random.random(len(blocks)) < 0.8)
        before = (corpus.starts[low], corpus.starts[np.where(leave, sentence, high)])
        after = (corpus.starts[np.where(leave, sentence + 1, high)], corpus.starts[high])
        size1 = np.minimum(before[1] - before[0], PASSAGE_TOKENS)
        size2 = np.minimum(after[1] - after[0], PASSAGE_TOKENS - size1)
        asked_size = np.minimum(corpus.starts[asked + 1] - corpus.starts[asked], 48)
        good = (size1 + size2 >= SHORTEST_PASSAGE) & (asked_size >= 1)
        count = int(good.sum())
        opening, chat, more = self._talk(0, count), self._talk(1, count), self._talk(1, count)
        question = [(corpus.starts[asked][good], asked_size[good]), opening]
        passage = [(before[0][good], size1[good]), (after[0][good], size2[good]), chat, more]
        return self._gather(question), self._gather(passage), blocks[good]

    def _talk(self, kind: int, count: int) -> tuple[Ints, Ints]:
        """Starts and sizes of phrases for `count` texts; most have size 0."""
        starts, sizes = self.talk[kind]
        chosen = self.random.integers(0, len(starts), count)
        given = self.random.random(count) < self.talk_share
        return starts[chosen], sizes[chosen] * given

    def _gather(self, parts: list[tuple[Ints, Ints]]) -> tuple[Ints, Ints]:
        """(tokens, offsets) of texts, each concatenated from one range of every part."""
        starts = np.stack([start for start, _ in parts], 1)
        sizes = np.stack([size for _, size in parts], 1)
        tokens = self.tokens[flat(starts.ravel(), sizes.ravel())]
        return tokens.astype(np.int64), _offsets(sizes.sum(1))


def _offsets(sizes: Ints) -> Ints:
    return np.cumsum(sizes) - sizes


def bags(
    table: torch.Tensor, tokens: Ints, offsets: Ints, weights: Floats | None = None
) -> torch.Tensor:
    """Unit rows: the normalised sums of the rows of each bag's tokens."""
    scale = None if weights is None else torch.from_numpy(weights)
    rows = functional.embedding_bag(
        torch.from_numpy(tokens),
        table,
        torch.from_numpy(offsets),
        mode="sum",
        per_sample_weights=scale,
    )
    return functional.normalize(rows, dim=-1, eps=1e-6)


def contrast(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """Symmetric cross-entropy of identifying each row's partner among all partners."""
    scores = left @ right.T / TEMPERATURE
    wanted = torch.arange(len(left))
    return (
        functional.cross_entropy(scores, wanted) + functional.cross_entropy(scores.T, wanted)
    ) / 2


def match(student: torch.Tensor, teacher: torch.Tensor, course: Course) -> torch.Tensor:
    """The distance to the teacher: in vectors, similarities within the batch and neighbour order."""
    direct = 1 - (student * teacher).sum(1).mean()
    near, wanted = student @ student.T, teacher @ teacher.T
    spread = functional.mse_loss(near, wanted)
    self_ = torch.eye(len(near), dtype=torch.bool)
    order = functional.kl_div(
        functional.log_softmax((near / TEMPERATURE).masked_fill(self_, -1e4), dim=1),
        functional.log_softmax((wanted / TEMPERATURE).masked_fill(self_, -1e4), dim=1),
        reduction="batchmean",
        log_target=True,
    )
    return direct + course.spread * spread + course.order * order


class Lessons:
    """Texts with the teacher's vectors, drawn in batches; the last 2,000 are for validation.

    Texts of one group (a heading, a sentence, the passages about it) are adjacent, and a batch takes
    whole groups: the teacher's order is informative only among related texts.
    """

    def __init__(
        self, rows: Sequence[Sequence[int]], targets: Floats, groups: Sequence[int], seed: int
    ) -> None:
        keep = [i for i, row in enumerate(rows) if row]
        self.sizes = np.array([len(rows[i]) for i in keep], np.int64)
        self.starts = _offsets(self.sizes)
        self.tokens = np.array([t for i in keep for t in rows[i]], np.int64)
        self.targets = torch.from_numpy(targets[keep])
        group = np.array([groups[i] for i in keep])
        self.firsts = np.append(np.flatnonzero(np.diff(group, prepend=-1)), len(keep))
        self.end = int(np.searchsorted(self.firsts, len(keep) - 2000))
        self.random = np.random.default_rng(seed)

    def draw(self, count: int) -> tuple[tuple[Ints, Ints], torch.Tensor]:
        """(tokens, offsets) and the teacher's rows of at least `count` texts drawn for training."""
        share = self.firsts[self.end] / self.end
        chosen = self.random.integers(0, self.end, int(count / share) + 1)
        sizes = self.firsts[chosen + 1] - self.firsts[chosen]
        return self._pick(flat(self.firsts[chosen], sizes))

    def held_out(self) -> tuple[tuple[Ints, Ints], torch.Tensor]:
        """The same for the validation texts."""
        return self._pick(np.arange(self.firsts[self.end], len(self.sizes)))

    def _pick(self, at: Ints) -> tuple[tuple[Ints, Ints], torch.Tensor]:
        tokens = self.tokens[flat(self.starts[at], self.sizes[at])]
        return (tokens, _offsets(self.sizes[at])), self.targets[torch.from_numpy(at)]


def train(
    table: Floats,
    pairs: Pairs,
    lessons: Lessons,
    minutes: float,
    course: Course,
    *,
    batch: int = 1024,
    rate: float = 3e-3,
    report: Callable[[str], None] = print,
) -> Floats:
    """The trained table (rows, dims)."""
    pairs.talk_share = course.talk
    weights = torch.nn.Parameter(torch.from_numpy(table.copy()))
    optimiser = torch.optim.Adam([weights], lr=rate, betas=(0.9, 0.99), fused=True)
    begun, step, sums = time.monotonic(), 0, [0.0, 0.0]
    while (done := (time.monotonic() - begun) / (60 * minutes)) < 1:
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1, (step + 1) / 50) * max(0.02, 1 - done)
        one_source = bool(pairs.random.random() < 0.5)
        question, passage, blocks = pairs.draw(pairs.blocks(batch, one_source))
        emphasis = None
        if one_source and len(blocks) and pairs.random.random() < 0.7:
            emphasis = pairs.weights[pairs.corpus.source[blocks[0]]][question[0]]
        texts, targets = lessons.draw(batch)
        optimiser.zero_grad()
        first = match(bags(weights, *texts), targets, course)
        second = contrast(bags(weights, *question, emphasis), bags(weights, *passage))
        (first + PAIRS_SHARE * second).backward()
        optimiser.step()
        sums = [
            0.98 * old + 0.02 * float(new) for old, new in zip(sums, (first, second), strict=True)
        ]
        step += 1
        if step % 200 == 0:
            with torch.inference_mode():
                held_out_bags, wanted = lessons.held_out()
                loss = float(match(bags(weights, *held_out_bags), wanted, course))
            scale = 1 - 0.98**step
            report(
                f"{step} steps, {done:.0%}: teacher {sums[0] / scale:.3f} (held out {loss:.3f}), "
                f"pairs {sums[1] / scale:.3f}"
            )
    trained: Floats = weights.detach().numpy()
    return trained


def merge(one: Floats, other: Floats, corpus: Corpus, seed: int, texts: int = 40_000) -> Floats:
    """Merge two tables: side by side at equal strength, then the principal axes of real texts.

    The 256 axes kept hold .95 of the texts' variance in the 512 of both.
    """
    chosen = np.random.default_rng(seed).choice(len(corpus.body), texts)
    starts = corpus.starts[corpus.body[chosen, 0]]
    sizes = np.clip(corpus.starts[corpus.body[chosen, 1]] - starts, 1, 80)
    tokens = torch.from_numpy(corpus.tokens[flat(starts, sizes)].astype(np.int64))
    offsets = torch.from_numpy(_offsets(sizes))
    halves, sums = [], []
    for table in (one, other):
        rows = functional.embedding_bag(tokens, torch.from_numpy(table), offsets, mode="sum")
        scale = float(rows.norm(dim=1).mean())
        halves.append(table / scale)
        sums.append(rows / scale)
    joined = functional.normalize(torch.cat(sums, 1), dim=1)
    _, axes = torch.linalg.eigh(joined.T @ joined)
    merged = np.concatenate(halves, 1) @ axes.flip(1)[:, :DIMS].numpy()
    return np.ascontiguousarray(merged / np.linalg.norm(merged, axis=1).mean(), np.float32)
