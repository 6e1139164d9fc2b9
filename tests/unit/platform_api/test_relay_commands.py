"""Tables, without I/O: what follows for a key again, and the callers served together."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt_identity import receipt_id, relay_origin
from pos_app.platform_api.relay import commands, presence
from pos_app.platform_api.relay.commands import BINDING, CommandState, Next, RelayCommand

COMMAND = RelayCommand(
    id="c-1",
    account="a-1",
    client="till-1",
    key="k" * 16,
    keyless=False,
    operation="issue",
    target=None,
    body="{}",
    body_hash=b"one",
    made_ms=0,
    until_ms=20_000,
    asker="w",
)
TILL = presence.Application("a-1", "till-1", "install-1", "store-1", "Каса 1", "w", "line-1", 0)


def next_of(command: RelayCommand, *, is_same: bool, client: str = "till-1", **is_so: bool) -> Next:
    asked = b"one" if is_same else b"two"
    return commands.next_of(command, asked_hash=asked, asked_client=client, **is_so)


def test_what_follows_for_a_repeated_key() -> None:
    """A key goes to its client alone, and an answer that was shed is asked of it again."""
    for state, is_same, is_connected, wants_link in product(
        CommandState, (True, False), (True, False), (True, False)
    ):
        answered = replace(COMMAND, state=state, answer="{}")
        is_so: dict[str, Any] = {"is_connected": is_connected, "wants_link": wants_link}
        if state in BINDING and not is_same:
            wanted = Next.CONFLICT
        elif state is CommandState.ANSWERED:
            wanted = Next.HAND_OVER if is_connected and wants_link else Next.STORED
        elif is_connected:
            wanted = Next.HAND_OVER
        else:  # never "surely not" after a hand-over
            wanted = Next.LOST if state is CommandState.HANDED_OVER else Next.NO_CLIENT
        told = (state, is_same, is_connected)
        assert next_of(answered, is_same=is_same, **is_so) is wanted, told
        if state is not CommandState.NEW:
            assert next_of(answered, is_same=True, client="till-2", **is_so) is Next.CONFLICT, told
        shed = replace(COMMAND, state=CommandState.ANSWERED, answer=None)
        again = Next.HAND_OVER if is_connected else Next.LOST
        assert next_of(shed, is_same=True, **is_so) is again
        assert commands.next_of_look_up(shed, is_connected=is_connected) is again


def test_what_follows_for_a_look_up_while_nobody_is_there() -> None:
    wanted = {
        CommandState.NEW: Next.NO_CLIENT,
        CommandState.HANDED_OVER: Next.LOST,
        CommandState.ANSWERED: Next.STORED,
        CommandState.REFUSED: Next.NOT_ISSUED,
    }
    for state, following in wanted.items():
        known = replace(COMMAND, state=state, answer="{}")
        assert commands.next_of_look_up(known, is_connected=False) is following
        assert commands.next_of_look_up(known, is_connected=True) is Next.HAND_OVER
    assert commands.next_of_look_up(None, is_connected=False) is Next.NO_CLIENT


def test_a_body_is_bound_with_its_operation_and_its_receipt() -> None:
    hashes = {
        commands.body_hash(b"{}", operation=operation, target=target)
        for operation in (Operation.COPY, Operation.REFUND)
        for target in ("A-A-1", "A-A-2")
    }
    assert len(hashes) == 4
    origin = relay_origin(account="a-1", client="till-1")
    assert COMMAND.receipt_id == receipt_id(origin=origin, key="k" * 16)


def test_one_application_a_client_and_a_store() -> None:
    others = {
        "the same again": TILL,
        "another installation": replace(TILL, install="install-2"),
        "another client of the store": replace(TILL, client="till-2", install="install-2"),
        "another store": replace(TILL, client="till-2", install="install-2", store="store-2"),
        "no store": replace(TILL, client="till-2", install="install-2", store=None),
    }
    found = {name: presence.entry(other, [TILL]) for name, other in others.items()}
    assert found["the same again"] == presence.Entered((TILL,))
    assert found["another store"] == found["no store"] == presence.Entered()
    for name in ("another installation", "another client of the store"):
        barred = found[name]
        assert isinstance(barred, presence.Barred)
        assert barred.by is TILL
