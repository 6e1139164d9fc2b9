"""PFX files as people bring them, made by the `openssl` of the machine.

Each takes milliseconds, one of ten million rounds some seconds.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

PASSWORD = "p4ss"
EC = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")
RSA_1024 = ("-newkey", "rsa:1024")
RSA_PSS = ("-newkey", "rsa-pss", "-pkeyopt", "rsa_keygen_bits:2048")
CURVE_UNKNOWN = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:sect233r1")
ROUNDS = 10_000_000
_SEQUENCE, _OCTETS, _CONTEXT_0 = 0x30, 0x04, 0xA0


def pfx(folder: Path, *packed: str, key: tuple[str, ...] = EC, uid: str = "VPFR0001") -> bytes:
    """packed: more words of `openssl pkcs12 -export`. key: words of `openssl req` for its key."""
    folder.mkdir(exist_ok=True)
    _openssl(
        folder,
        "req -x509 -nodes -days 365 -keyout key.pem -out certificate.pem",
        *key,
        *("-subj", f"/C=RS/O=LIPA/OU=1/serialNumber={uid}/CN={uid} LIPA"),
        *("-addext", "1.3.6.1.4.1.49952.3.8.6=ASN1:UTF8String:109876543"),
    )
    return packed_again(folder, *packed)


def packed_again(folder: Path, *packed: str) -> bytes:
    """Pack the key and certificate that were made last in that folder in another way."""
    words = (
        f"pkcs12 -export -inkey key.pem -in certificate.pem -out made.pfx -passout pass:{PASSWORD}"
    )
    _openssl(folder, words, *packed)
    return (folder / "made.pfx").read_bytes()


def of_two_keys(folder: Path) -> bytes:
    """A file with two keys. `openssl` packs one key, so the contents of two of its files are
    joined, without a MAC, which would reveal that."""
    open_bags = ("-nomac", "-certpbe", "NONE")
    parts = [_contents(pfx(folder, *open_bags, uid=uid)) for uid in ("VPFR0001", "VPFR0002")]
    data = bytes.fromhex("06092a864886f70d010701")
    held = _der(_OCTETS, _der(_SEQUENCE, b"".join(parts)))
    safe = _der(_SEQUENCE, data + _der(_CONTEXT_0, held))
    return _der(_SEQUENCE, b"\x02\x01\x03" + safe)


def _contents(file: bytes) -> bytes:
    """The content of its AuthenticatedSafe: PFX, version, ContentInfo, OID, [0], octets."""
    whole, _ = _read(file)
    _, rest = _read(whole)
    safe, _ = _read(rest)
    _, held = _read(safe)
    octets, _ = _read(_read(held)[0])
    return _read(octets)[0]


def _read(der: bytes) -> tuple[bytes, bytes]:
    """The content of the first value, and the bytes behind it."""
    length, start = der[1], 2
    if length > 0x80:
        start += length - 0x80
        length = int.from_bytes(der[2:start], "big")
    return der[start : start + length], der[start + length :]


def _der(tag: int, content: bytes) -> bytes:
    return bytes((tag, 0x82)) + len(content).to_bytes(2, "big") + content


def _openssl(folder: Path, words: str, *more: str) -> None:
    subprocess.run(("openssl", *words.split(), *more), cwd=folder, check=True, capture_output=True)
