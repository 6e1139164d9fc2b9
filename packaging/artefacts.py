"""Every artefact of a release has its bill of material beside it, and its folder the sums of all.

    .venv/bin/python packaging/artefacts.py wheel     dist/pos_app-VERSION-py3-none-any.whl
    .venv/bin/python packaging/artefacts.py image     dist/pos-app-platform-VERSION.tar
        [-- --volume /etc/pip.conf:/etc/pip.conf:ro]

`make release` builds all of them. The builds of the Debian package and of the Windows installer use
these functions too. The bytes depend on the commit and the locks alone; those of the image on its
base and on Debian's archive as well.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_string
from email.message import Message
from importlib.metadata import Distribution, distribution, distributions
from itertools import chain
from pathlib import Path
from typing import IO

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import License
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from notices import OF_THE_BUILD
from packageurl import PackageURL
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
LOCK = ROOT / "packaging" / "requirements-linux.txt"
CONTAINERFILE = ROOT / "packaging" / "container" / "platform.Containerfile"
IMAGE = "pos-app-platform"
BILL = ".cdx.json"
"""The end of a bill's name, after that of its artefact."""
SUMS = "SHA256SUMS"
METADATA = re.compile(r"opt/pos-app/\.venv/lib/[^/]+/site-packages/[^/]+\.dist-info/METADATA")
STATUS = "var/lib/dpkg/status"
OF_COPIED = re.compile(r"(?<=COPY )(dir|file|multi):[0-9a-f]{64} ")
OF_DEBIAN_12 = {"python_version": "3.11", "python_full_version": "3.11.2"}
"""The variables of markers in the image, and for the wheel, which has no Python of its own."""
INSTALLED = "install ok installed"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    kinds = parser.add_subparsers(required=True)
    kinds.add_parser("wheel").set_defaults(build=build_wheel)
    image = kinds.add_parser("image")
    image.set_defaults(build=build_image)
    image.add_argument("words", nargs="*", help="after --, further arguments of `buildah build`")
    given = vars(parser.parse_args())
    given.pop("build")(**given)


# --- the same for all ----------------------------------------------------------------------------


def version() -> str:
    """The version of this tree, whatever is installed."""
    text = (ROOT / "pos_app" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)
    assert found
    return found[1]


def epoch() -> int:
    """The time of the commit, or the one that SOURCE_DATE_EPOCH gives. Raises SystemExit without
    either."""
    told = os.environ.get("SOURCE_DATE_EPOCH")
    if not told:
        asked = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
        done = subprocess.run(asked, check=False, capture_output=True, text=True)
        told = done.stdout.strip()
    if not told:
        raise SystemExit("There is no history of git here: give SOURCE_DATE_EPOCH.")
    return int(told)


def wheel(folder: Path) -> Path:
    """Build the product's own wheel into a folder that has none yet."""
    build = "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(epoch())}
    subprocess.run(
        [sys.executable, "-c", build, str(folder)], check=True, cwd=ROOT, env=environment
    )
    (made,) = folder.glob("pos_app-*.whl")
    return made


def finish(artefact: Path) -> None:
    """Write the sums of the artefact's folder, and print its line and that of its bill.

    In the sums is each file with a bill beside it, and the bill, as `sha256sum --check` reads it.
    """
    folder = artefact.parent
    bills = [one for one in folder.glob(f"*{BILL}") if beside(one).is_file()]
    files = sorted(file for one in bills for file in (beside(one), one))
    sums = {file: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}
    lines = "".join(f"{sum_}  {file.name}\n" for file, sum_ in sums.items())
    (folder / SUMS).write_text(lines, encoding="utf-8")
    for file in (artefact.with_name(artefact.name + BILL), artefact):
        print(f"{sums[file]} {file.stat().st_size:>12,} {file}")


def beside(bill: Path) -> Path:
    return bill.with_name(bill.name.removesuffix(BILL))


