"""The page of the shop's mail by real keys and presses: it is saved, with its password, and
tried."""

from __future__ import annotations

from functools import partial
from typing import Any

from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.values_page import ValueRow
from pos_app.cashier.ui.field import Field
from pos_app.domain.setup.mail_setup import MailSetup, MailTrial
from pos_app.errors import NotDelivered
from tests.fakes.mail_server import certificates
from tests.gui.parts import only
from tests.gui.patience import until
from tests.gui.settings.conftest import (
    Reopened,
    at_page,
    save,
    saved,
    settings_acts,
    told,
    type_over,
    written,
)
from tests.gui.window.hands import Hands


def row_of(page: Any, setting: str) -> ValueRow:
    row: ValueRow = page.form.rows[f"mail.{setting}"]
    return row


def type_in(hands: Hands, page: Any, **texts: str) -> None:
    for setting, text in texts.items():
        type_over(hands, only(row_of(page, setting), Field), text)


async def test_a_server_with_its_certificates_is_saved_and_wrong_ones_are_told_before(
    reopened: Reopened, hands: Hands
) -> None:
    """With a wrong file no mail would be sent, and nobody would know before the first one; with a
    wrong sender the server could not open the shop."""
    shop, data = hands.shop, hands.shop.services.settings.data
    authority = certificates(data).authority
    (data / "other.pem").write_text("no certificate")
    _, page = await at_page(hands, PageName.MAIL)
    type_in(hands, page, host="mail.lipa.rs")
    await until(lambda: "Имејл адреса" in told(row_of(page, "sender")))
    assert page.acts.save.is_missing
    type_in(hands, page, sender="racuni@lipa.rs", reply_to="nije adresa")
    await until(lambda: "Исправите" in page.acts.words)
    assert page.acts.save.is_missing
    assert written(shop) == {}
    type_in(hands, page, reply_to="x")
    hands.press("Backspace")
    type_over(hands, page.password.field, "tajna")
    await saved(hands, page)
    assert written(shop)["mail"] == {"host": "mail.lipa.rs", "sender": "racuni@lipa.rs"}
    assert shop.mail_setup.passwords == ["tajna"]
    assert reopened.reopened == [], "the password has it opened anew"
    assert page.password.field.text() == ""
    assert shop.services.may_mail
    for wrong in ("missing.pem", "other.pem"):
        type_in(hands, page, ca_file=wrong)
        await until(page.acts.save.isEnabled)
        hands.press("Enter")
        await until(lambda: "Ту нема датотеке" in told(row_of(page, "ca_file")))
        assert "ca_file" not in written(shop)["mail"]
    type_in(hands, page, ca_file=authority.name)
    await until(page.acts.save.isEnabled)
    hands.press("Enter")
    await until(lambda: shop.services.settings.mail.ca_file == str(authority))
    assert written(shop)["mail"]["ca_file"] == authority.name
    await until(lambda: len(reopened.reopened) == 1)
    authority.unlink()
    type_in(hands, page, user="racuni")
    await save(hands, page)
    await until(lambda: written(shop)["mail"].get("user") == "racuni")
    await until(lambda: len(reopened.reopened) == 2)
    assert shop.mail_setup.passwords == ["tajna"]


async def test_the_password_alone_is_saved_and_stays_typed_where_the_server_is_away(
    reopened: Reopened, hands: Hands
) -> None:
    mail = hands.shop.mail_setup
    mail.refuses = NotDelivered(what="The server is away.")
    _, page = await at_page(hands, PageName.MAIL)
    type_over(hands, page.password.field, "tajna")
    await save(hands, page)
    await until(lambda: page.acts.words != "" and page.acts.save.isEnabled())
    assert (mail.passwords, page.password.field.text()) == ([], "tajna")
    mail.refuses = None
    hands.tap(page.acts.save)
    await until(lambda: mail.passwords == ["tajna"])
    assert (written(hands.shop), reopened.reopened) == ({}, [])


async def test_settings_that_could_not_be_written_are_not_noted_with_the_next_password(
    reopened: Reopened, hands: Hands
) -> None:
    shop = hands.shop
    (shop.services.settings.data / "settings.toml.new").mkdir()  # nothing can be written there
    _, page = await at_page(hands, PageName.MAIL)
    type_in(hands, page, user="racuni")
    await save(hands, page)
    await until(lambda: "не може да уписује" in page.acts.words)
    assert (settings_acts(shop), written(shop)) == ([], {})
    type_in(hands, page, user="x")
    hands.press("Backspace")
    type_over(hands, page.password.field, "tajna")
    await save(hands, page)
    await until(lambda: shop.mail_setup.passwords == ["tajna"])
    await until(lambda: bool(settings_acts(shop)))
    assert [(one.subject, one.after) for one in settings_acts(shop)] == [("mail", "")]


FAULTS = {
    "no_host": "нема сервера с тим именом",
    "away": "не јавља",
    "no_encryption": "шифровање",
    "certificate": "сертификату",
    "login": "лозинка",
    "sender": "пошиљаоца",
    "recipient": "примаоца",
    "refused": "одбио",
    "stuck": "предуго",
}


async def test_a_trial_mail_is_sent_once_and_each_cause_is_told(
    reopened: Reopened, hands: Hands
) -> None:
    mail = hands.shop.mail_setup
    mail.told = MailSetup(has_password=True, given_elsewhere=True)
    _, page = await at_page(hands, PageName.MAIL)
    await until(lambda: page.password.field.edit.placeholderText() != "")
    assert not page.password.field.isEnabled(), "it is given elsewhere"
    assert not page.trial.send.isEnabled()
    type_in(hands, page, host="mail.lipa.rs", sender="racuni@lipa.rs")
    await saved(hands, page)
    type_over(hands, page.trial.to, "gazda@lipa.rs")

    async def sent() -> None:
        await until(page.trial.send.isEnabled)
        hands.tap(page.trial.send)

    def is_told(words: str) -> bool:
        return "није послата: " in told(page.trial) and words in told(page.trial)

    mail.away = 1  # the server opens the shop again
    await sent()
    await until(lambda: "сервер поште ју је примио" in told(page.trial))
    assert mail.sent == ["gazda@lipa.rs"]
    for fault, words in FAULTS.items():
        mail.trial = MailTrial(fault)
        await sent()
        await until(partial(is_told, words))
    mail.trial = MailTrial("cut_off", may_be_sent=True)
    await sent()
    await until(lambda: "проверите да ли је стигла" in told(page.trial))
    assert "није послата" not in told(page.trial)
