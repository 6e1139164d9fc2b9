"""Finds where newer versions come from, and whose signature counts.

Two sources say this, and only an administrator of the computer may change them. A data folder is no
such source, because every cashier of the computer may change its files.

- set by the builder: `shipped.toml` of the package, in its group [updates];
- set by an administrator: on Windows `UpdateUrl` and `UpdateKey` of
  `HKLM\\Software\\Policies\\pos-app`, elsewhere [updates] of `/etc/pos-app/updates.toml`.

Each of the two values of an administrator takes precedence over the builder's. Source: updates.md.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

from pos_app.errors import Refused
from pos_app.lazy_dataclass import dataclass
from pos_app.settings import FILE_NAME, Settings

if sys.platform == "win32":
    import winreg

SHIPPED = Path(__file__).parents[2] / "shipped.toml"
ADMINISTRATORS = Path("/etc/pos-app/updates.toml")
POLICY = r"Software\Policies\pos-app"
_VALUES = {"url": "UpdateUrl", "key": "UpdateKey"}
_GROUP = "updates"
_URL = re.compile(r"https?://[^\s/?#@]+(/[^\s#]*)?")
_KEY = re.compile(r"[A-Za-z0-9+/]{43}=")
SOURCE_KIND = "update_source"
"""The kind of the refusal where the two sources can't be read or used."""


@dataclass(frozen=True, slots=True)
class UpdateSource:
    """The source of updates. url: the address of the manifest; with "" nobody is asked. key: the
    public key of the signer of the files there, 32 bytes in base64."""

    url: str
    key: str


def trusted_source(
    *, shipped: Path = SHIPPED, administrators: Callable[[], Mapping[str, object]] | None = None
) -> UpdateSource:
    """Read the two sources. Raises Refused where they can't be read or used."""
    settings = dict(_in_file(shipped)) | dict((administrators or administrators_settings)())
    url, key = settings.get("url", ""), settings.get("key", "")
    if not isinstance(url, str) or (url and not _URL.fullmatch(url)):
        raise unusable("the address begins with https:// or http://")
    if not isinstance(key, str) or (key and not _KEY.fullmatch(key)):
        raise unusable("the key is 32 bytes in base64: 44 characters, the last one =")
    if url and not key:
        raise unusable("an address needs the key of who signs what is there")
    return UpdateSource(url, key)


def update_source(
    settings: Settings, *, trusted: Callable[[], UpdateSource] = trusted_source
) -> UpdateSource | Refused:
    """Return the address that a till of these settings asks, or why it asks none though somebody
    wants it.

    | settings.toml says                | asked                  |
    | nothing, or the trusted values    | the trusted source     |
    | an empty address                  | nobody                 |
    | another address, another key      | nobody; Refused        |
    """
    own = settings.updates
    if not own.url and "url" in own.given:
        return UpdateSource("", "")
    try:
        source = trusted()
    except Refused as error:
        return error
    if (own.url or source.url, own.key or source.key) == (source.url, source.key):
        return source
    path = settings.data / FILE_NAME
    return Refused("update_settings", path=str(path))


def administrators_settings() -> Mapping[str, object]:
    """Return an administrator's values on this computer. Raises Refused."""
    if sys.platform == "win32":
        return _in_registry()
    return _in_file(ADMINISTRATORS)


def _in_file(path: Path) -> Mapping[str, object]:
    """Return the group [updates] of a file; nothing where there is no such file."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8")).get(_GROUP, {})
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise unusable(f"{path} can't be read: {error}") from error
    if not isinstance(document, dict):
        raise unusable(f"{path} has no group [{_GROUP}]")
    return document


def _in_registry() -> Mapping[str, object]:
    found: dict[str, object] = {}
    if sys.platform == "win32":
        access = winreg.KEY_READ | winreg.KEY_WOW64_64KEY
        try:
            with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, POLICY, 0, access) as policy:
                for name, value in _VALUES.items():
                    try:
                        found[name] = winreg.QueryValueEx(policy, value)[0]
                    except FileNotFoundError:
                        continue
        except FileNotFoundError:
            return found
        except OSError as error:
            raise unusable(f"the registry can't be read: {error}") from error
    return found


def unusable(why: str) -> Refused:
    return Refused(SOURCE_KIND, why=why)
