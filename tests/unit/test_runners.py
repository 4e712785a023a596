"""What test runners report: outputs of real runs of small projects (tests/data/runners)."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bowerbird.sessions.learn.curing import faults
from bowerbird.sessions.learn.runners.registry import SIGNS, plain, report, run_passed, runner
from bowerbird.sessions.learn.test_runs import failed

DATA = Path(__file__).parents[1] / "data" / "runners"


def output(name: str) -> str:
    return (DATA / f"{name}.txt").read_text(encoding="utf-8")


def failures_of(text: str) -> list[tuple[str, str, str]]:
    found = report(text)
    assert found is not None
    assert not found.passed
    return [(one.name, one.file, one.reason) for one in found.failures]


GO = [
    ("TestTotalWithoutDiscount", "price_test.go", "Total() = 0, want 3"),
    (
        "TestLabel/two_words",
        "price_test.go",
        'Label("green Tea") = "Green Tea", want "Green tea"',
    ),
    ("TestEmpty", "", "panic: runtime error: index out of range [0] with length 0"),
]
PYTEST = [
    ("tests/test_price.py::test_total_without_discount", "assert None == 3"),
    (
        "tests/test_price.py::test_label[green tea]",
        "AssertionError: assert 'Green Tea' == 'Green tea'",
    ),
    (
        "tests/test_price.py::TestTotal::test_error",
        "TypeError: unsupported operand type(s) for +: 'int' and 'str'",
    ),
]
UNITTEST = [
    (
        "tests.test_unit.PriceTest.test_raises",
        "TypeError: unsupported operand type(s) for +: 'int' and 'str'",
    ),
    ("tests.test_unit.PriceTest.test_label", "AssertionError: 'Green Tea' != 'Green tea'"),
    ("tests.test_unit.PriceTest.test_total", "AssertionError: None != 3"),
]
NO_UPPER = "TypeError: Cannot read properties of undefined (reading 'toUpperCase')"
NOT_EQUAL = "Expected values to be strictly equal: undefined !== 3"
CARGO = [
    ("tests::parses", "src/lib.rs", "Error: ParseIntError { kind: InvalidDigit }"),
    ("tests::label_of_nothing", "src/lib.rs", "end byte index 1 is out of bounds of ``"),
    (
        "tests::total_without_discount",
        "src/lib.rs",
        "assertion `left == right` failed: the sum alone, left: 0, right: 3",
    ),
    (
        "ten_percent_off",
        "tests/whole.rs",
        "assertion failed: shop::total(&[10], Some(1)) == 8",
    ),
    (
        "src/lib.rs - documented (line 11)",
        "src/lib.rs",
        'assertion `left == right` failed, left: "Green tea", right: "Green Tea"',
    ),
]
NO_UPCASE = "NoMethodError: undefined method `upcase' for nil:NilClass"
RSPEC = [
    ("total is the sum without a discount", "spec/price_spec.rb", "expected 3, got nil"),
    ("label rejects nothing", "spec/price_spec.rb", NO_UPCASE),
]
TWO_STRINGS = "Failed asserting that two strings are identical"
OUT_OF_RANGE = "Index and length must refer to a location within the string."
FAILED = {
    "go": GO,
    "go-v": GO[1:2],
    "gotestsum": GO,
    "pytest": [(name, "tests/test_price.py", said) for name, said in PYTEST],
    "pytest-colour": [(name, "tests/test_price.py", said) for name, said in PYTEST],
    "unittest": [(name, "/srv/shop/tests/test_unit.py", said) for name, said in UNITTEST],
    "jest": [
        (
            "total › without a discount is the sum",
            "jest/price.test.js",
            "expected 3, got undefined",
        ),
        ("label rejects nothing", "jest/price.test.js", NO_UPPER),
    ],
    "vitest": [
        (
            "total › without a discount is the sum",
            "vitest/price.test.js",
            "AssertionError: expected undefined to be 3",
        ),
        ("label rejects nothing", "vitest/price.test.js", NO_UPPER),
    ],
    "mocha": [
        (
            "total › without a discount is the sum",
            "mocha/price.spec.js",
            f"AssertionError [ERR_ASSERTION]: {NOT_EQUAL}",
        ),
        ("label › rejects nothing", "mocha/price.spec.js", NO_UPPER),
    ],
    "mocha-tap": [
        ("total without a discount is the sum", "", NOT_EQUAL),
        ("label rejects nothing", "", NO_UPPER.partition(": ")[2]),
    ],
    "node-spec": [
        (
            "without a discount is the sum",
            "node/price.test.js",
            f"AssertionError [ERR_ASSERTION]: {NOT_EQUAL}",
        ),
        (
            "rejects nothing",
            "node/price.test.js",
            NO_UPPER.replace("TypeError", "TypeError [Error]"),
        ),
    ],
    "node-tap": [
        ("without a discount is the sum", "/srv/shop/node/price.test.js", NOT_EQUAL),
        (
            "rejects nothing",
            "/srv/shop/node/price.test.js",
            NO_UPPER.partition(": ")[2],
        ),
    ],
    "cargo": CARGO,
    "nextest": [(CARGO[2][0], "", CARGO[2][2])],
    "rspec": RSPEC,
    "rspec-colour": RSPEC,
    "minitest": [
        ("PriceTest#test_total", "test/price_test.rb", "expected 3, got nil"),
        ("PriceTest#test_label_of_nothing", "test/price_test.rb", NO_UPCASE),
    ],
    "maven": [
        (
            "PriceTest.totalWithoutDiscount",
            "",
            "the sum alone ==> expected: <3> but was: <null>",
        ),
        (
            "PriceTest.labelOfNothing",
            "",
            "StringIndexOutOfBoundsException: String index out of range: 0",
        ),
    ],
    "gradle": [
        ("PriceTest.totalWithoutDiscount", "PriceTest.java", ""),
        ("PriceTest.labelOfNothing", "PriceTest.java", ""),
    ],
    "phpunit": [
        (
            "PriceTest::testRaises",
            "/srv/shop/tests/PriceTest.php",
            "TypeError: total(): Argument #1 ($prices) must be of type array, string given",
        ),
        (
            "PriceTest::testTotalWithoutDiscount",
            "/srv/shop/tests/PriceTest.php",
            "Failed asserting that null is identical to 3.",
        ),
        (
            "PriceTest::testLabel (two words)",
            "/srv/shop/tests/PriceTest.php",
            f"wrong words {TWO_STRINGS}: expected 'Green tea', got 'Green Tea'",
        ),
    ],
    "ctest": [
        ("total_without_discount", "", ""),
        ("crashes", "", "Exception: SegFault"),
        ("slow", "", "Timeout"),
    ],
    "ctest-output": [
        ("total_without_discount", "price.c", "price.c:12: expected 3, got 0"),
        ("crashes", "", "Exception: SegFault"),
        ("slow", "", "Timeout"),
    ],
    "dotnet": [
        (
            "Shop.Tests.PriceTest.TotalWithoutDiscount",
            "/srv/shop/Shop.Tests/PriceTest.cs",
            "expected 3, got 0",
        ),
        (
            'Shop.Tests.PriceTest.LabelOfNothing(name: "")',
            "/srv/shop/Shop.Tests/PriceTest.cs",
            f"System.ArgumentOutOfRangeException : {OUT_OF_RANGE}",
        ),
    ],
}


@pytest.mark.parametrize("name", FAILED)
def test_failed_tests_are_read_with_file_and_message(name: str) -> None:
    assert failures_of(output(name)) == FAILED[name]


@pytest.mark.parametrize("name", FAILED)
def test_a_run_with_the_line_ends_of_windows_is_read_alike(name: str) -> None:
    assert failures_of(output(name).replace("\n", "\r\n")) == FAILED[name]


# Surefire's and Gradle's closing lines are far above the end of their outputs.
LINES = dict.fromkeys(FAILED, 10) | {"maven": 18, "gradle": 20, "node-spec": 22}


@pytest.mark.parametrize("name", FAILED)
def test_the_end_of_a_failed_run_says_that_it_failed(name: str) -> None:
    end = "\n".join(output(name).rstrip().split("\n")[-LINES[name] :])
    found = report(end)
    assert found is not None
    assert not found.passed
    assert {one.name for one in found.failures} <= {one for one, _, _ in FAILED[name]}
    assert failed(f"make check | tail -{LINES[name]}", end, flagged=False)


@pytest.mark.parametrize("path", sorted(DATA.glob("*-passed.txt")), ids=lambda path: path.stem)
def test_a_run_that_passed_did_not_fail(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for shown in (text, text.replace("\n", "\r\n")):
        found = report(shown)
        assert found is not None
        assert found.passed
        assert run_passed(shown)
        assert not failed("make check | tail", shown, flagged=False)


def test_each_runner_has_outputs() -> None:
    texts = [path.read_text(encoding="utf-8") for path in DATA.glob("*.txt")]
    for one in map(runner, SIGNS):
        assert any(
            re.search(one.failed, text, re.MULTILINE) and [*one.failures(text)] for text in texts
        ), one.name


@pytest.mark.parametrize("path", sorted(DATA.glob("*.txt")), ids=lambda path: path.stem)
def test_an_output_that_a_runner_knows_has_a_sign_of_it_in_each_of_its_lines(path: Path) -> None:
    text = plain(path.read_text(encoding="utf-8"))
    for name, signs in SIGNS.items():
        one = runner(name)
        for pattern in (one.failed, one.passed):
            for match in re.finditer(pattern, text, re.MULTILINE):
                line_ends = text.find("\n", match.end()) % (len(text) + 1)
                around = f"\n{text[match.start() : line_ends]}\n"
                assert any(sign in around for sign in signs), (name, around)


def test_only_runners_with_a_sign_in_the_output_are_loaded() -> None:
    program = (
        "import sys\n"
        "from bowerbird.sessions.learn.test_runs import failed\n"
        "assert failed('pytest | tail', '=== 1 failed, 2 passed in 0.4s ===', flagged=False)\n"
        "print(*(one for one in sys.modules if '.runners.' in one))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    own = "bowerbird.sessions.learn.runners"
    assert {*done.stdout.split()} == {f"{own}.{one}" for one in ("registry", "report", "pytest")}


@pytest.mark.parametrize(
    "text",
    [
        "Passed!  - Failed:     0, Passed:   296, Skipped:     0, Total:   296, Duration: 2 s",
        "===== 3 passed, 0 failed in 0.12s =====",
        "12 examples, 0 failures, 2 pending",
        "ok 1 - is sorted # TODO later\nnot ok 2 - is stable # TODO one day\n1..2\n# pass 1\n# fail 0",
        "OK (12 tests, 30 assertions)",
    ],
)
def test_no_failure_is_no_failure(text: str) -> None:
    found = report(text)
    assert found is not None
    assert found.passed


@pytest.mark.parametrize(
    "text",
    ["", "Tests are described in CONTRIBUTING.md.", "added 3 packages", "error: no such file"],
)
def test_what_is_no_report_is_none(text: str) -> None:
    assert report(text) is None


def test_a_log_that_is_shown_is_no_run() -> None:
    log = output("pytest")
    assert not failed("cat build.log", log, flagged=False)
    assert not failed("cd ci && tail -50 build.log | grep -v ok", log, flagged=False)
    assert failed("cd ci && ./all.sh | tail -50", log, flagged=False)


def test_errors_that_passed_tests_provoke_are_none() -> None:
    text = "Error: no such file\n" + output("jest-passed")
    assert not failed("npm test", text, flagged=False)
    assert failed("npm run build; npm test", text, flagged=False)


def test_a_line_of_many_counts_is_read_in_a_moment() -> None:
    # Two ways to read one word made two to the power of their number.
    assert report("1 passed, " * 4_000) is None
    assert report("\n" * 40_000 + "x") is None


@pytest.mark.parametrize(
    "line", ["\n", "\r\n", " " * 60 + "\n", "\t\n", "A.b(c): ", "((({{{[[[", "> "]
)
def test_a_hostile_output_is_read_in_one_pass(line: str) -> None:
    """What takes longer than linear time here would take hours."""
    text = line * (300_000 // len(line))
    assert report(text) is None
    assert failures_of(text + "\n--- FAIL: TestTotal (0.00s)") == [("TestTotal", "", "")]
    assert not faults(text).named