# --- the bill of material ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Contents:
    """The parts of an artefact. python: the variables of markers where its packages run, beside
    those of this machine. others: parts that are no packages of Python."""

    packages: Iterable[Distribution]
    python: dict[str, str]
    others: Iterable[Component] = ()


def write_bill(file: Path, contents: Contents, *, version: str, name: str = "pos-app") -> None:
    """Write the bill in the form of CycloneDX; the same contents give the same bytes."""
    environment = {name: str(it) for name, it in default_environment().items()} | contents.python
    packages = {
        key: each
        for each in contents.packages
        if (key := canonicalize_name(each.name)) != "pos-app"
    }
    parts = {key: component(each) for key, each in packages.items()}
    itself = Component(name=name, version=version, type=ComponentType.APPLICATION, bom_ref=name)
    itself.licenses.add(LicenseFactory().make_from_string("MIT"))
    others = list(contents.others)
    bill = Bom(components=[*parts.values(), *others])
    bill.metadata.component = itself
    bill.metadata.timestamp = datetime.fromtimestamp(epoch(), UTC)
    direct = needed(own_requirements(), [], environment)
    bill.register_dependency(itself, [*(parts[key] for key in direct & parts.keys()), *others])
    for key, each in packages.items():
        extras = each.metadata.get_all("Provides-Extra") or []
        wanted = needed(each.requires or [], extras, environment)
        bill.register_dependency(parts[key], [parts[one] for one in wanted & parts.keys()])
    bill.serial_number = uuid.UUID(int=0)
    bill.serial_number = uuid.uuid5(uuid.NAMESPACE_OID, text(bill))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text(bill), encoding="utf-8")


def text(bill: Bom) -> str:
    made = make_outputter(bill, OutputFormat.JSON, SchemaVersion.V1_6)
    return made.output_as_string(indent=2) + "\n"


def own_requirements() -> list[str]:
    """What the product asks for, with all its extras."""
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [*told["dependencies"], *chain.from_iterable(told["optional-dependencies"].values())]


def needed(
    lines: Iterable[str], extras: Iterable[str], environment: Mapping[str, str]
) -> set[NormalizedName]:
    """The names that these requirements ask for; an optional one counts where it is there."""
    asked = map(Requirement, lines)
    every = [{**environment, "extra": extra} for extra in ("", *extras)]
    return {
        canonicalize_name(one.name)
        for one in asked
        if one.marker is None or any(map(one.marker.evaluate, every))
    }


def component(package: Distribution) -> Component:
    url = PackageURL("pypi", None, canonicalize_name(package.name), package.version)
    return Component(
        name=package.name,
        version=package.version,
        bom_ref=url.to_string(),
        purl=url,
        licenses=[licence(package)],
    )


def licence(package: Distribution) -> License:
    """An SPDX identifier, several of them, or else the maker's words. Raises SystemExit for a
    package that names none."""
    facts = package.metadata
    classified = [line for line in facts.get_all("Classifier") or [] if line.startswith("License")]
    named = [facts[field] for field in ("License-Expression", "License") if field in facts]
    named.append(", ".join(line.rpartition(" :: ")[2] for line in classified))
    words = next((line for one in named if (line := one.partition("\n")[0].strip())), "")
    if not words:
        raise SystemExit(f"{package.name} {package.version} names no licence.")
    return LicenseFactory().make_from_string(words)


# --- the wheel -----------------------------------------------------------------------------------


def build_wheel() -> None:
    """Build the wheel. It carries no package: its bill names those of the lock, which it is tested
    with."""
    with tempfile.TemporaryDirectory() as place:
        made = wheel(Path(place))
        DIST.mkdir(exist_ok=True)
        out = Path(shutil.copyfile(made, DIST / made.name))
    lock = re.findall(r"^([a-z0-9-]+)==", LOCK.read_text(encoding="utf-8"), re.MULTILINE)
    packages = [distribution(name) for name in lock if name not in OF_THE_BUILD]
    contents = Contents(packages, OF_DEBIAN_12)
    write_bill(out.with_name(out.name + BILL), contents, version=version())
    finish(out)


