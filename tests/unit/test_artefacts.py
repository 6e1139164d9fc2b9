"""The bill of material and the sums that lie beside each artefact of a release."""

from __future__ import annotations

import hashlib
import json
import subprocess
import tarfile
from importlib import metadata
from io import BytesIO
from pathlib import Path
from typing import Any

import artefacts
import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator


def put(lib: Path, name: str, version: str, *lines: str) -> None:
    """A package as pip leaves it."""
    place = lib / f"{name.replace('-', '_')}-{version}.dist-info"
    place.mkdir(parents=True)
    told = ["Metadata-Version: 2.4", f"Name: {name}", f"Version: {version}", *lines, ""]
    (place / "METADATA").write_text("\n".join(told))


def shop_packages(lib: Path) -> None:
    needs = "Requires-Dist: h11", "Requires-Dist: h2; extra == 'http2'", "Provides-Extra: http2"
    put(lib, "httpx", "0.28.1", "License-Expression: BSD-3-Clause", *needs)
    windows = 'Requires-Dist: PyTZ; sys_platform == "win32"'
    put(lib, "h11", "0.16.0", "License: MIT License", windows)
    put(lib, "h2", "4.0", "Classifier: License :: OSI Approved :: BSD License")
    put(lib, "pytz", "2026.1", "License: MIT OR Apache-2.0")
    put(lib, "pos-app", "4.0.0")


def bill_of(
    lib: Path, monkeypatch: pytest.MonkeyPatch, **python: str
) -> tuple[dict[str, Any], bytes]:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1800000000")
    file = lib.parent / "pos-app.exe.cdx.json"
    packages = metadata.distributions(path=[str(lib)])
    artefacts.write_bill(file, artefacts.Contents(packages, python), version="4.0.0")
    written = file.read_bytes()
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(written.decode()) is None
    return json.loads(written), written


