"""The refusals of the Windows installer's build."""

from __future__ import annotations

import hashlib
import struct
import sys
import zipfile
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from tests.scripts import script

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "packaging" / "windows" / "build.py"
NAME = "python-3.13.9-embed-amd64.zip"
LIBRARY = b"..ProductVersion\0".decode().encode("utf-16-le") + "\0003.13.9\0".encode("utf-16-le")
PARTS = {
    "python313.dll": LIBRARY,
    "python3.dll": b"",
    "python313.zip": b"",
    "python313._pth": b"",
    "LICENSE.txt": b"",
}
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


def put(
    lib: Path, name: str, version: str, requires: Sequence[str] = (), more: Sequence[str] = ()
) -> None:
    """A package as pip leaves it. more: other lines of its metadata."""
    lines = [f"Name: {name}", f"Version: {version}", *(f"Requires-Dist: {it}" for it in requires)]
    lines += more
    place = lib / f"{name.replace('-', '_')}-{version}.dist-info"
    place.mkdir()
    (place / "METADATA").write_text("\n".join(["Metadata-Version: 2.4", *lines, ""]))


def test_what_the_runtime_of_a_release_needs_beyond_the_lock_is_named(tmp_path: Path) -> None:
    build = build_script()
    (tmp_path / "pyproject.toml").write_text(
        """[project]
        dependencies = ["One[fast]>=2", "miniaudio; sys_platform == 'linux'", "absent"]
        """
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "ROOT", tmp_path)
        lib = tmp_path / "lib"
        lib.mkdir()
        put(
            lib,
            "One",
            "2.1",
            [
                "two-parts<3",
                "old-helper; python_version < '3.12'",
                "new-helper; python_version >= '3.12'",
                "quick; extra == 'fast'",
                "docs; extra == 'docs'",
                "uvloop; sys_platform != 'win32'",
            ],
        )
        put(lib, "Two_Parts", "3.0", ["far"])
        assert build.missing_packages(lib, "3.13") == [
            "one needs new-helper; python_version >= '3.12', there is none",
            "one needs quick; extra == 'fast', there is none",
            "one needs two-parts<3, there is 3.0",
            "pos-app needs absent, there is none",
        ]
        assert any("old-helper" in one for one in build.missing_packages(lib, "3.11"))
        for name in ("new-helper", "quick", "absent"):
            put(lib, name, "1.0")
        (lib / "Two_Parts-3.0.dist-info" / "METADATA").unlink()
        (lib / "Two_Parts-3.0.dist-info").rmdir()
        put(lib, "two.parts", "2.9", ["One"])
        assert build.missing_packages(lib, "3.13") == []


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
        put(tmp_path, name, version, told)
    assert len(lock) > 30
    assert build_script().missing_packages(tmp_path, build_script().RUNTIME) == []


def test_each_package_of_the_bill_has_the_licence_of_its_metadata(tmp_path: Path) -> None:
    named = {
        "one": ("License-Expression: mit", {"license": {"id": "MIT"}}),
        "both": ("License: MIT OR Apache-2.0", {"expression": "MIT OR Apache-2.0"}),
        "own": ("License: Ours, as it says below", {"license": {"name": "Ours, as it says below"}}),
        "sorted": (
            "Classifier: License :: OSI Approved :: BSD License",
            {"license": {"name": "BSD License"}},
        ),
    }
    for name, (line, _) in named.items():
        put(tmp_path, name, "1.0", more=[line])
    components = [
        {"name": name, "version": "1.0", "purl": f"pkg:pypi/{name}@1.0"} for name in named
    ]
    build_script().add_licences(components, tmp_path)
    assert [one["licenses"] for one in components] == [[wanted] for _, wanted in named.values()]


def test_a_bill_without_a_package_s_licence_is_refused(tmp_path: Path) -> None:
    put(tmp_path, "silent", "1.0")
    for version, told in (("1.0", "silent 1.0 names no licence"), ("1.1", "silent@1.1, ")):
        component = {"name": "silent", "version": version, "purl": f"silent@{version}"}
        with pytest.raises(SystemExit, match=told):
            build_script().add_licences([component], tmp_path)


def program(*, is_signed: bool, magic: int) -> bytes:
    """A head of a Windows program: five directories, the fifth says where a signature is."""
    begin = 128
    fixed = 112 if magic == 0x20B else 96
    content = bytearray(begin + 24 + fixed + 5 * 8)
    struct.pack_into("<I", content, 0x3C, begin)
    struct.pack_into("<H", content, begin + 24, magic)
    struct.pack_into("<II", content, begin + 24 + fixed + 32, 4096, 512 if is_signed else 0)
    return bytes(content)


@pytest.mark.parametrize("magic", [0x10B, 0x20B])
@pytest.mark.parametrize("is_signed", [False, True])
def test_what_its_maker_signed_is_not_signed_again(is_signed: bool, magic: int) -> None:
    assert build_script().has_signature(program(is_signed=is_signed, magic=magic)) is is_signed


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
