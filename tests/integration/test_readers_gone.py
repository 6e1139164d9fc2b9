"""The reader of a program's output may go at any time, as `head` does, or know fewer letters: the
work goes on, and the exit status is that of the work."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue
from tests.e2e.nursery import ended

LIST = (
    '{"products": [{"id": "bread", "sku": 1, "name": "Хлеб", "price": 58.99, "taxRateLabel": "Е"}]}'
)


@pytest.fixture
def pipe() -> Iterator[int]:
    reader, writer = os.pipe()
    os.close(reader)
    yield writer
    os.close(writer)


def status(*words: str, out: int, errors: int = subprocess.PIPE) -> tuple[int, str]:
    """Return the exit status of `pos-app` and its words on standard error."""
    command = (sys.executable, "-m", "pos_app", *words)
    child = subprocess.Popen(command, stdout=out, stderr=errors, text=True)
    _, said = child.communicate(timeout=60)
    return child.returncode, said or ""


def test_a_program_ends_what_it_began(folder: Path, pipe: int) -> None:
    file = folder / "list.json"
    folder.mkdir(exist_ok=True)
    file.write_text(LIST, encoding="utf-8")
    code, said = status("sync", str(file), "--data", str(folder), out=pipe)
    assert (code, "Traceback" in said) == (0, False)
    with SqliteCatalogue(catalogue_file(folder)) as catalogue:
        assert len(list(catalogue.codes())) == 1
    assert status("upgrade", "--data", str(folder), out=pipe, errors=pipe) == (0, "")
    assert list(folder.glob("backups/before-*/"))


def test_a_letter_that_the_reader_does_not_take_is_escaped(folder: Path) -> None:
    made = ended("platform", "account", "add", "Чај", "--data", str(folder)).stdout.strip()
    words = ("platform", "account", "list", "--data", str(folder))
    told = subprocess.run(
        (sys.executable, "-m", "pos_app", *words),
        env=os.environ | {"PYTHONIOENCODING": "latin-1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout == f"{made}  \\u0427\\u0430\\u0458\n"


# --- what is not installed ------------------------------------------------------------------------


WITHOUT_A_PACKAGE = """
import sys
sys.modules["sqlalchemy"] = None  # as where it is not installed
from pos_app.__main__ import main
sys.exit(main())
"""


def test_the_platform_names_what_it_lacks_and_where_to_host_it(tmp_path: Path) -> None:
    words = ("platform", "--data", str(tmp_path / "data"), "account", "list")
    told = subprocess.run(
        [sys.executable, "-c", WITHOUT_A_PACKAGE, *words],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert told.returncode == 1
    assert '"sqlalchemy"' in told.stderr
    assert 'pip install "pos-app[platform]"' in told.stderr
    assert "Linux" in told.stderr
    assert "Traceback" not in told.stderr
    assert not (tmp_path / "data").exists()