def test_a_bill_names_version_licence_and_needs_of_each_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An optional package counts where it is there."""
    shop_packages(tmp_path / "lib")
    bill, written = bill_of(tmp_path / "lib", monkeypatch, sys_platform="linux")
    itself = bill["metadata"]["component"]
    assert (itself["name"], itself["version"]) == ("pos-app", "4.0.0")
    assert bill["metadata"]["timestamp"] == "2027-01-15T08:00:00+00:00"
    assert {one["purl"]: one["licenses"] for one in bill["components"]} == {
        "pkg:pypi/httpx@0.28.1": [{"license": {"id": "BSD-3-Clause"}}],
        "pkg:pypi/h11@0.16.0": [{"license": {"name": "MIT License"}}],
        "pkg:pypi/h2@4.0": [{"license": {"name": "BSD License"}}],
        "pkg:pypi/pytz@2026.1": [{"expression": "MIT OR Apache-2.0"}],
    }
    needs = {one["ref"]: one.get("dependsOn", []) for one in bill["dependencies"]}
    assert needs["pos-app"] == ["pkg:pypi/h11@0.16.0", "pkg:pypi/httpx@0.28.1"]
    assert needs["pkg:pypi/httpx@0.28.1"] == ["pkg:pypi/h11@0.16.0", "pkg:pypi/h2@4.0"]
    assert needs["pkg:pypi/h11@0.16.0"] == []
    assert bill_of(tmp_path / "lib", monkeypatch, sys_platform="linux")[1] == written
    windows, _ = bill_of(tmp_path / "lib", monkeypatch, sys_platform="win32")
    needs = {one["ref"]: one.get("dependsOn", []) for one in windows["dependencies"]}
    assert needs["pkg:pypi/h11@0.16.0"] == ["pkg:pypi/pytz@2026.1"]
    assert windows["serialNumber"] != bill["serialNumber"], "another bill has another number"


def test_a_part_without_a_licence_ends_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "lib", "nameless", "1.0")
    with pytest.raises(SystemExit, match=r"nameless 1.0 names no licence"):
        bill_of(tmp_path / "lib", monkeypatch)


def test_sums_are_those_of_all_artefacts_and_bills_that_are_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("б.deb", "a.whl", "gone.exe"):
        (tmp_path / name).write_text(name)
        (tmp_path / f"{name}.cdx.json").write_text(f"the bill of {name}")
        artefacts.finish(tmp_path / name)
    (tmp_path / "gone.exe").unlink()
    (tmp_path / "notes.txt").write_text("is no artefact")
    capsys.readouterr()
    artefacts.finish(tmp_path / "a.whl")
    words = ["sha256sum", "--check", "--strict", "SHA256SUMS"]
    told = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert [line.split(":")[0] for line in told.splitlines()] == [
        "a.whl", "a.whl.cdx.json", "б.deb", "б.deb.cdx.json",
    ]  # fmt: skip
    printed = capsys.readouterr().out.splitlines()
    assert [line.split()[2] for line in printed] == [
        str(tmp_path / name) for name in ("a.whl.cdx.json", "a.whl")
    ]
    sums = (tmp_path / "SHA256SUMS").read_text().splitlines()
    assert {line.split()[0] for line in printed} == {line.split()[0] for line in sums[:2]}


def archive(parts: dict[str, bytes]) -> bytes:
    file = BytesIO()
    with tarfile.open(fileobj=file, mode="w") as packed:
        for name, content in parts.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            packed.addfile(member, BytesIO(content))
    return file.getvalue()


def test_the_bill_of_an_image_names_debian_s_packages_of_its_last_layer(tmp_path: Path) -> None:
    status = "Package: {0}\nStatus: {2} ok {3}\nArchitecture: amd64\nVersion: {1}\n"
    there, gone = ("install", "installed"), ("deinstall", "config-files")
    base, last = (
        "\n".join(status.format(*one) for one in each)
        for each in (
            [("tzdata", "1", *there)],
            [("tzdata", "2", *there), ("libc6", "2.36-9", *there), ("sudo", "1.9", *gone)],
        )
    )
    place = "opt/pos-app/.venv/lib/python3.11/site-packages/h11-0.16.0.dist-info"
    told = b"Metadata-Version: 2.4\nName: h11\nVersion: 0.16.0\nLicense: MIT\n"
    layers = {
        "base.tar": archive({"var/lib/dpkg/status": base.encode(), "etc/passwd": b"root"}),
        "last.tar": archive({"var/lib/dpkg/status": last.encode(), f"{place}/METADATA": told}),
    }
    (tmp_path / "image.tar").write_bytes(
        archive(layers | {"manifest.json": json.dumps([{"Layers": [*layers]}]).encode()})
    )
    contents = artefacts.contents_of_image(tmp_path / "image.tar", tmp_path)
    assert [one.name for one in contents.packages] == ["h11"]
    assert [str(one.purl) for one in contents.others] == [
        "pkg:deb/debian/tzdata@2?arch=amd64&distro=debian-12",
        "pkg:deb/debian/libc6@2.36-9?arch=amd64&distro=debian-12",
    ]
    assert not (tmp_path / "etc").exists()


def test_an_image_is_packed_without_what_one_build_alone_had(tmp_path: Path) -> None:
    for number in "12":
        copied = f"/bin/sh -c #(nop) COPY dir:{number * 64} in /opt "
        settings = {
            "container": number,
            "container_config": {"Hostname": number},
            "config": {"Hostname": number, "Labels": {"version": "4.0.0"}},
            "history": [{"created_by": copied}],
        }
        told = [{"Config": number, "RepoTags": [number], "Layers": ["last.tar"]}]
        parts = {number: settings, "manifest.json": told, "repositories": number}
        texts = {name: json.dumps(part).encode() for name, part in parts.items()}
        (tmp_path / number).write_bytes(archive({"last.tar": b"a layer"} | texts))
        artefacts.pack(tmp_path / number, tmp_path / f"{number}.tar", "pos-app-platform:4.0.0")
    assert (tmp_path / "1.tar").read_bytes() == (tmp_path / "2.tar").read_bytes()
    with tarfile.open(tmp_path / "1.tar") as image:
        (told,) = json.load(artefacts.unpacked(image, "manifest.json"))
        assert told["RepoTags"] == ["pos-app-platform:4.0.0"]
        assert artefacts.unpacked(image, told["Layers"][0]).read() == b"a layer"
        text = artefacts.unpacked(image, told["Config"]).read()
    assert told["Config"] == f"{hashlib.sha256(text).hexdigest()}.json"
    assert json.loads(text) == {
        "config": {"Labels": {"version": "4.0.0"}},
        "history": [{"created_by": "/bin/sh -c #(nop) COPY in /opt "}],
    }
