"""The answer that counts about sending this shop's articles to a platform: the rule's table."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from pos_app.domain.article.store import Store
from pos_app.selling.synchronisation import joining
from tests.sweep import each

SEND, READ = joining.JoiningAnswer
NOW = datetime(2026, 11, 20, 12, 30, tzinfo=UTC)


def question(**fields: Any) -> joining.JoiningQuestion:
    return joining.JoiningQuestion(
        **{"url": "https://platform/v2", "key": "pk_1", "at": NOW, **fields}
    )


def facts(answer: joining.JoiningAnswer | None = None, **fields: Any) -> joining.JoiningFacts:
    return joining.JoiningFacts(**{"before": joining.Joining(None, answer), "now": NOW, **fields})


@each(
    ("told", "counts"),
    [
        (facts(is_demo=True, command_answer=READ, setting=READ), SEND),
        (facts(READ, command_answer=SEND), joining.NewAnswer(SEND, joining.BY_COMMAND)),
        (facts(READ, command_answer=READ), READ),
        (facts(READ, setting=SEND, setting_before=None),
         joining.NewAnswer(SEND, joining.BY_SETTING)),
        (facts(SEND, setting=READ, setting_before=SEND),
         joining.NewAnswer(READ, joining.BY_SETTING)),
        (facts(READ, setting=SEND, setting_before=SEND), READ),
        (facts(READ, setting=None, setting_before=SEND), READ),
        (facts(SEND, setting=SEND, setting_before=None), SEND),
        (facts(READ, command_answer=READ, setting=SEND, setting_before=None), READ),
        (facts(setting=SEND, setting_before=SEND), joining.NewAnswer(SEND, joining.BY_SETTING)),
        (facts(SEND, sends_unasked=True, has_more=True), None),
        (facts(READ, sends_unasked=True, setting=READ, setting_before=READ),
         joining.NewAnswer(READ, joining.BY_SETTING)),
        (facts(has_more=False), joining.NewAnswer(SEND)),
        (facts(), None),
    ],
)  # fmt: skip
def test_what_was_said_last_counts(told: joining.JoiningFacts, counts: Any) -> None:
    assert joining.answer_before_asking(told) == counts


def test_settings_answer_or_leave_it_to_a_person() -> None:
    assert [joining.answer_of_settings(one) for one in ("send", "read", "ask")] == [
        SEND,
        READ,
        None,
    ]


def test_an_open_question_is_asked_anew_after_an_hour() -> None:
    before = joining.Joining(question(to_send=3), None)
    assert joining.answer_before_asking(facts(before=before)) == before.question
    assert joining.answer_before_asking(facts(before=before, now=NOW + joining.ASK_AGAIN)) is None
    later = NOW + joining.ASK_AGAIN - timedelta(seconds=1)
    assert joining.answer_before_asking(facts(before=before, now=later)) == before.question


@each(
    ("fields", "asks"),
    [
        ({}, False),
        ({"listed": 3}, False),
        ({"to_send": 1}, True),
        ({"same": 1}, True),
        ({"changes": joining.OpenChanges(waiting=1)}, True),
        ({"changes": joining.OpenChanges(to_decide=1)}, True),
        ({"changes": joining.OpenChanges(stores=1)}, True),
    ],
)
def test_a_person_is_asked_where_anything_depends_on_it(fields: Any, asks: bool) -> None:
    asked = question(**fields)
    found = joining.answer_after_asking(under_another_key=None, question=lambda: asked)
    assert found == (asked if asks else joining.NewAnswer(SEND))


def test_what_was_said_under_another_key_holds_and_nothing_is_counted() -> None:
    def counted() -> joining.JoiningQuestion:
        raise AssertionError

    assert joining.answer_after_asking(under_another_key=READ, question=counted) is READ


def test_a_demo_says_that_it_does_not_hear_an_answer() -> None:
    assert facts(is_demo=True, command_answer=SEND).is_unheard
    assert not facts(is_demo=True).is_unheard
    assert not facts(command_answer=SEND).is_unheard


def test_the_store_of_this_shop_is_shown_first_and_five_at_most() -> None:
    stores = [Store(id=str(number), name=f"S{number}", city="Ниш") for number in range(7)]
    shown = joining.stores_there(stores, "6")
    assert [one.name for one in shown] == ["S6", "S0", "S1", "S2", "S3"]
    assert shown[0] == joining.StoreThere("S6", "Ниш")
