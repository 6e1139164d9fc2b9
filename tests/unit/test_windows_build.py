"""What the build of the Windows installer refuses before it begins."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from pathlib import Path

BUILD = Path(__file__).parents[2] / "packaging" / "windows" / "build.py"
NAME = "python-3.13.9-embed-amd64.zip"
LIBRARY = b"..ProductVersion\0".decode().encode("utf-16-le") + "\0003.13.9\0".encode("utf-16-le")
PARTS = {
    "python313.dll": LIBRARY, "python3.dll": b"", "python313.zip": b"", "python313._pth": b"",
    "LICENSE.txt": b"",
}  # fmt: skip
KEY = "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqo="


def zipped(folder: Path, name: str, parts: dict[str, bytes]) -> tuple[str, str]:
    """Its path and its sum."""
    with zipfile.ZipFile(folder / name, "w") as file:
        for part, content in parts.items():
            file.writestr(part, content)
    return str(folder / name), hashlib.sha256((folder / name).read_bytes()).hexdigest()


def refusal(*words: str) -> str:
    done = subprocess.run(
        [sys.executable, str(BUILD), *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done
    return done.stderr


def test_only_the_runtime_that_was_said_is_taken(tmp_path: Path) -> None:
    good = zipped(tmp_path, NAME, PARTS)
    other = zipped(tmp_path, "python-3.13.8-embed-amd64.zip", PARTS)
    half = zipped(tmp_path, "python-3.13.7-embed-amd64.zip", {"python313.dll": LIBRARY})
    minor = zipped(tmp_path, "python-3.11.9-embed-amd64.zip", PARTS)
    thirty_two = zipped(tmp_path, "python-3.13.9-embed-win32.zip", PARTS)
    cases = [
        (("--release",), "A release takes --python-zip and --sha256"),
        (("--python-zip", good[0]), "not any (--sha256 SUM)"),
        (("--python-zip", good[0], "--sha256", "0" * 64), f"has the sum {good[1]}, not"),
        (("--python-zip", other[0], "--sha256", other[1]), "has Python 3.13.9 inside"),
        (("--python-zip", half[0], "--sha256", half[1]), "has no LICENSE.txt, python3.dll"),
        (("--python-zip", minor[0], "--sha256", minor[1]), "is not python-3.13.N-embed-amd64.zip"),
        (("--python-zip", thirty_two[0]), "is not python-3.13.N-embed-amd64.zip"),
        (("--python-zip", str(tmp_path / "python-3.13.5-embed-amd64.zip")), "There is no file"),
    ]
    for words, told in cases:
        assert told in refusal(*words), words


def test_address_and_key_of_updates_are_checked_and_belong_together() -> None:
    url = "https://example.rs/pos-app/manifest.json"
    assert "belong together" in refusal("--update-url", url)
    assert "belong together" in refusal("--update-key", KEY)
    assert "begins with https" in refusal("--update-url", "http://x.rs", "--update-key", KEY)
    assert "new-key printed" in refusal("--update-url", url, "--update-key", KEY[:-1])
