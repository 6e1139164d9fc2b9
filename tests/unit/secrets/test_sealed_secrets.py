"""The server's secrets are sealed; the key is in the keyring, with Windows, or in a file."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from keyring.backend import KeyringBackend

from pos_app.adapters.secrets import reading
from pos_app.adapters.secrets.dpapi import RIGHTS, MachineKey, is_service
from pos_app.adapters.secrets.keepers import AccountKeyring, KeyFile, account_keyring
from pos_app.adapters.secrets.key_keeper import KeyKeeper
from pos_app.adapters.secrets.sealed_file import FILE_NAME, Keepers
from pos_app.adapters.secrets.secret import Secret
from pos_app.errors import NotAllowed, SettingsBroken
from tests.fakes.windows_secrets import FakeWindows

CANARY, OTHER = "canary-PAC-7731", "canary-password-7732"


class MemoryKeyring(KeyringBackend):
    """A keyring. forgetful: it keeps nothing and reports no error, as a null backend does."""

    priority = 1.0

    def __init__(self, *, forgetful: bool = False) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}
        self._forgetful = forgetful

    def set_password(self, service: str, username: str, password: str) -> None:
        if not self._forgetful:
            self.kept[service, username] = password

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))


def of_keyring(data: Path) -> KeyKeeper:
    return AccountKeyring(MemoryKeyring())


def of_machine(data: Path) -> KeyKeeper:
    return MachineKey(data, FakeWindows())


@pytest.mark.parametrize("keeper", [of_keyring, of_machine, KeyFile])
def test_what_is_sealed_is_read_again_and_stands_nowhere(
    folder: Path, keeper: Callable[[Path], KeyKeeper]
) -> None:
    one = keeper(folder)
    places: Keepers = [lambda: one]
    given = {"processor_pac": Secret(CANARY), "processor_password": Secret(OTHER)}
    reading.write_secrets(given, data=folder, variables={}, keepers=places)
    told = reading.read_secret("processor_pac", data=folder, variables={}, keepers=places)
    assert told.reveal() == CANARY
    reading.write_secrets({"processor_password": None}, data=folder, variables={}, keepers=places)
    assert not reading.read_secret("processor_password", data=folder, variables={}, keepers=places)
    for path in folder.iterdir():
        assert CANARY.encode() not in path.read_bytes()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    # A value under another name is not opened: it is bound to its own name.
    members = json.loads((folder / FILE_NAME).read_bytes())
    members["values"]["lan_token"] = members["values"]["processor_pac"]
    (folder / FILE_NAME).write_text(json.dumps(members))
    with pytest.raises(SettingsBroken, match="lan_token"):
        reading.read_secret("lan_token", data=folder, variables={}, keepers=places)


def test_who_gave_it_elsewhere_is_asked_to_change_it_there(folder: Path) -> None:
    variables = {"POS_APP_PROCESSOR_PAC": CANARY}
    with pytest.raises(NotAllowed, match="POS_APP_PROCESSOR_PAC"):
        reading.write_secrets({"processor_pac": Secret("ABC123")}, data=folder, variables=variables)
    (folder / "secrets.toml").write_text(f'processor_pac = "{CANARY}"')
    (folder / "secrets.toml").chmod(0o600)
    assert reading.given_elsewhere("processor_pac", data=folder, variables={}) == "secrets.toml"
    with pytest.raises(NotAllowed, match=r"secrets\.toml"):
        reading.write_secrets({"processor_pac": Secret("ABC123")}, data=folder, variables={})
    assert not (folder / FILE_NAME).exists()


def test_a_keyring_that_keeps_nothing_is_passed_over_and_a_file_is_told_aloud(folder: Path) -> None:
    forgetful = AccountKeyring(MemoryKeyring(forgetful=True))
    places: Keepers = [lambda: forgetful, lambda: KeyFile(folder)]
    assert reading.who_can_open(folder) is None
    reading.write_secrets(
        {"processor_pac": Secret(CANARY)}, data=folder, variables={}, keepers=places
    )
    assert json.loads((folder / FILE_NAME).read_bytes())["keeper"] == "file"
    assert "no keyring" in str(reading.who_can_open(folder))


def test_a_key_that_is_gone_or_open_to_others_is_told(folder: Path) -> None:
    places = [lambda: KeyFile(folder)]
    reading.write_secrets(
        {"processor_pac": Secret(CANARY)}, data=folder, variables={}, keepers=places
    )
    key = folder / "secrets.key"
    key.chmod(0o640)
    with pytest.raises(SettingsBroken, match="other users"):
        reading.read_secret("processor_pac", data=folder, variables={}, keepers=places)
    key.unlink()
    with pytest.raises(SettingsBroken, match="missing") as told:
        reading.read_secret("processor_pac", data=folder, variables={}, keepers=places)
    assert CANARY not in str(told.value)
    foreign = {"version": 1, "owner": "x", "keeper": "keyring", "values": {"lan_token": ""}}
    (folder / FILE_NAME).write_text(json.dumps(foreign))
    with pytest.raises(SettingsBroken, match="keyring"):
        reading.read_secret("lan_token", data=folder, variables={}, keepers=places)


def test_the_file_of_the_machine_s_key_is_kept_from_other_accounts(folder: Path) -> None:
    windows = FakeWindows()
    MachineKey(folder, windows).store(b"k" * 32, owner="owner")
    assert windows.rights == {str(folder / "secrets.key"): RIGHTS}
    assert MachineKey(folder, windows).key(owner="owner") == b"k" * 32
    assert windows.freed == 3
    assert (is_service(FakeWindows()), is_service(FakeWindows(session=1))) == (True, False)


def test_no_plug_in_is_ever_taken_for_a_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    """keyring's own choice can be redirected; ours can't."""
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
    assert account_keyring() is None


def test_a_start_loads_no_keyring_and_no_cipher(folder: Path) -> None:
    asked = (
        "import sys, pathlib; from pos_app.adapters.secrets.reading import read_secret\n"
        "read_secret('mail_password', data=pathlib.Path(sys.argv[1]), variables={})\n"
        "assert not {'keyring', 'cryptography'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", asked, str(folder)], check=True)
