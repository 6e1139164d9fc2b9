"""The refusals of the Windows installer's build."""

from __future__ import annotations

import hashlib
import struct
import sys
import zipfile
from importlib import metadata
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from tests.scripts import script
from tests.unit.test_artefacts import put

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "packaging" / "windows" / "build.py"
NAME = "python-3.13.9-embed-amd64.zip"
LIBRARY = b"..ProductVersion\0".decode().encode("utf-16-le") + "\0003.13.9\0".encode("utf-16-le")
PARTS = {
    "python313.dll": LIBRARY, "python3.dll": b"", "python313.zip": b"", "python313._pth": b"",
    "LICENSE.txt": b"",
}  # fmt: skip
KEY = "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqo="


def zipped(folder: Path, name: str, parts: dict[str, bytes]) -> tuple[str, str]:
    """The path of a zip file and its sum."""
    with zipfile.ZipFile(folder / name, "w") as file:
        for part, content in parts.items():
            file.writestr(part, content)
    return str(folder / name), hashlib.sha256((folder / name).read_bytes()).hexdigest()


def refusal(*words: str) -> str:
    """Run the script; return the words that it ends with."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "argv", [str(BUILD), *words])
        with pytest.raises(SystemExit) as refused:
            build_script().main()
    return str(refused.value)


def test_only_the_runtime_that_was_said_is_taken(tmp_path: Path) -> None:
    good = zipped(tmp_path, NAME, PARTS)
    other = zipped(tmp_path, "python-3.13.8-embed-amd64.zip", PARTS)
    half = zipped(tmp_path, "python-3.13.7-embed-amd64.zip", {"python313.dll": LIBRARY})
    minor = zipped(tmp_path, "python-3.11.9-embed-amd64.zip", PARTS)
    thirty_two = zipped(tmp_path, "python-3.13.9-embed-win32.zip", PARTS)
    cases = [
        (("--release",), "A release takes --python-zip and --sha256"),
        (("--release", "--python-zip", good[0], "--sha256", good[1]), "who offers Qt's source"),
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


def build_script() -> ModuleType:
    return script("windows/build")


def test_the_lock_of_windows_has_all_that_a_release_needs(tmp_path: Path) -> None:
    """The packages installed here name their requirements, in the versions of the lock."""
    lock = {
        one.partition("==")[0]: one.split("==")[1].split()[0]
        for one in (ROOT / "packaging" / "requirements-windows.txt").read_text().splitlines()
        if "==" in one and not one.startswith((" ", "#"))
    }
    for name, version in lock.items():
        try:
            told = metadata.distribution(name).requires or []
        except metadata.PackageNotFoundError:  # only Windows has it
            told = []
        put(tmp_path, name, version, *(f"Requires-Dist: {it}" for it in told))
    assert len(lock) > 30
    assert build_script().missing_packages(tmp_path, build_script().RUNTIME) == []


def program(*, is_signed: bool, magic: int) -> bytes:
    """A head of a Windows program: five directories, the fifth says where a signature is."""
    begin = 128
    fixed = 112 if magic == 0x20B else 96
    content = bytearray(begin + 24 + fixed + 5 * 8)
    struct.pack_into("<I", content, 0x3C, begin)
    struct.pack_into("<H", content, begin + 24, magic)
    struct.pack_into("<II", content, begin + 24 + fixed + 32, 4096, 512 if is_signed else 0)
    return bytes(content)


@pytest.mark.parametrize("with_libraries", [False, True])
def test_the_hook_signs_what_nobody_has_signed(tmp_path: Path, with_libraries: bool) -> None:
    stage, told = tmp_path / "stage of it", tmp_path / "signed.txt"
    (stage / "lib").mkdir(parents=True)
    names = {
        "pos-app-till.exe": False,
        "python/python.exe": True,
        "lib/apsw.PYD": False,
        "lib/msvcp140.dll": True,
        "lib/Qt6Core.dll": False,
        "lib/notes.txt": False,
    }
    for name, is_signed in names.items():
        (stage / name).parent.mkdir(exist_ok=True)
        (stage / name).write_bytes(program(is_signed=is_signed, magic=0x20B))
    hook = tmp_path / "hook.sh"
    hook.write_text(f'#!/bin/sh\nprintf "%s\\n" "$1:$2" >> "{told}"\n')
    hook.chmod(0o755)
    build = SimpleNamespace(sign=f"{hook} 'our key'", signs_libraries=with_libraries, stage=stage)
    build_script().signed(build)
    libraries = ["lib/Qt6Core.dll", "lib/apsw.PYD"] if with_libraries else []
    asked = [f"our key:{stage / name}" for name in [*libraries, "pos-app-till.exe"]]
    assert told.read_text().splitlines() == asked
