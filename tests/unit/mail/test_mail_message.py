"""The mail made of a letter, read back by the standard library's own parser."""

from __future__ import annotations

import base64
import json
import pickle
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest

from pos_app.adapters.mail.message import Envelope, Shop, envelope, message_id
from pos_app.adapters.mail.smtp import LONGEST, MailServer, harmless_words
from pos_app.adapters.secrets.secret import Secret
from pos_app.errors import Invalid
from pos_app.fiscalization.device_ports import ReceiptMail
from tests.sweep import each

SHOP = Shop("racuni@prodavnica.rs", "Продавница „Ђ“, Београд", reply_to="pitanja@prodavnica.rs")
LETTER = ReceiptMail(
    receipt="ABCD1234-EFGH5678-42",
    sending=1,
    at=datetime(2026, 11, 20, 9, 30, tzinfo=UTC),
    to="kupac@primer.rs",
    subject="Рачун ABCD1234-EFGH5678-42",
    text="Поштовани,\n.\nу прилогу је рачун.\n",
    html="<p>Поштовани</p>",
    pdf=b"%PDF-1.4\n.\nbytes\x00\xff",
    file_name="racun-ABCD1234-EFGH5678-42.pdf",
)


def read(letter: ReceiptMail, shop: Shop = SHOP) -> EmailMessage:
    mail = message_from_bytes(envelope(letter, shop).message, policy=policy.default)
    assert isinstance(mail, EmailMessage)
    assert not mail.defects
    return mail


def test_a_mail_is_the_shop_s_with_text_html_and_the_pdf_in_ascii() -> None:
    message, mail = envelope(LETTER, SHOP).message, read(LETTER)
    text, html = mail.get_body(("plain",)), mail.get_body(("html",))
    assert text is not None
    assert html is not None
    assert text.get_content().replace("\r\n", "\n") == LETTER.text
    assert html.get_content().strip() == LETTER.html
    (pdf,) = mail.iter_attachments()
    assert pdf.get_content() == LETTER.pdf
    assert (pdf.get_content_type(), pdf.get_filename()) == ("application/pdf", LETTER.file_name)
    (sender,) = mail["From"].addresses
    assert (sender.display_name, sender.addr_spec) == (SHOP.name, SHOP.address)
    assert (mail["To"], mail["Reply-To"]) == ("kupac@primer.rs", "pitanja@prodavnica.rs")
    assert (mail["Subject"], mail["Date"].datetime) == (LETTER.subject, LETTER.at)
    assert message.isascii()
    assert b"\n" not in message.replace(b"\r\n", b"")
    assert max(map(len, message.split(b"\r\n"))) <= 998, "SMTP takes no longer lines"
    assert message.endswith(b"\r\n")
    dots = Envelope("a@b.rs", "c@d.rs", b".first\r\n.\r\nmid.dle\r\n..\r\n")
    assert dots.on_the_wire == b"..first\r\n..\r\nmid.dle\r\n...\r\n.\r\n", "a dot ends nothing"


@each("end", ["\r\n", "\n", "\r", "\x00", "\u2028", "\x0b", "\x1c"])
def test_no_text_becomes_a_header(end: str) -> None:
    evil = f"Рачун{end}Bcc: svi@primer.rs"
    mail = read(
        replace(LETTER, subject=evil, file_name=evil, receipt=evil), Shop(SHOP.address, name=evil)
    )
    assert "Bcc" not in mail
    assert mail["Subject"] == "Рачун Bcc: svi@primer.rs"
    (pdf,) = mail.iter_attachments()
    assert pdf.get_filename() == "Bcc-svi-primer.rs.pdf"


def test_a_wrong_address_is_refused() -> None:
    with pytest.raises(Invalid):
        envelope(replace(LETTER, to="kupac@primer.rs\r\nBcc: svi@primer.rs"), SHOP)
    with pytest.raises(Invalid):
        Shop("prodavnica", "Продавница")
    with pytest.raises(Invalid):
        Shop("racuni@prodavnica.rs", "Продавница", reply_to="a\n@b.rs")


def test_a_repetition_has_the_same_id_and_anything_else_another() -> None:
    repeated = replace(LETTER, at=datetime(2026, 11, 20, 10, 0, tzinfo=UTC))
    assert read(repeated)["Message-ID"] == read(LETTER)["Message-ID"] == message_id(LETTER, SHOP)
    others = (
        replace(LETTER, sending=2),
        replace(LETTER, to="drugi@primer.rs"),
        replace(LETTER, receipt="ABCD1234-EFGH5678-43"),
    )
    assert len({message_id(each, SHOP) for each in (LETTER, *others)}) == 4
    assert message_id(LETTER, SHOP).startswith("<ABCD1234-EFGH5678-42.1.")
    assert message_id(LETTER, SHOP).endswith("@prodavnica.rs>")


# --- a mail server's words are kept without the secrets that it was sent -------------------------


USER, PASSWORD = "shop@b.rs", "кључ-8137"


def kept(said: str, password: str = PASSWORD) -> str:
    return harmless_words(said, user=USER, password=Secret(password))


def coded(told: str) -> str:
    return base64.b64encode(told.encode()).decode()


@each(
    "secret",
    [
        PASSWORD, PASSWORD.upper(), "\r\n".join(PASSWORD), "\x00".join(PASSWORD), coded(PASSWORD),
        coded(PASSWORD).rstrip("="), coded(f"\0{USER}\0{PASSWORD}"),
        coded(f"{USER}\0{USER}\0{PASSWORD}"),
        PASSWORD.encode().hex(),
        PASSWORD.encode().hex().upper(),
    ],
)  # fmt: skip
def test_nothing_is_kept_where_the_password_stands(secret: str) -> None:
    assert kept(f"535 you said AUTH {secret} here") == ""
    assert kept("x" * (LONGEST - 4) + secret) == ""


def test_other_words_stay_but_for_what_looks_like_a_proof() -> None:
    proof = coded(f"{USER} 5b3a4c1d5b3a4c1d5b3a4c1d5b3a4c1d")
    assert kept(f"bad answer {proof} to the challenge") == "bad answer … to the challenge"
    said = "5.7.8 not accepted.\nhttps://support.example/mail/?p=BadCredentials"
    assert kept(said) == " ".join(said.split())
    assert kept("no such mailbox", "") == "no such mailbox"
    assert kept("a\x1b[2J\r\nb\x00\u202ec " + "да " * 200) == ("a [2J b c " + "да " * 200)[:LONGEST]


CANARY = Secret("canary-8137")


@each(
    "shown",
    [
        str(CANARY),
        repr(CANARY),
        f"{CANARY}",
        f"{CANARY!r:>40}",
        "%s" % CANARY,  # noqa: UP031 - as loggers do
        repr([CANARY]),
        repr(MailServer("host", 587, "starttls", "shop", CANARY)),
        json.dumps({"password": CANARY}, default=str),
    ],
)
def test_it_is_shown_as_stars(shown: str) -> None:
    assert "***" in shown
    assert "canary" not in shown


def test_it_is_written_nowhere_and_revealed_when_asked() -> None:
    with pytest.raises(TypeError):
        pickle.dumps(CANARY)
    assert CANARY.reveal() == "canary-8137"
    assert Secret("canary-8137") == CANARY
    assert CANARY not in (Secret("canary-8138"), "canary-8137")
    assert not Secret("")
