"""A mail server's words are kept without the secrets that it was sent."""

from __future__ import annotations

import base64

from pos_app.adapters.mail.smtp import LONGEST, harmless_words
from pos_app.adapters.secrets.secret import Secret
from tests.sweep import each

USER, PASSWORD = "shop@b.rs", "кључ-8137"


def kept(said: str, password: str = PASSWORD) -> str:
    return harmless_words(said, user=USER, password=Secret(password))


def test_ordinary_words_stay() -> None:
    said = (
        "5.7.8 Username and Password not accepted.\nhttps://support.example/mail/?p=BadCredentials"
    )
    assert kept(said) == " ".join(said.split())
    assert kept("no such mailbox", "") == "no such mailbox"


def coded(told: str) -> str:
    return base64.b64encode(told.encode()).decode()


@each(
    "secret",
    [
        PASSWORD,
        PASSWORD.upper(),
        "\r\n".join(PASSWORD),
        "\x00".join(PASSWORD),
        coded(PASSWORD),
        coded(PASSWORD).rstrip("="),
        coded(f"\0{USER}\0{PASSWORD}"),
        coded(f"{USER}\0{USER}\0{PASSWORD}"),
        PASSWORD.encode().hex(),
        PASSWORD.encode().hex().upper(),
    ],
)
def test_nothing_is_kept_where_the_password_stands(secret: str) -> None:
    assert kept(f"535 you said AUTH {secret} here") == ""
    assert kept("x" * (LONGEST - 4) + secret) == ""


def test_what_looks_like_a_proof_by_it_is_left_out() -> None:
    proof = coded(f"{USER} 5b3a4c1d5b3a4c1d5b3a4c1d5b3a4c1d")
    assert kept(f"bad answer {proof} to the challenge") == "bad answer … to the challenge"


def test_control_signs_and_length() -> None:
    assert kept("a\x1b[2J\r\nb\x00\u202ec " + "да " * 200) == ("a [2J b c " + "да " * 200)[:LONGEST]
