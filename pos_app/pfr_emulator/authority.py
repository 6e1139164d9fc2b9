"""The certificate authority of a V-PFR: its own key, made at the first start.

It certifies the server, issues client certificates with the tax administration's extensions, and
revokes them. All files are in the processor's folder; the key is a development key, readable by its
owner only. In production the tax administration issues certificates on a smart card or as PFX.
"""

from __future__ import annotations

import ipaddress
import os
import ssl
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
    pkcs12,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from pydantic import BaseModel, ConfigDict, Field

from pos_app.errors import DatabaseDamaged
from pos_app.lazy_dataclass import dataclass
from pos_app.pfr_emulator.caller import ARC, BACK_END, TIN, URL, CertifiedCaller
from pos_app.pfr_emulator.files import prepare_folder
from pos_app.pfr_emulator.identity import new_uid
from pos_app.pfr_emulator.options import Taxpayer

KEY, CERTIFICATE, REVOKED, SERVER, ISSUED = (
    "authority-key.pem",
    "authority.pem",
    "revoked.pem",
    "server.pem",
    "issued",
)
_YEARS = timedelta(days=3650)
_BEGUN_BEFORE = timedelta(days=1)
"""Certificates begin this long before now, so that they are valid by a clock that is behind,
too."""

Encryption = Literal["modern", "legacy"]
_USUAL = Taxpayer()


