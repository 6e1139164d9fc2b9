"""The relay's messages: written ones are read again, and others are refused."""

from __future__ import annotations

import json

import pytest

from pos_app.errors import Invalid
from pos_app.wire import relay
from tests.sweep import each

COMMAND = relay.CommandMessage(
    command_id="c-1",
    attempt=1,
    operation="advance",
    key="k" * 16,
    target="A/B-1",
    body='{"payments":{"cash":1}}',
    remaining_ms=19_000,
)
ANSWER = relay.AnswerMessage(
    command_id="c-1",
    attempt=2,
    status=200,
    body='{"id":"r"}',
    pdf=(relay.PdfContent(receipt_id="r", content="JVBERi0="),),
)
OF_APPLICATION: list[relay.FromApplication] = [
    relay.HelloMessage(version=1, client_id="c", install_id="i", store_id="s", name="Каса 1"),
    relay.HelloMessage(version=1, client_id="c", install_id="i"),
    ANSWER,
    relay.DeclinedMessage(command_id="c-1", attempt=1, reason="asleep"),
]
OF_PLATFORM: list[relay.FromPlatform] = [
    relay.WelcomeMessage(account_id="a", heartbeat_seconds=20),
    relay.RefusedMessage(code="taken", reason="Another application is open for this store."),
    relay.NoticeMessage(code="taken", reason="…"),
    COMMAND,
]


def test_a_message_is_read_as_it_was_written_by_its_side_alone_and_whole() -> None:
    for message in (*OF_APPLICATION, *OF_PLATFORM):
        whole = relay.written(message)
        readers = [relay.from_application, relay.from_platform]
        own, other = readers if message in OF_APPLICATION else readers[::-1]
        assert own(whole) == message
        with pytest.raises(Invalid):
            other(whole)
        for end in range(len(whole)):
            with pytest.raises(Invalid):
                own(whole[:end])
    assert ANSWER.pdf[0].decoded() == b"%PDF-"


@each(
    ("member", "values"),
    [
        ("type", ["order", None]),
        ("commandId", ["", "c 1", "c" * 65, 1]),
        ("attempt", [0, "1", True]),
        ("operation", ["sale", "issue", "till"]),  # an issue has no target
        ("key", ["short", "k" * 65, "k" * 16 + "\n"]),
        ("hasNewKey", ["true"]),
        ("target", ["", "t" * 201, None]),
        ("body", [{"payments": {}}, "x" * (relay.MOST_BODY + 1)]),
        ("remainingMs", [-1, 60_001, 1.5]),
    ],
)
def test_a_wrong_member_is_refused(member: str, values: list[object]) -> None:
    document = json.loads(relay.written(COMMAND))
    assert relay.from_platform(json.dumps(document | {"colour": "red"})) == COMMAND
    for value in values:
        with pytest.raises(Invalid):
            relay.from_platform(json.dumps(document | {member: value}))


def test_what_is_no_json_object_of_ours_is_refused() -> None:
    twice = relay.written(COMMAND).replace('"attempt":1', '"attempt":1,"attempt":2')
    for frame in ("", "null", "[]", "1", '"hello"', "{}", twice, "[" * 40, b"{}"):
        for reader in (relay.from_application, relay.from_platform):
            with pytest.raises(Invalid):
                reader(frame)
    with pytest.raises(Invalid):
        relay.PdfContent(receipt_id="r", content="no base64").decoded()
