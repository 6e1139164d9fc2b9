"""The platform's page, its keys, and the store: changes are sent, confirmed first."""

from __future__ import annotations

from dataclasses import replace
from uuid import uuid4

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton

from pos_app import errors
from pos_app.adapters.data_folder import catalogue_file
from pos_app.cashier.settings import store_model
from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.platform_form import PlatformForm
from pos_app.cashier.settings.platform_model import PlatformField, PlatformModel
from pos_app.cashier.settings.platform_page import PlatformPage
from pos_app.cashier.ui.edit_panel import SideButton
from pos_app.cashier.ui.field import Field
from pos_app.domain.article.store import PickerType, payment_rows
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.server_status import PublicMode, PublicModeState
from pos_app.domain.setup.platform_key import KeyScope
from pos_app.domain.setup.platform_setup import PlatformChange
from pos_app.selling.catalogue.catalogue import create_for_code
from pos_app.selling.synchronisation.catalogue_edits import EditSide
from pos_app.selling.synchronisation.joining import JoiningAnswer
from tests.fakes import platform_setup
from tests.fakes.people_here import let_in
from tests.gui.inside import inside
from tests.gui.parts import (
    lines_of,
    notice_in,
    notices_in,
    only,
    page_in_front,
    page_shown,
    visible_parts,
)
from tests.gui.patience import until
from tests.gui.settings.conftest import at_page, esc_keys, save, saved, says, type_over, written
from tests.gui.settings.screens import PIN
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.joining import QUESTION, ask_to_join
from tests.gui.window.shop import Shop
from tests.sweep import sampled


async def loaded(shop: Shop) -> PlatformModel:
    shop.platform_setup.told = platform_setup.OURS
    model = PlatformModel(shop.services)
    await model.load()
    return model


async def at_platform(hands: Hands) -> tuple[PlatformPage, PlatformModel]:
    """The platform's page, once the server has answered."""
    screen, page = await at_page(hands, PageName.PLATFORM)
    model = screen.model.platform
    await until(lambda: model.keys is not None)
    return page, model


async def put(hands: Hands, widget: QAbstractButton) -> None:
    """Press it with Space, once it is there."""
    await until(lambda: widget.isVisible() and widget.isEnabled())
    widget.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(widget, Qt.Key.Key_Space)


async def tapped(hands: Hands, words: str) -> None:
    """Tap the button with these words, once it is there."""
    await until(lambda: bool(hands.buttons(words)))
    hands.tap_words(words)


async def test_an_address_is_checked_as_it_is_typed_and_a_secret_goes_one_way(shop: Shop) -> None:
    desk, model = shop.platform_setup, await loaded(shop)
    for wrong in ("platforma.lipa.rs/v2", "https://platforma.lipa.rs", "ftp://a/v2", "https:///v2"):
        model.type(PlatformField.URL, wrong)
        assert model.url_is_wrong
        await model.try_out()
        await model.save()
    assert not desk.tried
    assert not desk.changes
    model.type(PlatformField.URL, " https://platforma.lipa.rs/pos/v2/ ")
    model.type(PlatformField.SECRET, "tajna")
    model.set_public_mode(True)
    await model.save()
    assert desk.changes == [
        PlatformChange(url="https://platforma.lipa.rs/pos/v2/", public_mode=True, secret="tajna")
    ]
    assert model.typed_texts[PlatformField.SECRET] == ""
    assert not model.has_changes
    assert "tajna" not in repr(desk.changes[0])


async def test_a_key_is_shown_once_and_revoked_only_when_asked(shop: Shop) -> None:
    desk, model = shop.platform_setup, await loaded(shop)
    model.type_key_name("ЕРП")
    model.set_scope(KeyScope.CATALOGUE, True)
    await model.add_key()
    assert model.new_key is not None
    assert desk.listed[-1].scopes == ("catalogue", "fiscalization")
    model.leave()
    assert model.new_key is None
    model.ask_revoke(platform_setup.KEYS[0])
    assert model.asked is None, "the till's own key would lock it out"
    model.ask_revoke(platform_setup.KEYS[1])
    assert platform_setup.KEYS[1] in desk.listed
    await model.agree()
    assert platform_setup.KEYS[1] not in desk.listed
    model.type_store_name("Липа 3")
    model.ask_add_store()
    model.put_question_away()
    await model.agree()
    assert not desk.added_stores
    model.ask_add_store()
    await model.agree()
    assert desk.added_stores == ["Липа 3"]


