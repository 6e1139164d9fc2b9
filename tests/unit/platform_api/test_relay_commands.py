"""Tables, without I/O: the result for a key that comes again, and the callers that may be served
together."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

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


def test_the_receipt_id_is_the_one_that_the_server_derives() -> None:
    origin = relay_origin(account="a-1", client="till-1")
    assert COMMAND.receipt_id == receipt_id(origin=origin, key="k" * 16)


def test_what_follows_for_a_repeated_key() -> None:
    for state, is_same, is_connected, wants_link in product(
        CommandState, (True, False), (True, False), (True, False)
    ):
        following = commands.next_of(
            replace(COMMAND, state=state, answer="{}"),
            asked_hash=b"one" if is_same else b"two",
            asked_client="till-1",
            is_connected=is_connected,
            wants_link=wants_link,
        )
        if state in BINDING and not is_same:
            wanted = Next.CONFLICT
        elif state is CommandState.ANSWERED:
            wanted = Next.HAND_OVER if is_connected and wants_link else Next.STORED
        elif is_connected:
            wanted = Next.HAND_OVER
        else:  # never "surely not" after a hand-over
            wanted = Next.LOST if state is CommandState.HANDED_OVER else Next.NO_CLIENT
        assert following is wanted, (state, is_same, is_connected)


def test_a_key_goes_to_its_client_alone() -> None:
    for state in set(CommandState) - {CommandState.NEW}:
        following = commands.next_of(
            replace(COMMAND, state=state),
            asked_hash=b"one",
            asked_client="till-2",
            is_connected=True,
            wants_link=False,
        )
        assert following is Next.CONFLICT


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


def test_an_answer_that_was_shed_is_asked_of_its_client() -> None:
    shed = replace(COMMAND, state=CommandState.ANSWERED, answer=None)
    for is_connected, wanted in ((True, Next.HAND_OVER), (False, Next.LOST)):
        following = commands.next_of(
            shed,
            asked_hash=b"one",
            asked_client="till-1",
            is_connected=is_connected,
            wants_link=False,
        )
        assert following is wanted
        assert commands.next_of_look_up(shed, is_connected=is_connected) is wanted


def test_a_body_is_bound_with_its_operation_and_its_receipt() -> None:
    hashes = {
        commands.body_hash(b"{}", operation=operation, target=target)
        for operation in (Operation.COPY, Operation.REFUND)
        for target in ("A-A-1", "A-A-2")
    }
    assert len(hashes) == 4


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


def test_a_store_alone_counts_the_tills_that_are_away() -> None:
    without = replace(TILL, client="till-2", store=None)
    named, nameless = {"till-1": "store-1"}, {"till-2": None}
    for here, known, found in (
        ([TILL, without], named | nameless, TILL),
        ([without], named | nameless, None),
        ([without], nameless, without),
        ([without], nameless | {"till-3": None}, None),
        ([], nameless, None),
        ([], {}, None),
    ):
        assert presence.only_one(here, known, store="store-1") is found