class CertificateOrder(BaseModel):
    """A client certificate to be issued. uid: of its element; a new one if it is left out. days:
    how long the certificate is valid; negative for an expired one."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    uid: str = Field(default_factory=new_uid, pattern="^[0-9A-Z]{8}$")
    tin: str = _USUAL.tin
    shop: str = "ПРОБНА ПРОДАВНИЦА"
    location: str = _USUAL.location_name
    url: str = ""
    password: str = Field(min_length=1)
    days: int = Field(default=365, ge=-3650, le=3650)
    encryption: Encryption = "modern"

    def issue(self, authority: Authority) -> bytes:
        caller = CertifiedCaller(self.uid, self.tin, self.shop, self.location)
        return authority.issue(
            caller, url=self.url, password=self.password, days=self.days, encryption=self.encryption
        )


@dataclass(frozen=True, slots=True)
class IssuedCertificate:
    """serial: hex."""

    serial: str
    caller: CertifiedCaller
    expires: datetime
    is_revoked: bool


class _Alerting(ssl.SSLObject):
    """A server's side of a connection that sends its alert before it breaks off a handshake.

    asyncio breaks off at once, and a caller without a valid certificate would not learn why. If
    asyncio has to wait for more data it writes the alert first.
    """

    _is_over = False

    def do_handshake(self) -> None:
        try:
            super().do_handshake()
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            raise
        except ssl.SSLError as error:
            if self._is_over:
                raise
            self._is_over = True
            raise ssl.SSLWantReadError from error


class Authority:
    def __init__(
        self, folder: Path, key: ec.EllipticCurvePrivateKey, certificate: x509.Certificate
    ) -> None:
        self.certificate = certificate
        self._folder = folder
        self._key = key
        self._contexts: list[ssl.SSLContext] = []

    @classmethod
    def open(cls, folder: Path) -> Authority:
        """Open the authority, which is made at the first start. Raises DataFolderNotWritable,
        DatabaseDamaged."""
        prepare_folder(folder)
        if not (folder / KEY).exists() or not (folder / CERTIFICATE).exists():
            _make(folder)
        try:
            key = load_pem_private_key((folder / KEY).read_bytes(), None)
            certificate = x509.load_pem_x509_certificate((folder / CERTIFICATE).read_bytes())
        except ValueError as error:
            raise _damaged(folder) from error
        if not isinstance(key, ec.EllipticCurvePrivateKey):
            raise _damaged(folder)
        authority = cls(folder, key, certificate)
        if not (folder / REVOKED).exists():
            authority._write_revoked(())
        return authority

    def server_context(self, host: str) -> ssl.SSLContext:
        """Make the TLS context of a server at `host` and the loopback. It demands a client
        certificate of this authority."""
        key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
        names = {"localhost", "127.0.0.1", "::1", host} - {"0.0.0.0", "::"}
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "development V-PFR")])
        usage = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
        certificate = (
            self._began(subject, key.public_key(), now + _YEARS)
            .add_extension(x509.SubjectAlternativeName(list(map(_name, sorted(names)))), False)
            .add_extension(usage, critical=False)
            .sign(self._key, hashes.SHA256())
        )
        path = self._folder / SERVER
        _write(path, _pem(key) + certificate.public_bytes(Encoding.PEM))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.sslobject_class = _Alerting
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(path)
        context.verify_mode = ssl.CERT_REQUIRED
        context.verify_flags |= ssl.VerifyFlags.VERIFY_CRL_CHECK_LEAF
        context.load_verify_locations(self._folder / CERTIFICATE)
        context.load_verify_locations(self._folder / REVOKED)
        self._contexts.append(context)
        return context

    def issue(
        self,
        caller: CertifiedCaller,
        *,
        url: str,
        password: str,
        days: int = 365,
        begins_in_days: int = 0,
        encryption: Encryption = "modern",
    ) -> bytes:
        """Make a PFX file. url: the address of the V-PFR, as the certificate has it. days: negative
        for an expired certificate. begins_in_days: positive for a certificate that is not valid
        yet."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name(
            [
                x509.NameAttribute(NameOID.COUNTRY_NAME, "RS"),
                x509.NameAttribute(NameOID.ORGANIZATION_NAME, caller.shop or "РАЗВОЈ"),
                x509.NameAttribute(NameOID.ORGANIZATIONAL_UNIT_NAME, caller.location or "1"),
                x509.NameAttribute(NameOID.SERIAL_NUMBER, caller.uid),
                x509.NameAttribute(NameOID.COMMON_NAME, f"{caller.uid} {caller.shop}".strip()),
            ]
        )
        now = datetime.now(UTC)
        later = now + timedelta(days=begins_in_days) if begins_in_days else None
        builder = self._began(subject, key.public_key(), now + timedelta(days=days), later)
        builder = builder.add_extension(
            x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH]), critical=False
        )
        for last, text in ((BACK_END, url), (TIN, caller.tin), (URL, url)):
            extension = x509.UnrecognizedExtension(x509.ObjectIdentifier(ARC + last), text.encode())
            builder = builder.add_extension(extension, critical=False)
        certificate = builder.sign(self._key, hashes.SHA256())
        issued = self._folder / ISSUED
        issued.mkdir(exist_ok=True)
        pem = certificate.public_bytes(Encoding.PEM)
        _write(issued / f"{certificate.serial_number:x}.pem", pem)
        return pkcs12.serialize_key_and_certificates(
            caller.uid.encode(), key, certificate, [self.certificate], _lock(encryption, password)
        )

    def issued(self) -> list[IssuedCertificate]:
        revoked = self._revoked()
        folder = self._folder / ISSUED
        paths = sorted(folder.glob("*.pem"), key=lambda path: path.stat().st_mtime_ns)
        found = [x509.load_pem_x509_certificate(path.read_bytes()) for path in paths]
        return [
            IssuedCertificate(
                serial=f"{one.serial_number:x}",
                caller=CertifiedCaller.of(one),
                expires=one.not_valid_after_utc,
                is_revoked=one.serial_number in revoked,
            )
            for one in found
        ]

    def revoke(self, serial: str) -> None:
        """Revoke a certificate from the next handshake on. Raises KeyError for one that was not
        issued here."""
        if serial not in {one.serial for one in self.issued()}:
            raise KeyError(serial)
        self._write_revoked({*self._revoked(), int(serial, 16)})
        for context in self._contexts:  # OpenSSL takes the newest list of an authority
            context.load_verify_locations(self._folder / REVOKED)

    def _revoked(self) -> set[int]:
        return {one.serial_number for one in self._list()}

    def _list(self) -> x509.CertificateRevocationList:
        return x509.load_pem_x509_crl((self._folder / REVOKED).read_bytes())

    def _write_revoked(self, serials: Iterable[int]) -> None:
        """Write the list of revoked certificates. Each list is a second newer than the one before,
        and none is in the future."""
        path, now = self._folder / REVOKED, datetime.now(UTC)
        before = self._list().last_update_utc if path.exists() else now - _BEGUN_BEFORE
        builder = (
            x509.CertificateRevocationListBuilder()
            .issuer_name(self.certificate.subject)
            .last_update(before + timedelta(seconds=1))
            .next_update(now + _YEARS)
        )
        for serial in serials:
            one = x509.RevokedCertificateBuilder().serial_number(serial).revocation_date(now)
            builder = builder.add_revoked_certificate(one.build())
        _write(path, builder.sign(self._key, hashes.SHA256()).public_bytes(Encoding.PEM))

    def _began(
        self,
        subject: x509.Name,
        key: ec.EllipticCurvePublicKey,
        expires: datetime,
        later: datetime | None = None,
    ) -> x509.CertificateBuilder:
        """Begin a certificate of ours, with the fields that OpenSSL's strict check demands.
        expires: its end. later: its beginning, or None for the usual one, some time ago."""
        begin = later or min(datetime.now(UTC), expires) - _BEGUN_BEFORE
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self.certificate.subject)
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(begin)
            .not_valid_after(expires)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()),
                critical=False,
            )
        )


def _make(folder: Path) -> None:
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "development V-PFR authority")])
    usage = x509.KeyUsage(
        digital_signature=False,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=True,
        crl_sign=True,
        encipher_only=False,
        decipher_only=False,
    )
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _BEGUN_BEFORE)
        .not_valid_after(now + _YEARS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    _write(folder / KEY, _pem(key))
    _write(folder / CERTIFICATE, certificate.public_bytes(Encoding.PEM))


def _lock(encryption: Encryption, password: str) -> KeySerializationEncryption:
    if encryption == "modern":
        return BestAvailableEncryption(password.encode())
    return (
        PrivateFormat.PKCS12.encryption_builder()
        .kdf_rounds(2000)
        .key_cert_algorithm(pkcs12.PBES.PBESv1SHA1And3KeyTripleDESCBC)
        .hmac_hash(hashes.SHA1())  # as old exports have it
        .build(password.encode())
    )


def _name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all, readable by its owner only."""
    beside = path.with_suffix(".new")
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
    beside.replace(path)


def _damaged(folder: Path) -> DatabaseDamaged:
    return DatabaseDamaged("authority", path=str(folder))