async def test_a_new_key_that_the_server_does_not_keep_stays_shown(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The till still has its old key; the new one's secret is shown nowhere else."""
    desk, model = shop.platform_setup, await loaded(shop)

    async def change(change: PlatformChange, *, by: str) -> None:
        raise errors.OutcomeUnknown(what="The local server gave no answer.")

    monkeypatch.setattr(desk, "change", change)
    model.ask_rotate(platform_setup.KEYS[0])
    await model.agree()
    assert model.new_key is not None
    assert model.new_key.secret == "nova-tajna"
    assert isinstance(model.failure, errors.OutcomeUnknown)
    assert model.is_own(platform_setup.KEYS[0])


async def test_an_answer_is_about_the_account_that_was_shown(shop: Shop) -> None:
    """Another key was typed elsewhere, while the page asks about the one before."""
    ask_to_join(catalogue_file(shop.services.settings.data))
    model = await loaded(shop)
    model.answer_joining(JoiningAnswer.SEND, replace(QUESTION, key="pk_before"))
    assert isinstance(model.failure, errors.NotAllowed)
    assert shop.catalogue.facts().asked_to_join == QUESTION
    model.answer_joining(JoiningAnswer.READ, QUESTION)
    assert model.failure is None
    assert model.joining.answer is JoiningAnswer.READ


class AskedSync:
    """A synchronisation that does not run; counts the requests for it."""

    progress = None

    def __init__(self) -> None:
        self.asked = 0
        self.minutes: list[int] = []

    def ask(self) -> None:
        self.asked += 1

    def every(self, minutes: int) -> None:
        self.minutes.append(minutes)

    def want_picture(self, product_id: str) -> None:
        raise AssertionError(product_id)


async def test_minutes_between_synchronisations_are_typed_and_hold_at_once(
    shop: Shop, sell_in: SellIn
) -> None:
    sync, desk = AskedSync(), shop.platform_setup
    shop.services, desk.told = replace(shop.services, sync=sync), platform_setup.OURS
    hands = sell_in(shop)
    page, model = await at_platform(hands)
    row = page.values.rows["platform.sync_minutes"]
    type_over(hands, only(row, Field), "1441")
    hands.press("Tab")
    await until(lambda: says(row, "Највише 1440"))
    assert page.acts.save.is_missing
    type_over(hands, only(row, Field), "15")
    await saved(hands, page)
    assert written(shop)["platform"] == {"sync_minutes": 15}
    assert (sync.minutes, sync.asked, desk.changes) == ([15], 1, [])
    type_over(hands, only(row, Field), "0")
    model.set_public_mode(True)
    await save(hands, page)
    await until(lambda: desk.changes == [PlatformChange(public_mode=True)])
    await until(lambda: sync.minutes == [15, 0])


async def test_a_manager_says_whether_articles_go_to_an_account(hands: Hands) -> None:
    shop = hands.shop
    ask_to_join(catalogue_file(shop.services.settings.data))
    shop.platform_setup.told = platform_setup.OURS
    page, model = await at_platform(hands)
    asked = notice_in(page).accessibleName()
    for told in (
        "Обреновићева 12", "1.204 артикла", "389 наших", "21 се слаже", platform_setup.OURS.key,
        "3 измене са ове касе чекају слање. 1 измена чека одлуку. Пошаљи: артикал којег тамо нема",
        "1 измена продавнице које тамо нема отпада",
    ):  # fmt: skip
        assert told in asked
    assert only(page, PlatformForm).store.text() == "Изабрана продавница, још без назива"
    back = inside(hands.window).settings.head.button
    assert (back.spec.words, esc_keys(hands)) == (
        "Платформа и кључеви",
        hands.buttons("Одлучи касније"),
    )
    hands.press("Esc")
    await until(lambda: not notices_in(page))
    assert page.isVisible(), "Esc was the answer"
    assert (back.spec.words, esc_keys(hands)) == ("Продаја", [back])
    assert shop.catalogue.facts().asked_to_join == QUESTION
    model.leave()
    page.refresh()
    await tapped(hands, "Само читај")
    await until(lambda: shop.catalogue.facts().joining.answer is JoiningAnswer.READ)
    assert not shop.catalogue.facts().to_decide
    shop.desk.add_usual_units()
    new, label, price = str(uuid4()), TaxLabel.E, Money(5)
    create_for_code(
        shop.desk, product_id=new, name="Нов", label=label, price=price, by="Мира", at=QUESTION.at
    )
    page.refresh()
    reads = "не шаљу се; платформа се само чита; 1 измена чека овде"
    await until(lambda: reads in lines_of(page))
    await tapped(hands, "Питај поново да ли да се пошаљу")
    await until(lambda: shop.catalogue.facts().joining.answer is None)


LOST_CLIENTS = [
    (
        "refused",
        "foreign_client",
        platform_setup.OURS.client_id,
        "Садашњи ИД клијента остаје другом",
    ),
    ("not_configured", "client_lost", "", "Направити нови ИД клијента уместо изгубљеног?"),
]


@pytest.mark.parametrize(("state", "code", "client_id", "asks_in"), sampled(LOST_CLIENTS))
async def test_a_client_id_of_another_account_or_a_lost_one_is_answered_with_a_new_one(
    hands: Hands, state: str, code: str, client_id: str, asks_in: str
) -> None:
    shop = hands.shop
    shop.platform_setup.told = replace(platform_setup.OURS, client_id=client_id)
    shop.server.public_mode = PublicMode(PublicModeState(state), shop.clock.now(), code=code)
    await shop.outbox.step()
    page, _ = await at_platform(hands)
    await until(lambda: says(page, "Тастер „Нови ИД клијента“ даје овој каси њен"))
    await tapped(hands, "Нови ИД клијента")
    await until(lambda: any(asks_in in one for one in notices_in(page)))
    await tapped(hands, "Направи")
    await until(lambda: bool(shop.platform_setup.changes))
    assert shop.platform_setup.changes == [PlatformChange(new_client=True)]


async def test_a_store_goes_to_its_platform_or_waits_to_be_sent_to_it(shop: Shop) -> None:
    desk, platform, sync = shop.platform_setup, await loaded(shop), AskedSync()
    model = store_model.StoreModel(replace(shop.services, sync=sync), platform)
    before = model.store
    assert before is not None
    assert not model.has_changes
    model.type(store_model.StoreText.PHONE, "021 123")
    await model.save()
    online = replace(before, phone="021 123")
    assert desk.sent == [(before, online)]
    assert (model.store, model.edit, model.has_changes, sync.asked) == (online, None, False, 0)
    desk.refuses = errors.Refused("platform_scope", what="the key may not")
    model.type(store_model.StoreText.CITY, "Сремски Карловци")
    await model.save()
    assert model.failure is desk.refuses
    assert shop.catalogue.store() == online, "what the platform refuses is not used"
    for number, fault in enumerate(
        (
            errors.Refused("platform_away", what="away"),
            errors.Refused("platform_stale", what="stale"),
            errors.NotDelivered(what="no server"),
            errors.OutcomeUnknown(what="?"),
        )
    ):
        shop.desk.drop_store_edit(before.id)
        model.read()
        desk.refuses = fault
        model.type(store_model.StoreText.CITY, "Сремски Карловци")
        await model.save()
        told = model.failure, model.has_changes, shop.catalogue.store(), sync.asked
        assert told == (None, False, replace(online, city="Сремски Карловци"), number + 1)
        assert model.edit is not None
        assert model.edit.changed == ("city",)
        assert shop.catalogue.facts().to_send == 1
    desk.refuses = None
    model.switch("is_sound_enabled", not before.is_sound_enabled)
    await model.save()
    assert len(desk.sent) == 1, "a later change joins the one that waits"
    assert model.edit is not None
    assert model.edit.changed == ("city", "is_sound_enabled")
    model.withdraw()
    assert shop.catalogue.store() == online
    assert model.edit is not None, "the platform may have what was sent last"
    assert (model.edit.changed, model.edit.waiting) == ((), ("city",))
    shop.desk.keep_store(online)
    model.read()
    assert model.edit is None
    model.type(store_model.StoreText.NAME, " ")
    await model.save()
    assert model.name_is_missing
    assert len(desk.sent) == 1


async def test_what_another_changes_while_a_manager_types_is_not_written_over(shop: Shop) -> None:
    model = store_model.StoreModel(shop.services, await loaded(shop))
    before = model.store
    assert before is not None
    model.type(store_model.StoreText.CITY, "Пирот")
    theirs = replace(before, city="Врање", phone="2", print_discounts=not before.print_discounts)
    shop.desk.keep_store(theirs)
    model.read()
    shown = model.texts[store_model.StoreText.CITY], model.texts[store_model.StoreText.PHONE]
    assert shown == ("Пирот", "2")
    await model.save()
    assert not shop.platform_setup.sent, "a person decides about the city"
    model.settle_meanwhile("city", EditSide.OURS)
    await model.save()
    assert shop.platform_setup.sent == [(theirs, replace(theirs, city="Пирот"))]


@pytest.mark.parametrize(
    ("chosen", "city"), sampled([("Ваш упис", "Nis"), ("Сада сачувано", "Врање")])
)
async def test_a_store_s_field_that_both_changed_is_decided_on_its_page(
    hands: Hands, chosen: str, city: str
) -> None:
    shop = hands.shop
    screen, page = await at_page(hands, PageName.STORE)
    field = page.fields[store_model.StoreText.CITY]
    type_over(hands, field, "Nis")
    before = shop.catalogue.store()
    assert before is not None
    shop.desk.keep_store(replace(before, city="Врање", phone="2"))
    hands.tap(page.acts.save)
    await until(lambda: bool(visible_parts(page.edit, SideButton)))
    assert field.error() == "У међувремену је: Врање"
    now = shop.catalogue.store()
    assert now is not None
    assert (now.city, now.phone) == ("Врање", "2"), "nothing is overwritten"
    assert (field.text(), page.fields[store_model.StoreText.PHONE].text()) == ("Nis", "2")
    name = page.fields[store_model.StoreText.NAME]
    type_over(hands, name, " ")
    await until(lambda: page.acts.save.accessibleName().startswith("Упишите назив"))
    field.edit.setFocus()
    hands.tap(page.acts.save)
    assert name.edit.hasFocus(), "the press does what its key says"
    type_over(hands, name, "Lipa")
    await until(lambda: page.acts.save.accessibleName().startswith("Одлучите"))
    hands.tap(next(one for one in hands.buttons("Место") if chosen in one.accessibleName()))
    await until(lambda: not visible_parts(page.edit, SideButton))
    if page.acts.save.isEnabled():
        hands.tap(page.acts.save)
        await until(lambda: screen.model.store.saved_at is not None)
    now = shop.catalogue.store()
    assert now is not None
    assert (now.city, now.phone) == (city, "2")


async def test_a_manager_is_called_and_decides_field_by_field(hands: Hands) -> None:
    window, shop = hands.window, hands.shop
    shop.platform_setup.told = platform_setup.OURS
    (before,) = shop.catalogue.stores()
    ours = replace(before, city="Пирот", is_sound_enabled=not before.is_sound_enabled)
    shop.desk.queue_store(before, ours, by="Мира", at=shop.clock.now())
    theirs = replace(
        before, city="Врање", product_picker_type=PickerType.LIST, payment_methods_order=()
    )
    shop.desk.keep_store(replace(theirs, is_sound_enabled=before.is_sound_enabled))
    assert shop.catalogue.facts().stores_to_decide == 1
    window.frame.count()
    inside(window).open("attention")
    await until(
        lambda: any(one.kind == "store_to_decide" for one in inside(window).attention.model.cases)
    )
    hands.tap_words("Измена продавнице чека одлуку")
    await until(lambda: bool(hands.buttons("Отвори страну продавнице")))
    hands.tap_words("Отвори страну продавнице")
    screen = inside(window).settings
    let_in(screen.model, PIN)
    page = await page_shown(window.frame, "set.page.store")
    await until(page.edit.isVisible)
    hands.tap_words("Место, Платформа: Врање")
    await until(
        lambda: screen.model.store.edit is not None and not screen.model.store.edit.conflicts
    )
    await until(lambda: page.fields[store_model.StoreText.CITY].text() == "Врање")
    facts = shop.catalogue.facts()
    assert (facts.stores_to_decide, facts.stores_waiting) == (0, 1), "the tones still wait"
    inside(window).open("catalogue")
    let_in(inside(window).catalogue.model, PIN)
    await until(
        lambda: inside(window).is_in("catalogue") and bool(hands.buttons("Продавница: чека слање"))
    )
    hands.tap_words("Продавница: чека слање")
    await until(lambda: inside(window).is_in("settings"))
    screen = inside(window).settings
    let_in(screen.model, PIN)
    await until(lambda: bool(hands.buttons("Повуци измену")))
    hands.tap_words("Повуци измену")
    await until(lambda: screen.model.store.edit is None)
    page = page_in_front(window.frame, "set.page.store")
    await until(page.fields[store_model.StoreText.NAME].edit.hasFocus)  # no decision is left
    assert inside(window).model.context.store is not None
    assert inside(window).model.context.store == replace(
        theirs, is_sound_enabled=before.is_sound_enabled
    )


async def test_a_gln_has_thirteen_digits_and_its_check_digit(hands: Hands) -> None:
    screen, page = await at_page(hands, PageName.STORE)
    model, field = screen.model.store, page.fields[store_model.StoreText.GLN]
    for wrong in ("123", "8600012345678"):
        type_over(hands, field, wrong)
        await until(lambda: page.acts.save.accessibleName().startswith("Исправите GLN"))
        page.focus_first()
        hands.tap(page.acts.save)
        await until(lambda: "13 цифара" in field.error())
        assert field.edit.hasFocus()
        assert model.saved_at is None
    type_over(hands, field, "8600012345674")
    await until(lambda: not page.acts.save.is_missing)
    hands.press("Enter")
    await until(lambda: model.saved_at is not None)
    after = hands.shop.catalogue.store()
    assert after is not None
    assert after.gln == "8600012345674"


async def test_every_box_of_the_store_is_pressed_and_saved(hands: Hands) -> None:
    """The caret is in its field then, and the sale follows."""
    screen, page = await at_page(hands, PageName.STORE)
    model, sale = screen.model.store, inside(hands.window).model
    at_first = dict(model.switches)
    for one, check in page.checks.items():
        await put(hands, check)
        assert check.isChecked() is not at_first[one], one
    method = model.methods[3]
    begins = page.order.begins[method].isChecked()
    pressed = page.order.begins[method]
    await put(hands, pressed)
    await until(lambda: page.order.begins[method] is not pressed)
    assert page.order.begins[method].isChecked() is not begins
    assert page.order.begins[method].hasFocus(), "the arrows go on from there"
    await put(hands, page.order.buttons[method, 1])
    model.choose_picker(PickerType.LIST)
    await put(hands, page.acts.save)
    await until(lambda: model.saved_at is not None)
    assert not hands.shop.platform_setup.sent, "without a platform it is the till's own"
    after = hands.shop.catalogue.store()
    assert after is not None
    ways = after.handed_over_by
    told = {
        one: getattr(ways if one in store_model.PRINT_METHODS else after, one)
        for one in store_model.SWITCHES
    }
    assert told == {one: not on for one, on in at_first.items()}
    rows = payment_rows(after)
    assert any(row[0] is method for row in rows) is not begins
    assert [one for row in rows for one in row].index(method) == 4
    assert sale.context.store == after
    assert sale.context.screen.as_list
    first = model.methods[0]
    hands.tap_words("Платна картица: горе")
    assert model.methods[:2] == [PaymentMethod.CARD, first]
    city = page.fields[store_model.StoreText.CITY]
    for typed, button in (("Пирот", page.acts.save), ("Врање", page.acts.drop)):
        city.edit.setFocus()
        city.set_text(typed)
        await put(hands, button)
        await until(lambda: not model.has_changes and not model.running)
        await until(city.edit.hasFocus)
        assert city.text() == "Пирот"
    assert sale.context.store is not None
    order = sale.context.store.payment_methods_order
    assert order is not None
    assert order[0][0] == "card"
