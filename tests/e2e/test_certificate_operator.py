"""The operator of a platform in certificate mode sees its state and answers doubts."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from tests.e2e.certified import Hosted, hosted, mailing
from tests.e2e.shop import PATIENCE, until
from tests.e2e.test_certificate_mode import SALE, ok, signed_for
from tests.fakes.mail_server import MailBox

TOKEN = "a-token-of-the-tests"
ELEMENTS = 2


@pytest.fixture(scope="module")
def box_and_platform(
    tmp_path_factory: pytest.TempPathFactory, nursery: Path
) -> Iterator[tuple[MailBox, Hosted]]:
    """One signer, for a shop whose certificates are used elsewhere too."""
    server = f'[platform_server]\nmetrics_token = "{TOKEN}"\nelements = {ELEMENTS}\n'
    with (
        mailing(tmp_path_factory.mktemp("mail")) as (box, mail),
        hosted(
            tmp_path_factory.mktemp("operated"),
            signers=1,
            more_settings=mail + server,
            used_here_alone=False,
            nursery=nursery,
        ) as platform,
    ):
        yield box, platform


def test_a_doubt_is_listed_and_answered_by_command_line(
    box_and_platform: tuple[MailBox, Hosted],
) -> None:
    """The signer that follows a killed one knows of it, and sends the mail that waited."""
    box, platform = box_and_platform
    shop, key = platform.certificate("DOUBT001"), "the-answer-was-lost-here"
    box.replies["RCPT"] = "451 later"
    email = {"receiptDelivery": {"pdf": False, "email": "kupac@example.rs"}}
    ok(platform.post(platform.certificate("MAILED02"), SALE | email))
    until(lambda: "RCPT" in box.asked)
    platform.control("POST", "/faults", {"kind": "drop"})  # nobody can know that it did not sign
    answer = platform.post(shop, SALE, key=key)
    assert (answer.status_code, answer.json()["class"]) == (500, "unknown"), answer.text
    receipt = answer.json()["receiptId"]
    until(lambda: platform.look_up(receipt).json()["state"] == "needs_human")
    assert platform.measured("pos_platform_signer_doubts", TOKEN) == 1
    os.kill(platform.signer(0), signal.SIGKILL)
    del box.replies["RCPT"]
    until(lambda: platform.measured("pos_platform_signer_up", TOKEN) == 0)
    until(lambda: platform.measured("pos_platform_signer_doubts", TOKEN) == 1)
    until(lambda: box.letters, seconds=2 * PATIENCE, told=lambda: box.asked)  # up to a minute
    assert box.letters[0].rcpt_tos == ["kupac@example.rs"]
    until(lambda: not platform.measured("pos_platform_signer_elements_with_mail", TOKEN))
    (listed,) = json.loads(platform.told("doubts", "list", "--json")[1])
    assert (listed["uid"], listed["receipt"], listed["key"]) == (shop.uid, receipt, key)
    status, line = platform.told("doubts", "list")
    assert (status, line.split()[:3]) == (0, [shop.uid, receipt, key])
    assert "58.99" in line

    status, told = platform.told("doubts", "absent", "NOBODY01", receipt, "--by", "Ана")
    assert (status, told) == (1, "Nothing was ever asked of this element here.\n")
    paper = "https://sandbox.suf.purs.gov.rs/v/?vl=AAAA"
    assert platform.told("doubts", "found", shop.uid, receipt, paper, "--by", "Ана")[0] == 1
    status, told = platform.told("doubts", "absent", shop.uid, receipt, "--by", "Ана")
    assert (status, told) == (0, "released\n")
    assert platform.told("doubts", "list", is_real=True) == (0, "\n")
    assert platform.measured("pos_platform_signer_doubts", TOKEN) == 0
    number = ok(platform.post(shop, SALE, key=key))["invoiceNumber"]
    assert signed_for(platform, shop) == [number]


def test_elements_are_bounded_and_the_idle_make_room(
    box_and_platform: tuple[MailBox, Hosted],
) -> None:
    _, platform = box_and_platform
    shops = [platform.certificate(f"BOUND00{number}") for number in range(ELEMENTS + 1)]
    for shop in shops:
        ok(platform.post(shop, SALE))
        assert platform.measured("pos_platform_signer_elements_open", TOKEN) <= ELEMENTS
    assert platform.measured("pos_platform_signer_elements_most", TOKEN) == ELEMENTS
    platform.control("POST", "/faults", {"kind": "late_answer", "seconds": 4, "count": ELEMENTS})
    before = len(platform.ledger)
    with ThreadPoolExecutor() as pool:
        busy = [pool.submit(platform.post, shop, SALE) for shop in shops[:ELEMENTS]]
        until(lambda: len(platform.ledger) == before + ELEMENTS)
        refused = platform.post(shops[-1], SALE, key="there-was-no-place-left")
        assert (refused.status_code, refused.json()["code"]) == (400, 40010001), refused.text
        assert "as many secure elements" in refused.json()["message"]
        for one in busy:
            ok(one.result())
    ok(platform.post(shops[-1], SALE, key="there-was-no-place-left"))
    until(lambda: not platform.measured("pos_platform_signer_elements_open", TOKEN))


def test_with_no_signer_there_the_command_says_so(box_and_platform: tuple[MailBox, Hosted]) -> None:
    _, platform = box_and_platform
    for program in platform.running[1:]:
        program.stop()
    status, told = platform.told("doubts", "list")
    assert (status, "signers of this platform do not answer" in told) == (1, True), told
    with pytest.raises(httpx.TransportError):
        platform.post(None, SALE)
