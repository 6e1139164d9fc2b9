"""A secret shows itself nowhere."""

from __future__ import annotations

import json
import pickle

import pytest

from pos_app.adapters.mail.smtp import MailServer
from pos_app.adapters.secrets.secret import Secret

CANARY = Secret("canary-8137")


@pytest.mark.parametrize(
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


def test_it_is_written_nowhere() -> None:
    with pytest.raises(TypeError):
        pickle.dumps(CANARY)


def test_it_is_revealed_when_asked_and_equals_the_same() -> None:
    assert CANARY.reveal() == "canary-8137"
    assert Secret("canary-8137") == CANARY
    assert Secret("canary-8138") != CANARY
    assert CANARY != "canary-8137"
    assert not Secret("")