# --- the platform's image ------------------------------------------------------------------------


def build_image(words: list[str]) -> None:
    """Build the platform's image. Raises SystemExit without buildah, which needs no service."""
    if shutil.which("buildah") is None:
        raise SystemExit("buildah is missing. As root, run: apt-get install buildah")
    tag = f"{IMAGE}:{version()}"
    out = DIST / f"{IMAGE}-{version()}.tar"
    label = f"org.opencontainers.image.version={version()}"
    DIST.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=DIST) as place:
        packed = Path(place) / "built.tar"
        build = ["buildah", "build", "--format", "docker", "--identity-label=false"]
        build += ["--timestamp", str(epoch()), *words, "--label", label]
        build += ["--file", str(CONTAINERFILE), "--tag", tag, str(ROOT)]
        subprocess.run(build, check=True, stdout=sys.stderr)
        push = ["buildah", "push", "--quiet", tag, f"docker-archive:{packed}:{tag}"]
        subprocess.run(push, check=True, stdout=sys.stderr)
        pack(packed, out, tag)
        contents = contents_of_image(packed, Path(place))
        write_bill(out.with_name(out.name + BILL), contents, version=version(), name=IMAGE)
    finish(out)


def pack(built: Path, out: Path, tag: str) -> None:
    """Pack an image anew without the names of the containers in which it was built, and without the
    sums of what it copied, which depend on the times of those files."""
    with tarfile.open(built) as image, tarfile.open(out, "w") as packed:
        (told,) = json.load(unpacked(image, "manifest.json"))
        settings = json.load(unpacked(image, told["Config"]))
        settings.pop("container", None)
        settings.pop("container_config", None)
        settings["config"].pop("Hostname", None)
        text = OF_COPIED.sub("", json.dumps(settings, sort_keys=True)).encode()
        name = f"{hashlib.sha256(text).hexdigest()}.json"
        manifest = [{"Config": name, "RepoTags": [tag], "Layers": told["Layers"]}]
        for layer in told["Layers"]:
            packed.addfile(image.getmember(layer), unpacked(image, layer))
        for each, content in ((name, text), ("manifest.json", json.dumps(manifest).encode())):
            member = tarfile.TarInfo(each)
            member.size = len(content)
            packed.addfile(member, io.BytesIO(content))


def contents_of_image(packed: Path, place: Path) -> Contents:
    """Read the packages of Python and of Debian from the layers of an image; unpacks what names
    them into the place."""
    with tarfile.open(packed) as image:
        (told,) = json.load(unpacked(image, "manifest.json"))
        for layer in told["Layers"]:
            with tarfile.open(fileobj=unpacked(image, layer)) as files:
                wanted = [one for one in files if one.name == STATUS or METADATA.match(one.name)]
                files.extractall(place, wanted, filter="data")
    (lib,) = place.glob("opt/pos-app/.venv/lib/*/site-packages")
    debian = (place / STATUS).read_text(encoding="utf-8").strip().split("\n\n")
    told = [one for each in debian if (one := message_from_string(each))["Status"] == INSTALLED]
    return Contents(distributions(path=[str(lib)]), OF_DEBIAN_12, map(debian_component, told))


def unpacked(archive: tarfile.TarFile, name: str) -> IO[bytes]:
    file = archive.extractfile(name)
    assert file is not None
    return file


def debian_component(told: Message) -> Component:
    where = {"arch": told["Architecture"], "distro": "debian-12"}
    url = PackageURL("deb", "debian", told["Package"], told["Version"], where)
    return Component(
        name=told["Package"], version=told["Version"], bom_ref=url.to_string(), purl=url
    )


if __name__ == "__main__":
    main()
