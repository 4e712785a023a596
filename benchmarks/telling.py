"""Fits what the contextual model says of the sentences of a prompt (`ContextualEmbedder.told`).

    python -m venv V; V/bin/pip install jax optax -e .     # tools of this program, not of the package
    V/bin/python benchmarks/telling.py                     # writes weights/minilm-telling.bin

Low-rank products (LoRA: Hu et al., 2021) are added to the matrices of the third and fourth layer, and
queries pool the tokens of each sentence (attention pooling) for linear heads: whether the sentence is
lasting, of which kind it then is. A regression on what is pooled then says whether a sentence states
something: the marked statements and the texts of memories (`tests/data/pairs`) do, the other sentences of
those prompts do not. The prompts are those of `said.py`, each read as a whole, marked statements also
alone, and some prompts after or before another one of their author. The authors h and v-odd are left out
as well: by them `said.py` chose how much the words count beside it. It takes fifteen minutes of CPU.
"""

from __future__ import annotations

import json
import sys
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))
from bowerbird.models.embed.contextual import LONGEST, MANNER, TOLD, WEIGHTS, ContextualEmbedder
from bowerbird.sessions.learn.lasting_features import spelled
from bowerbird.sessions.learn.lasting_statements import KINDS
from model_files import write_tensors
from said import DATA, FOR_TESTS, SCALE, Prompt, written

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Tree = dict[str, Any]

LEFT_OUT = ("v-odd", FOR_TESTS)
SEED = 0
EPOCHS = 4
# The rank of the products, and the queries. One run each: with frozen layers and one small layer above
# them the average precision of authors left out was .78 instead of .81.
RANK = 8
QUERIES = 4
RATE = 2e-3
RATE_OF_HEADS = 1e-3
DECAY = 0.01
# Of what is pooled, and of the tokens of a sentence, so many are left out at a time.
DROPPED = 0.2
DROPPED_TOKENS = 0.05
# A label counts as so much less than certain; one that a sentence is not lasting, as a third of that.
SMOOTHING = 0.05
KIND_COUNTS = 0.2
ALONE_COUNTS = 0.5
# Of the prompts with a statement, and of the others, so many are read beside another one; and how many of
# those, and of the statements alone, an epoch takes.
BESIDE = 0.6
BESIDE_OTHERS = 0.25
TAKEN_BESIDE = 0.4
TAKEN_ALONE = 0.5
# Tokens of a text, texts of a batch, sentences of a text.
SIZES = ((20, 40, 5), (36, 22, 7), (56, 14, 9), (84, 9, 12), (LONGEST, 6, 16))
RIDGE = 300.0
NEWTONS = 7
# So the log odds that a sentence states something have the mean and the spread of those by which the
# thresholds of `lasting_statements.py` were chosen. The area under the curve of what authors in no fit
# marked is .90, by a regression on mean vectors .85.
SCALE_OF_STATING = 0.67
SHIFT_OF_STATING = 0.4
# What is pooled is of this length rather than of that of a normalised state.
POOLED = 4 / 384**0.5
PADDING = -2
OUTSIDE = -1


class Item:
    """Sentences that are read together: the rows of their tokens, labels and kinds."""

    def __init__(
        self,
        rows: Sequence[list[int]],
        labels: Sequence[bool],
        kinds: Sequence[str],
        *,
        sort: str = "",
        any_of: bool = False,
    ) -> None:
        self.rows = rows
        self.labels = labels
        self.kinds = kinds
        self.sort = sort
        # Whether it is only known that one of them is lasting.
        self.any_of = any_of

    def size(self) -> int:
        """Where in `SIZES` it belongs."""
        tokens = 2 + sum(map(len, self.rows))
        fits = (tokens <= most and len(self.rows) <= sentences for most, _, sentences in SIZES)
        return next(at for at, one in enumerate(fits) if one)


