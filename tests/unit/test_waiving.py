"""A cure that only waives a finding is for the same code, and none repeats what its finding says."""

from __future__ import annotations

from typing import Any

import pytest

from bowerbird.sessions.inject.waivers import Cured
from bowerbird.sessions.observe.errors import exact_print

UNCHECKED = {
    "errors": [exact_print("Error return value of `queue.Drain` is not checked (errcheck)")],
    "changed_file": "shop/queue.go",
    "removed": "_ = queue.Drain(limit)",
    "added": "_ = queue.Drain(limit) //nolint:errcheck",
}
ALIKE = {
    "errors": [exact_print("12-30 lines are duplicate of `shop/cart_test.go:40-58` (dupl)")],
    "changed_file": "shop/cart_test.go",
    "removed": "func TestCart(t *testing.T) {",
    "added": "func TestCart(t *testing.T) { //nolint:dupl",
}
FORBIDDEN = {
    "errors": [],
    "changed_file": "shop/till.go",
    "removed": "os.Exit(1)",
    "added": "shop.Leave(1)",
}
RENAMED = FORBIDDEN | {"added": "return fmt.Errorf(closed)"}


def helps(payload: dict[str, Any], finding: str, code: str = "") -> bool:
    return Cured(payload).helps([finding, code, "^"], finding, exact_print(finding))


def unchecked(file: str, name: str) -> str:
    return f"{file}:9:2: Error return value of `{name}` is not checked (errcheck)"


@pytest.mark.parametrize(
    ("file", "name", "code", "wanted"),
    [
        ("shop/queue.go", "till.Close", "till, _ := till.Close()", True),
        ("shop/cart.go", "queue.Drain", "x, _ := queue.Drain()", True),
        ("shop/cart.go", "mail.Send", "_ = mail.Send(letter)", True),
        ("shop/cart.go", "mail.Send", "sent, _ := mail.Send(letter)", False),
        ("shop/cart.go", "mail.Send", "", False),
        ("shop/cart_test.go", "mail.Send", "_ = mail.Send(letter)", False),
    ],
)
def test_a_waiver_is_for_its_file_its_name_or_a_line_alike(
    file: str, name: str, code: str, wanted: bool
) -> None:
    assert helps(UNCHECKED, unchecked(file, name), code) is wanted


def test_a_waiver_in_a_test_is_none_for_what_is_no_test() -> None:
    said = "12-40 lines are duplicate of `shop/till{}.go:5-33` (dupl)"
    assert not helps(ALIKE, f"shop/mail.go:12: {said.format('')}", "func Send(to string) error {")
    test = f"shop/mail_test.go:12: {said.format('_test')}"
    assert helps(ALIKE, test, "func TestSend(t *testing.T) {")


def test_a_cure_that_says_no_more_than_its_finding_is_none() -> None:
    finding = 'a.go:3:1: use of `os.Exit` forbidden because "use shop.Leave() instead" (forbidigo)'
    assert not helps(FORBIDDEN, finding)
    assert helps(RENAMED, finding)


def test_what_was_written_by_hand_is_taken_as_it_is() -> None:
    assert helps({}, unchecked("a.go", "b"), "c")


def test_a_waiver_of_a_message_that_names_nothing_is_for_its_file_or_a_line_alike() -> None:
    said = "error is not nil (line 271) but it returns nil (nilerr)"
    waived = {
        "errors": [exact_print(said)],
        "changed_file": "shop/queue.go",
        "removed": "return []Order{}, nil",
        "added": "return []Order{}, nil //nolint:nilerr",
    }
    assert helps(waived, f"shop/queue.go:9:2: {said}", "return letter, nil")
    assert not helps(waived, f"shop/mail.go:9:2: {said}", "return letter, nil")
