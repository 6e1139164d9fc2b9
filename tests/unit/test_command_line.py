"""What the command line says to a word that it does not know."""

from __future__ import annotations

import pytest

from pos_app.__main__ import main


@pytest.mark.parametrize("port", ["x", "", "-1", "65536", "1.5", "1_0", "٣", "99999999999"])
@pytest.mark.parametrize("option", ["--port", "--control-port"])
def test_a_port_that_is_none(option: str, port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["processor", f"{option}={port}"])
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert f"argument {option}: a port is a number from 0 to 65535, not {port!r}" in told


def test_the_till_s_own_word_is_not_offered_to_a_person(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["server", "--help"])
    assert ended.value.code == 0
    told = capsys.readouterr().out
    assert "--port" in told
    assert "--for-till" not in told
