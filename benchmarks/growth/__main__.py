"""The command: measures several sizes of one corpus, the product beside other systems.

    PYTHONPATH=benchmarks python -m growth --sizes 1k,10k,100k --out benchmarks/results
    PYTHONPATH=benchmarks python -m growth --sizes 1m --stores grown --peers-python PYTHON

The others are full-text search alone, a numpy scan, and the peers whose adapters are in benchmarks/peers
and whose packages are installed.
"""

import argparse
import io
import sys

from bowerbird.bench.command import sizes
from bowerbird.bench.record import write
from bowerbird.core.errors import BadInput
from bowerbird.surfaces.cli.page import Page
from growth.measure import ITERATIONS, grown, measure
from growth.render import text

SIZES = (1_000, 10_000, 100_000)


def main() -> int:
    """Measure, and print a table for each size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", help="passages, such as 1k,10k (default 1k,10k,100k)")
    parser.add_argument("--iterations", type=int, default=ITERATIONS, help="questions")
    parser.add_argument("--seed", type=int, default=1, help="of the corpus")
    parser.add_argument("--peers-python", help="interpreter that has the peers")
    parser.add_argument("--stores", help="keep corpora and stores there, and reuse them")
    parser.add_argument("--out", help="write results there, as JSON")
    asked = parser.parse_args()
    results, written = [], []
    try:
        for size in sizes(asked.sizes) or SIZES:
            result = measure(
                size,
                iterations=asked.iterations,
                seed=asked.seed,
                peers_python=asked.peers_python,
                stores=asked.stores,
            )
            results.append(result)
            if asked.out:
                written.append(write(asked.out, f"growth-{size}", result))
    except BadInput as error:
        print(f"{error}: {error.remedy}", file=sys.stderr)
        return 2
    data = {"bench": "growth", "results": results, "growth": grown(results), "written": written}
    print(text(data, Page.of(io.StringIO(), quiet=False, verbose=False)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
