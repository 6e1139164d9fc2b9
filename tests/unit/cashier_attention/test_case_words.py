"""The words of a case in rows and notices."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from pos_app.cashier.attention.cases import SOURCES, sale_cases
from pos_app.cashier.attention.cases.case import Case, CaseFacts
from pos_app.cashier.attention.cases.catalogue import JoiningToDecide
from pos_app.cashier.attention.cases.doubts import DecideCase
from pos_app.cashier.texts.lookup import LANGUAGES, Language, Texts
from pos_app.cashier.words.refused_words import item_and_field, refused_words
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.buyer import BUYER_KINDS, COST_CENTRE_KINDS
from pos_app.domain.receipt.server_status import ReceiptInDoubt
from pos_app.domain.receipt.states import AnswerClass
from pos_app.fiscalization.device_ports import DeviceTrouble
from pos_app.selling.sale.receipt_drafts import FaultPart
from pos_app.selling.sale.sale import NO_ROOM, NOT_COMPARED, PendingReason
from pos_app.selling.sale.state import SaleState
from pos_app.selling.server.monitor import ServerView
from pos_app.selling.synchronisation.joining import OpenChanges
from tests.fakes.counter import Counter
from tests.sweep import each

FACTS = CaseFacts(ServerView(), datetime(2026, 11, 20, 13, 32, tzinfo=UTC))


def case(kind: type[sale_cases.SaleCase], reason: PendingReason | None) -> sale_cases.SaleCase:
    return kind.of(replace(Counter().sell(), state=SaleState.FROZEN, reason=reason))


@each("language", LANGUAGES)
def test_who_can_help_is_named_and_nobody_else(language: Language) -> None:
    words = Texts(language)
    reason = PendingReason(AnswerClass.CURE, NO_ROOM, "The disk is nearly full.")
    full = case(sale_cases.DiskNeedsRoom, reason)
    told = full.notice(words, FACTS)
    said = f"{full.title(words)} {told.happened} {told.press}".lower()
    assert "64 mb" in said
    assert words("status.processor").lower() not in said
    plain = case(sale_cases.CancelledSoon, PendingReason(AnswerClass.WAIT, "outcome_unknown"))
    waits = case(sale_cases.CancelledSoon, PendingReason(AnswerClass.WAIT, NOT_COMPARED, "later"))
    assert waits.why(words, FACTS) != plain.why(words, FACTS)
    happened = waits.notice(words, FACTS).happened
    assert words("status.processor").lower()[:6] in happened.lower()
    assert {"sr-Cyrl": "управник", "sr-Latn": "upravnik", "en": "manager"}[language] in happened


@each("language", LANGUAGES)
def test_an_act_that_may_be_done_already_is_asked_about_as_that(language: Language) -> None:
    """Nothing was sent, so no answer of the processor is missing, and no receipt of it exists."""
    words, sale = Texts(language), replace(Counter().sell(), state=SaleState.DOUBT)
    doubt = ReceiptInDoubt(
        receipt_id="r-1",
        key=sale.key,
        state="needs_human",
        since=FACTS.now,
        total=None,
        code="act_unknown",
    )
    asked = DecideCase.in_doubt(sale, doubt)
    usual = DecideCase.in_doubt(sale, replace(doubt, code="restored"))
    told, otherwise = asked.notice(words, FACTS), usual.notice(words, FACTS)
    assert told.happened != otherwise.happened
    assert told.press != otherwise.press
    proven = replace(doubt, done_before=("AAAA1111-AAAA1111-17",))
    for of, part in ((proven, " 17."), (replace(doubt, done_before=()), told.happened)):
        shown = DecideCase.in_doubt(sale, of).notice(words, FACTS).happened
        assert part in shown
        assert shown != told.happened
    steps, others = asked.steps(words, FACTS), usual.steps(words, FACTS)
    assert {one.title for one in steps}.isdisjoint(one.title for one in others)


# --- reading the server's words about a refused sale ---------------------------------------------


FIX = AnswerClass.FIX


@each(
    ("path", "item", "field"),
    [
        ("items[0].sku", 1, "sku"),
        ("items[11].article.taxRateLabel", 12, "label"),
        ("items[1]", 2, ""),
        ("buyerId", None, "buyer"),
        ("payments.card", None, "payments"),
        ("receiptDelivery.thermalPrinter", None, "delivery"),
        ("", None, ""),
        ("strange", None, ""),
    ],
)
def test_a_path_names_line_and_field(path: str, item: int | None, field: str) -> None:
    assert item_and_field(path) == (item, field)


@each(
    ("path", "code", "pfr", "serbian", "english"),
    [
        ("items[0].sku", "40090001", "", "Ставка 1: шифра артикла не постоји.",
         "Item 1: the item code does not exist."),
        ("items[1]", "40090001", "", "Ставка 2.", "Item 2."),
        ("buyerId", "40012806", "2806", "Поље: број купца. Облик вредности није добар.",
         "Field: customer's number. A value has a wrong form."),
        ("", "40012806", "", "Облик вредности није добар.", "A value has a wrong form."),
        ("", "40090001", "", "", ""),
        ("strange", "40012999", "2999", "", ""),
    ],
)  # fmt: skip
def test_a_refusal_in_plain_words(
    path: str, code: str, pfr: str, serbian: str, english: str
) -> None:
    message = '"items[7].quantity" in a message is for people'
    reason = PendingReason(FIX, code, message, pfr, field=path)
    assert refused_words(reason, Texts()) == serbian
    assert refused_words(reason, Texts("en")) == english


def kinds(of: type[Case]) -> set[str]:
    """The kinds of a class of cases and of its subclasses."""
    own = {of.kind} if hasattr(of, "kind") else set()
    return own.union(*map(kinds, of.__subclasses__()))


KINDS = kinds(Case)


def test_every_kind_of_case_is_known_here() -> None:
    assert SOURCES
    assert len(KINDS) == 83


@each(
    "key",
    [
        *(f"pay.{kind}.{method}" for kind in ("method", "line",
         "hint") for method in PaymentMethod),
        *(f"pay.kind.{kind.name}" for kind in BUYER_KINDS.values()),
        *(f"pay.centre.{kind.name}" for kind in COST_CENTRE_KINDS.values() if kind.code != "60"),
        *(f"att.trouble.{trouble}" for trouble in DeviceTrouble),
        *(f"att.ask.{kind}" for kind in KINDS),
        *(f"att.row.{kind}" for kind in KINDS - {"solved"}),
        *(f"pay.{place}" for place in (FaultPart.BUYER, FaultPart.DELIVERY, FaultPart.DISCOUNT,
         FaultPart.TEXT, FaultPart.ADVANCE)),
    ],
)  # fmt: skip
def test_each_kind_has_its_words(key: str) -> None:
    assert Texts().has(key)


@each("language", LANGUAGES)
def test_who_is_asked_about_joining_learns_what_waits(language: Language) -> None:
    words, at = Texts(language), FACTS.now
    (plain,) = JoiningToDecide(id="joining", since=at).steps(words, FACTS)
    assert plain.words == words("att.edits.words")
    changes = OpenChanges(waiting=3, to_decide=2)
    (step,) = JoiningToDecide(id="joining", since=at, changes=changes).steps(words, FACTS)
    assert step.words.endswith(f"\n{plain.words}")
    for part in (
        words.count("set.join.waiting", 3),
        words.count("set.join.undecided", 2),
        words("set.join.changes"),
    ):
        assert part in step.words
