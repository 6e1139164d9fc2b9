"""A mail server's words are kept without the secrets that it was sent."""

from __future__ import annotations

import json
import pickle
from datetime import UTC, datetime

import pytest

from pos_app.adapters.mail.message import Shop
from pos_app.adapters.mail.smtp import MailServer
from pos_app.adapters.secrets.secret import Secret
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


USER, PASSWORD = "shop@b.rs", "кључ-8137"


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
