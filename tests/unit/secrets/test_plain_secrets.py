"""A secret comes from the environment or from a file that nobody else can read."""

from __future__ import annotations

from pathlib import Path

import pytest

from pos_app.adapters.secrets.plain_file import FILE_NAME
from pos_app.adapters.secrets.reading import read_secret
from pos_app.errors import SettingsBroken

CANARY = "canary-4471"


def kept(folder: Path, text: str, mode: int = 0o600) -> None:
    (folder / FILE_NAME).write_text(text, encoding="utf-8")
    (folder / FILE_NAME).chmod(mode)


def test_the_environment_wins_over_the_file(folder: Path) -> None:
    assert read_secret("mail_password", data=folder, variables={}).reveal() == ""
    kept(folder, 'mail_password = "of the file"')
    assert read_secret("mail_password", data=folder, variables={}).reveal() == "of the file"
    assert read_secret("lan_token", data=folder, variables={}).reveal() == ""
    given = {"POS_APP_MAIL_PASSWORD": CANARY}
    assert read_secret("mail_password", data=folder, variables=given).reveal() == CANARY


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        (f'mail_password = "{CANARY}"', 0o640),
        (f'mail_password = "{CANARY}"', 0o604),
        (f"mail_password = {CANARY}", 0o600),
        (f'mail_password = ["{CANARY}"]', 0o600),
        (f'mail_pasword = "{CANARY}"', 0o600),
        (f'[mail]\npassword = "{CANARY}"', 0o600),
    ],
    ids=["the group reads it", "all read it", "no TOML", "no text", "misspelt", "in a group"],
)
def test_a_file_that_will_not_do_is_refused_without_its_words(
    folder: Path, text: str, mode: int
) -> None:
    kept(folder, text, mode)
    with pytest.raises(SettingsBroken) as told:
        read_secret("mail_password", data=folder, variables={})
    assert CANARY not in f"{told.value} {told.value.__cause__}"
    assert str(folder / FILE_NAME) in told.value.what
    kept(folder, f'"mail_pass\\nword" = "{CANARY}"')
    with pytest.raises(SettingsBroken) as told:
        read_secret("lan_token", data=folder, variables={})
    assert '"mail_pass\\nword"; there are: mail_password, lan_token,' in told.value.what
