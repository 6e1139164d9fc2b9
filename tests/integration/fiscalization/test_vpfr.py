"""A V-PFR over real TLS: whom it lets in, and what each refusal means for a sale."""

from __future__ import annotations

import base64
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import Encoding

from pos_app import settings
from pos_app.adapters.pfr.certificate import CertificateWrong, open_pfx
from pos_app.adapters.pfr.client import PfrClient
from pos_app.adapters.pfr.vpfr_access import VpfrAccess, trust_also
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
from tests.integration.fiscalization.shop import opened, serving, vpfr_access
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


def at_most(access: VpfrAccess, version: ssl.TLSVersion) -> VpfrAccess:
    access.tls.maximum_version = version
    return access


async def test_it_signs_for_the_element_of_the_certificate(folder: Path) -> None:
    async with vpfr(folder) as one:
        access = vpfr_access(one.authority, uid=UID)
        client = PfrClient(one.url, access=access)
        status = await client.status()
        assert (status.uid, status.tin, status.total_counter) == (UID, "990000019", None)
        reply = await client.sign(document(), pfr_request_id=ID)
        assert isinstance(reply, ports.PfrSigned)
        assert reply.receipt.requested_by == UID != reply.receipt.signed_by
        assert await client.find(ID) is not None
        await client.close()
        other = PfrClient(one.url, access=vpfr_access(one.authority, uid="VPFR0002"))
        assert await other.find(ID) is None
        await other.close()


def without_certificate(authority: Authority) -> VpfrAccess:
    context = ssl.create_default_context()
    trust_also(context, authority.certificate.public_bytes(Encoding.PEM))
    return replace(vpfr_access(authority, uid=UID), tls=context)


VERSIONS = [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3]


@pytest.mark.parametrize("version", VERSIONS, ids=["TLS 1.2", "TLS 1.3"])
async def test_whom_it_refuses_learns_why(folder: Path, version: ssl.TLSVersion) -> None:
    """With TLS 1.2 a POST is surely not sent; with 1.3 that is not proven (adapters.pfr.client)."""
    async with vpfr(folder / "one") as one:
        stranger = Authority.open(folder / "stranger")
        trusted = one.authority.certificate.public_bytes(Encoding.PEM)
        revoked = vpfr_access(one.authority, uid=UID)
        one.authority.revoke(one.authority.issued()[-1].serial)
        cases = {
            "expired": vpfr_access(one.authority, uid=UID, days=-1),
            "revoked": revoked,
            "does not know the authority": vpfr_access(stranger, uid=UID, ca=trusted),
            "no certificate": without_certificate(one.authority),
        }
        for words, access in cases.items():
            at_most(access, version)
            told = await one.asked(access)
            assert words in told or "does not accept our" in told, (words, told)
            reply = await one.signed(access)
            if version is ssl.TLSVersion.TLSv1_2:
                assert isinstance(reply, ports.PfrNotSent), words
                assert reply.fault is not None
            else:
                assert isinstance(reply, ports.PfrUnclear), words
        assert one.processor.entries() == []
        assert "not trusted" in await one.asked(vpfr_access(one.authority, uid=UID, ca=b""))
        assert isinstance(
            await one.signed(vpfr_access(one.authority, uid=UID, ca=b"")), ports.PfrNotSent
        )
        wrong = vpfr_access(one.authority, uid=UID, pac="DEV999")
        assert "PAC" in await one.asked(wrong)
        assert isinstance(await one.signed(wrong), ports.PfrNotSent)
        assert one.processor.entries() == []


async def test_a_v_pfr_that_answers_for_another_element_is_sent_nothing(folder: Path) -> None:
    """Without TLS the development processor can't know the certificate, and names its own."""
    processor = Processor.open(folder=folder, mode="vpfr", options=_OPTIONS)
    try:
        async with serving(create_app(processor), http=TimedCuttable) as url:
            client = PfrClient(url, access=vpfr_access(Authority.open(folder), uid=UID))
            with pytest.raises(ports.CertificateRefused, match=f"{processor.uid}, but .* {UID}"):
                await client.status()
            await client.close()
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
