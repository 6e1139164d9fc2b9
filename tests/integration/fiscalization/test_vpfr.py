"""A V-PFR over real TLS: whom it lets in, and what each refusal means for a sale."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from pos_app import settings
from pos_app.adapters.pfr.certificate import CertificateWrong, open_pfx
from pos_app.adapters.pfr.client import PfrClient
from pos_app.adapters.pfr.vpfr_access import VpfrAccess
from pos_app.adapters.secrets.secret import Secret
from pos_app.bootstrap.development_processor import TimedCuttable
from pos_app.bootstrap.issuing.processor_access import check_processor
from pos_app.domain.receipt.states import AnswerClass
from pos_app.errors import SettingsBroken
from pos_app.fiscalization import ports
from pos_app.fiscalization.refusals import NotSigned
from pos_app.pfr_emulator.app import create_app
from pos_app.pfr_emulator.authority import Authority, Encryption
from pos_app.pfr_emulator.caller import CertifiedCaller
from pos_app.pfr_emulator.options import Options
from pos_app.pfr_emulator.processor import Processor
from tests.fakes.processor_key import give_key
from tests.integration.fiscalization.shop import opened, serving
from tests.pfx_files import RSA_1024, pfx
from tests.unit.fiscalization.test_doubt import document

ID = "0123456789abcdef0123456789abcdef"
KEY = "key-of-sixteen-characters"
UID = "VPFR0001"
_OPTIONS = Options()
LEGACY = Path(__file__).with_name("legacy-rc2.pfx")
"""The file is encrypted with RC2-40 and 3DES, as exports of old Windows are; made with `openssl
pkcs12 -legacy`."""


@dataclass
class Vpfr:
    url: str
    processor: Processor
    authority: Authority

    async def asked(self, access: VpfrAccess | None) -> str:
        client = PfrClient(self.url, access=access)
        try:
            with pytest.raises(ports.CertificateRefused) as told:
                await client.status()
            return told.value.what
        finally:
            await client.close()

    async def signed(self, access: VpfrAccess | None) -> ports.SignReply:
        """Return the reply to a POST with no question before it."""
        client = PfrClient(self.url, access=access)
        try:
            return await client.sign(document(), pfr_request_id=ID)
        finally:
            await client.close()


@asynccontextmanager
async def vpfr(folder: Path, options: Options = _OPTIONS) -> AsyncIterator[Vpfr]:
    give_key(folder)
    processor = Processor.open(folder=folder, mode="vpfr", options=options)
    authority = Authority.open(folder)
    try:
        tls = authority.server_context("127.0.0.1")
        async with serving(create_app(processor), http=TimedCuttable, tls=tls) as url:
            yield Vpfr(url, processor, authority)
    finally:
        processor.close()


async def test_a_revoked_certificate_is_a_persons_matter(folder: Path) -> None:
    async with opened(folder, mode="vpfr") as shop:
        await shop.sell(key="before-it-was-revoked")
        shop.authority.revoke(shop.authority.issued()[-1].serial)
        with pytest.raises(NotSigned) as refused:
            await shop.sell(key=KEY)
        expected = (AnswerClass.CURE, "certificate_revoked")
        assert (refused.value.answer_class, refused.value.reason) == expected
        assert "revoked" in refused.value.what
        assert shop.state(KEY) == "released"
        assert len(shop.ledger()) == 1


# --- the file ------------------------------------------------------------------------------------
@pytest.mark.parametrize("encryption", ["modern", "legacy"])
def test_what_the_certificate_says(folder: Path, encryption: Encryption) -> None:
    caller = CertifiedCaller(UID, "109876543", "Липа 2, Нови Сад", "1108934")
    pfx = Authority.open(folder).issue(
        caller, url="https://vsdc.suf.purs.gov.rs/", password="шифра", encryption=encryption
    )
    facts = open_pfx(pfx, Secret("шифра")).facts
    assert (facts.uid, facts.tin) == (UID, "109876543")
    assert facts.url == "https://vsdc.suf.purs.gov.rs"
    assert (facts.shop, facts.location) == ("Липа 2, Нови Сад", "1108934")
    assert facts.environment == "sandbox"
    assert 364 <= facts.days_left(facts.valid_from) <= 367


def test_an_old_export_is_read_and_each_fault_is_told_apart() -> None:
    assert open_pfx(LEGACY.read_bytes(), Secret("abc")).facts.uid == "ABCD1234"
    for content, password, kind in (
        (LEGACY.read_bytes(), "canary-password", "password"),
        (b"hello", "abc", "file"),
        (b"0" * 70_000, "abc", "file"),
        (LEGACY.read_bytes()[:900], "abc", "file"),
    ):
        with pytest.raises(CertificateWrong) as told:
            open_pfx(content, Secret(password))
        assert told.value.kind == kind
        assert "canary" not in f"{told.value!r} {told.value.__cause__}"


def test_without_a_certificate_that_can_be_used_nothing_is_started(folder: Path) -> None:
    """For an unattended installation the three secrets stand in secrets.toml."""
    folder.mkdir(exist_ok=True)
    authority = Authority.open(folder / "one")
    caller = CertifiedCaller(UID, "109876543", "ЛИПА", "1")

    @cache
    def issued(url: str) -> bytes:
        return authority.issue(caller, url=url, password="p4ss")

    def started(url: str = "https://localhost", **secrets: str) -> VpfrAccess | None:
        pfx = issued(url)
        given = {"processor_pfx": base64.b64encode(pfx).decode(), "processor_password": "p4ss"}
        lines = [f'{name} = "{one}"' for name, one in (given | secrets).items()]
        file = folder / "secrets.toml"
        file.write_text("\n".join(lines), encoding="utf-8")
        file.chmod(0o600)
        shop = settings.load(folder, processor={"kind": "vpfr"}, esir={"ib": "1234"})
        return check_processor(shop)

    weak = base64.b64encode(pfx(folder / "weak", key=RSA_1024)).decode()
    for words, wrong in (
        ("too small", {"processor_pfx": weak, "processor_pac": "ABC123"}),
        ("none is stored", {"processor_pfx": ""}),
        ("password", {"processor_password": "canary-5"}),
        ("PAC", {"processor_pac": ""}),
        ("https", {"processor_pac": "ABC123", "url": "http://localhost"}),
        ("address", {"processor_pac": "ABC123", "url": ""}),
    ):
        with pytest.raises(SettingsBroken, match=words) as told:
            started(**wrong)
        assert "canary" not in str(told.value)
    access = started(processor_pac="ABC123")
    assert access.certificate.uid == UID
    assert "ABC123" not in repr(access)
