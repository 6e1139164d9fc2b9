"""The first start in a folder that exists already: its rights, and the secrets in it."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

import pytest

from tests.integration.test_server_program import program, run

pytestmark = pytest.mark.skipif(os.name != "posix", reason="rights of POSIX")


def test_a_folder_made_by_hand_is_its_user_s_alone_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "settings.toml").write_text("[till]\n")
    (folder / "settings.toml").chmod(0o644)
    (folder / "secrets.toml").write_text('mail_password = "x"\n')  # nothing needs it yet
    (folder / "secrets.toml").chmod(0o600)
    folder.chmod(0o755)
    with program("server", "--data", str(folder), "--port", "0") as (_, address):
        assert address.startswith("http://")
        found = dict[str, int]()
        for path in (folder, *folder.rglob("*")):
            with suppress(FileNotFoundError):  # a file that is being replaced has just been renamed
                found[path.name] = stat.S_IMODE(path.stat().st_mode)
    assert {"settings.toml", "install.json", "journal.db"} <= found.keys()
    assert set(found.values()) == {0o600, 0o700}, found


@pytest.mark.parametrize(
    ("secrets", "mode", "told"),
    [
        ("", 0o644, "other users have rights to it"),
        ('mail_pasword = "x"\n', 0o600, 'there is no secret "mail_pasword"'),
        ("mail_password\n", 0o600, "it can't be read"),
    ],
)
def test_bad_secrets_are_refused_at_once(folder: Path, secrets: str, mode: int, told: str) -> None:
    path = folder / "secrets.toml"
    path.write_text(secrets)
    path.chmod(mode)
    done = run("server", "--data", str(folder), "--port", "0")
    assert done.returncode == 1
    assert told in done.stderr
    assert str(path) in done.stderr
    assert not (folder / "install.json").exists()
