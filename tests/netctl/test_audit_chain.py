"""A chain of audit entries breaks where anything of it is altered or missing."""

from dataclasses import replace
from typing import Any

import pytest

from netctl import AuditEntry, AuditTrail, broken_link


def chain() -> list[AuditEntry]:
    trail = AuditTrail()
    for number in range(5):
        trail.append(trail.draft("command", {"number": number}, 100.0 + number))
    return list(trail.entries)


def test_a_whole_chain_and_each_piece_of_it_hold() -> None:
    entries = chain()

    assert broken_link(entries) is None
    assert broken_link(entries[2:]) is None
    assert broken_link([]) is None


@pytest.mark.parametrize("index", range(5))
@pytest.mark.parametrize(
    "forgery",
    [
        {"facts": '{"number":9}'},
        {"timestamp_s": 1.0},
        {"kind": "state"},
        {"previous": "1" * 64},
        {"digest": "1" * 64},
    ],
    ids=lambda forgery: next(iter(forgery)),
)
def test_an_altered_entry_is_found(index: int, forgery: dict[str, Any]) -> None:
    entries = chain()
    entries[index] = replace(entries[index], **forgery)

    assert broken_link(entries) == index + 1


def test_an_altered_entry_with_a_new_digest_breaks_the_next() -> None:
    entries = chain()
    forged = replace(entries[1], facts="{}")
    entries[1] = replace(forged, digest=forged.expected_digest)

    assert broken_link(entries) == 3


def test_a_missing_entry_and_a_false_beginning_are_found() -> None:
    entries = chain()
    first = replace(entries[0], previous="1" * 64)

    assert broken_link([*entries[:2], *entries[3:]]) == 4
    assert broken_link([replace(first, digest=first.expected_digest)]) == 1