class Fit:
    """The model's layers as floats, and what is learned beside them."""

    def __init__(self) -> None:
        model = ContextualEmbedder.builtin()
        self.model = model
        file, words = model._file, model._tokens  # noqa: SLF001 its own files
        self.first, self.last = model._pieces.rows("", LONGEST)  # noqa: SLF001 as above
        _, self.heads = (int(one) for one in file.array("shape"))
        table = np.frombuffer(words.table, np.int8).reshape(-1, words.dims)
        self.fixed: Tree = {
            "table": table * np.asarray(words.scales)[:, None],
            "positions": file.array("positions"),
            "norm": (file.array("norm.scale"), file.array("norm.shift")),
        }
        for number in range(max(MANNER)):
            for part in ("qkv", "out", "up", "down"):
                name = f"layer.{number}.{part}"
                self.fixed[name] = (file.floats(name).T, file.array(f"{name}.bias"))
            for part in ("norm1", "norm2"):
                name = f"layer.{number}.{part}"
                self.fixed[name] = (file.array(f"{name}.scale"), file.array(f"{name}.shift"))
        self.fixed = jax.tree.map(jnp.asarray, self.fixed)
        self.draw = np.random.default_rng(SEED)

    def rows(self, sentence: str) -> list[int]:
        """The rows of a sentence's tokens."""
        (window,) = self.model._windows([spelled(sentence)])  # noqa: SLF001 as above
        return window[0]

    def items(self, prompts: Sequence[Prompt]) -> list[Item]:
        """What is read: each prompt, its statements alone, and some beside others of their author."""
        found: list[Item] = []
        of: dict[str, list[tuple[Prompt, list[list[int]]]]] = {}
        for one in prompts:
            if one.sentences and not one.alone:
                of.setdefault(one.author, []).append((one, [*map(self.rows, one.sentences)]))
        for own in of.values():
            for one, rows in own:
                kinds = [one.kind(at) for at in range(len(rows))]
                if one.labels is None:
                    several = one.right and len(rows) > 1
                    some = [*together(rows, [one.right] * len(rows), kinds, any_of=several)]
                    found += some if len(some) == 1 or not one.right else []
                    continue
                found += together(rows, one.labels, kinds)
                if len(rows) > 1:
                    for at in (at for at, label in enumerate(one.labels) if label):
                        found.append(Item([rows[at]], [True], [kinds[at]], sort="alone"))
                other, theirs = own[self.draw.integers(len(own))]
                beside = self.draw.random() < (BESIDE if any(one.labels) else BESIDE_OTHERS)
                labels = other.labels
                if beside and other is not one and labels and not (any(labels) and any(one.labels)):
                    parts = [
                        (rows, one.labels, kinds),
                        (theirs, labels, [other.kind(at) for at in range(len(theirs))]),
                    ]
                    some_rows, all_labels, all_kinds = zip(
                        *(parts if self.draw.random() < 1 / 2 else parts[::-1]), strict=True
                    )
                    found += together(
                        [*chain(*some_rows)],
                        [*chain(*all_labels)],
                        [*chain(*all_kinds)],
                        sort="beside",
                    )
        return found

    def epoch(self, items: Sequence[Item]) -> list[Item]:
        """What one epoch takes of them."""
        taken = {"": 1.0, "alone": TAKEN_ALONE, "beside": TAKEN_BESIDE}
        return [one for one in items if self.draw.random() < taken[one.sort]]

    def batches(self, items: Sequence[Item], *, learn: bool) -> Iterator[tuple[list[Item], Tree]]:
        """Items of about the same length as arrays."""
        of: dict[int, list[Item]] = {}
        for one in items:
            of.setdefault(one.size(), []).append(one)
        todo = []
        for size, some in sorted(of.items()):
            order = self.draw.permutation(len(some)) if learn else range(len(some))
            every, number = [some[at] for at in order], SIZES[size][1]
            todo += [(size, every[at : at + number]) for at in range(0, len(every), number)]
        for at in self.draw.permutation(len(todo)) if learn else range(len(todo)):
            size, some = todo[at]
            yield some, self._batch(some, *SIZES[size], learn=learn)

    def _batch(
        self, items: Sequence[Item], tokens: int, texts: int, sentences: int, *, learn: bool
    ) -> Tree:
        batch: Tree = {
            "ids": np.zeros((texts, tokens), np.int32),
            "of": np.full((texts, tokens), PADDING, np.int32),
            "labels": np.zeros((texts, sentences), np.float32),
            "kinds": np.full((texts, sentences), -1, np.int32),
            "counts": np.zeros((texts, sentences), np.float32),
            "any_of": np.zeros((texts, 1), bool),
        }
        for text, one in enumerate(items):
            ids, of = [self.first], [OUTSIDE]
            for sentence, rows in enumerate(one.rows):
                dropped = self.draw.random(len(rows)) < DROPPED_TOKENS * learn
                ids += rows
                of += (
                    [sentence] * len(rows)
                    if dropped.all()
                    else [PADDING if drop else sentence for drop in dropped]
                )
            number = len(one.rows)
            batch["ids"][text, : len(ids) + 1] = [*ids, self.last]
            batch["of"][text, : len(ids) + 1] = [*of, OUTSIDE]
            batch["labels"][text, :number] = one.labels
            batch["kinds"][text, :number] = [
                KINDS.index(kind) if kind else -1 for kind in one.kinds
            ]
            batch["counts"][text, :number] = ALONE_COUNTS if one.sort == "alone" else 1.0
            batch["any_of"][text] = one.any_of
        return batch

    def begin(self) -> Tree:
        """Parameters from which nothing is changed yet."""
        wide, tuned = self.model.dims * len(MANNER), range(min(MANNER) - 1, max(MANNER))
        products = {}
        for number in tuned:
            for part in ("qkv", "out", "up", "down"):
                into, out_of = self.fixed[f"layer.{number}.{part}"][0].shape
                products[f"layer.{number}.{part}"] = (
                    self.draw.normal(0, into**-0.5, (into, RANK)),
                    np.zeros((RANK, out_of)),
                )
        heads = {
            "queries": self.draw.normal(0, 0.02, (wide, QUERIES)),
            "heads": self.draw.normal(0, 0.02, (QUERIES * wide, len(TOLD) - 1)),
            "bias": np.zeros(len(TOLD) - 1),
        }
        learned: Tree = jax.tree.map(jnp.float32, {"products": products, "heads": heads})
        return learned

    def states(self, fixed: Tree, products: Tree, batch: Tree) -> Any:
        """The tokens after the layers `MANNER`, side by side."""
        texts, tokens = batch["ids"].shape
        x = norm(fixed["table"][batch["ids"]] + fixed["positions"][:tokens], *fixed["norm"])
        hidden = jnp.where(batch["of"] > PADDING, 0.0, -1e9)[:, None, None, :]
        found = []

        def linear(x: Any, name: str) -> Any:
            weights, bias = fixed[name]
            into, out_of = products.get(name, (jnp.zeros((1, 1)), None))
            return x @ weights + bias + (0.0 if out_of is None else x @ into @ out_of)

        for number in range(max(MANNER)):
            name = f"layer.{number}."
            mixed = linear(x, f"{name}qkv").reshape(texts, tokens, 3, self.heads, -1)
            query, key, value = mixed.transpose(2, 0, 3, 1, 4)
            odds = query @ key.transpose(0, 1, 3, 2) / query.shape[-1] ** 0.5
            seen = (jax.nn.softmax(odds + hidden) @ value).transpose(0, 2, 1, 3)
            seen = seen.reshape(texts, tokens, -1)
            x = norm(x + linear(seen, f"{name}out"), *fixed[f"{name}norm1"])
            inner = jax.nn.gelu(linear(x, f"{name}up"), approximate=True)
            x = norm(x + linear(inner, f"{name}down"), *fixed[f"{name}norm2"])
            if number + 1 in MANNER:
                found.append(x)
        return jnp.concatenate(found, axis=-1)

    def pooled(self, fixed: Tree, learned: Tree, batch: Tree) -> Any:
        """What is pooled of each sentence."""
        x = self.states(fixed, learned["products"], batch)
        texts, sentences = batch["labels"].shape
        within = batch["of"][:, None, :] == jnp.arange(sentences)[None, :, None]
        odds = (x @ learned["heads"]["queries"]).transpose(0, 2, 1)[:, None]
        shares = jax.nn.softmax(jnp.where(within[:, :, None], odds, -1e9)) * within[:, :, None]
        return POOLED * jnp.einsum("bshl,bld->bshd", shares, x).reshape(texts, sentences, -1)

    def loss(self, learned: Tree, fixed: Tree, batch: Tree, key: Any) -> Any:
        """How far the heads are from the labels."""
        x = self.pooled(fixed, learned, batch)
        x = x * jax.random.bernoulli(key, 1 - DROPPED, x.shape) / (1 - DROPPED)
        said = x @ learned["heads"]["heads"] + learned["heads"]["bias"]
        odds, counts = said[..., 0], batch["counts"]
        wanted = batch["labels"] * (1 - SMOOTHING) + (1 - batch["labels"]) * SMOOTHING / 3
        highest = jnp.max(jnp.where(counts > 0, odds, -1e9), axis=1, keepdims=True)
        taken = jnp.where(batch["any_of"], (odds >= highest) * counts, counts)
        lasting = optax.sigmoid_binary_cross_entropy(odds, wanted) * taken
        kinds = optax.softmax_cross_entropy_with_integer_labels(
            said[..., 1:], jnp.maximum(batch["kinds"], 0)
        ) * (batch["kinds"] >= 0)
        return (lasting.sum() + KIND_COUNTS * kinds.sum()) / counts.sum()

    def learn(self, items: Sequence[Item]) -> Tree:
        """The parameters after all epochs."""
        learned = self.begin()
        steps = EPOCHS * sum(1 for _ in self.batches(self.epoch(items), learn=False))
        paces = {
            name: optax.warmup_cosine_decay_schedule(0, rate, steps // 10, steps, rate / 50)
            for name, rate in (("products", RATE), ("heads", RATE_OF_HEADS))
        }
        parts = {name: optax.adamw(pace, weight_decay=DECAY) for name, pace in paces.items()}
        descent = optax.chain(
            optax.clip_by_global_norm(1.0),
            optax.multi_transform(parts, {one: one for one in parts}),
        )
        state = descent.init(learned)

        def step(learned: Tree, state: Any, fixed: Tree, batch: Tree, key: Any) -> Any:
            loss, slope = jax.value_and_grad(self.loss)(learned, fixed, batch, key)
            moved, state = descent.update(slope, state, learned)
            return optax.apply_updates(learned, moved), state, loss

        stepped = jax.jit(step)
        key = jax.random.PRNGKey(SEED)
        for epoch in range(EPOCHS):
            losses = []
            for _, batch in self.batches(self.epoch(items), learn=True):
                key, one = jax.random.split(key)
                learned, state, loss = stepped(learned, state, self.fixed, batch, one)
                losses.append(float(loss))
            print(f"epoch {epoch}: {np.mean(losses):.4f}", flush=True)
        return learned

    def stating(self, learned: Tree, items: Sequence[Item]) -> tuple[Any, float]:
        """The weights by which what is pooled of a sentence says that it states something."""
        texts = {
            pair[end]: None
            for path in sorted((DATA / "pairs").glob("?.jsonl"))
            for pair in map(json.loads, path.read_text().splitlines())
            for end in ("old", "new")
        }
        memories = [Item([self.rows(text)], [True], [""], sort="memory") for text in texts]
        pool = jax.jit(self.pooled)
        rows: list[Any] = []
        labels: list[bool] = []
        marked = [one for one in items if one.sort == "" and not one.any_of]
        # A sentence is asked about alone as well, and to be alone says nothing of it.
        alone = [
            Item([rows], [label], [""])
            for one in marked
            if len(one.rows) > 1
            for rows, label in zip(one.rows, one.labels, strict=True)
            if self.draw.random() < TAKEN_ALONE
        ]
        for some, batch in self.batches([*marked, *alone, *memories], learn=False):
            found = np.asarray(pool(self.fixed, learned, batch))
            for text, one in enumerate(some):
                rows += [*found[text, : len(one.rows)]]
                labels += one.labels
        return regression(np.array(rows, np.float32), np.array(labels, np.float32))


def together(
    rows: Sequence[list[int]],
    labels: Sequence[bool],
    kinds: Sequence[str],
    *,
    sort: str = "",
    any_of: bool = False,
) -> Iterator[Item]:
    """Sentences in parts that the model reads at a time."""
    start = size = 0
    for at, own in enumerate([*rows, [0] * LONGEST]):
        if at > start and (size + len(own) > LONGEST - 2 or at - start == SIZES[-1][2]):
            part = slice(start, at)
            yield Item(rows[part], labels[part], kinds[part], sort=sort, any_of=any_of)
            start, size = at, 0
        size += len(own)


def norm(x: Any, scale: Any, shift: Any) -> Any:
    """Layer normalisation."""
    x = x - x.mean(-1, keepdims=True)
    return x / jnp.sqrt((x * x).mean(-1, keepdims=True) + 1e-12) * scale + shift


def regression(rows: Any, labels: Any) -> tuple[Any, float]:
    """A logistic regression with a ridge, by Newton's method; both labels count the same."""
    rows = np.hstack([rows, np.ones((len(rows), 1), np.float32)])
    counts = np.where(labels, 1.0, labels.sum() / (len(labels) - labels.sum())).astype(np.float32)
    ridge = np.diag([*[RIDGE * POOLED**2] * (rows.shape[1] - 1), 1e-6])
    weights = np.zeros(rows.shape[1])
    for _ in range(NEWTONS):
        true = 1 / (1 + np.exp(-np.clip(rows @ weights.astype(np.float32), -30, 30)))
        slope = rows.T @ (counts * (true - labels)) + ridge @ weights
        bend = rows.T @ (rows * (counts * true * (1 - true))[:, None]) + ridge
        weights -= np.linalg.solve(bend, slope)
    return weights[:-1], float(weights[-1])


def write(learned: Tree, stating: tuple[Any, float]) -> None:
    """Write the file: each matrix as int8 values with a scale for each row."""
    arrays: Tree = {}

    def put(name: str, matrix: Any) -> None:
        matrix = np.asarray(matrix, np.float32)
        scales = np.maximum(np.abs(matrix).max(axis=1), 1e-9) / 127
        arrays[name] = np.rint(matrix / scales[:, None]).astype(np.int8)
        arrays[f"{name}.scales"] = scales

    for name, (into, out_of) in learned["products"].items():
        put(f"{name}.into", into.T)
        put(f"{name}.out_of", out_of.T)
    weights, constant = stating
    heads = np.vstack([np.asarray(learned["heads"]["heads"]).T, weights]) * POOLED
    bias = np.append(np.asarray(learned["heads"]["bias"]), constant)
    heads[0] *= SCALE
    bias[0] *= SCALE
    heads[-1] *= SCALE_OF_STATING
    bias[-1] = bias[-1] * SCALE_OF_STATING + SHIFT_OF_STATING
    put("queries", learned["heads"]["queries"].T)
    put("heads", heads)
    arrays["bias"] = bias.astype(np.float32)
    print(write_tensors(Path(WEIGHTS) / "minilm-telling.bin", "telling", arrays))


def main() -> None:
    """Fit and write."""
    fit = Fit()
    items = fit.items([one for one in written() if one.author not in LEFT_OUT])
    learned = fit.learn(items)
    write(learned, fit.stating(learned, items))


if __name__ == "__main__":
    main()
