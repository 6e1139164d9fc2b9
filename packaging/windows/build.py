"""Builds the Windows installer on Linux: `make installer`.

    .venv/bin/python packaging/windows/build.py               dist/pos-app-VERSION-setup-TEST.exe
    .venv/bin/python packaging/windows/build.py --release \
        --python-zip python-3.13.9-embed-amd64.zip --sha256 SUM \
        --offered-by 'Our shop, our address' \
        --sign-command 'sign-with-our-key'                    dist/pos-app-VERSION-setup.exe

Each step is a function that makes its part of `build/windows/` anew from the same sources. The
bytes depend on the commit, the locks and the runtime alone. Source: windows.md.
"""

from __future__ import annotations

import argparse
import fnmatch
import hashlib
import os
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import DisjunctiveLicense
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

sys.path.insert(0, str(Path(__file__).parents[1]))

import artefacts

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
WORK = ROOT / "build" / "windows"
LOCK = ROOT / "packaging" / "requirements-windows.txt"
PRUNE = ROOT / "packaging" / "prune.py"
LEFT_OUT = HERE / "prune.toml"
BEFORE = HERE / "before.toml"
FONTS = ROOT / "resources" / "fonts"
LICENCES = ROOT / "resources" / "licences"
SOURCE = Path("qt") / "SOURCE.txt"
"""The offer of Qt's source, in the folder of licences."""
OFFERED_BY = "Whoever handed this copy over"
"""The words of packaging/notices.py for the one who offers it."""
_OF_64_BITS = 0x20B
_WAITING = ("-o", "DPkg::Lock::Timeout=300")
"""Seconds to wait for another program that installs, such as the system's own updates."""
TOOLS = {
    "makensis": "nsis",
    "x86_64-w64-mingw32-gcc": "gcc-mingw-w64-x86-64",
    "osslsigncode": "osslsigncode",
}
"""Commands, each with its Debian package."""
TOOLS_OF_TESTS = {"/usr/lib/wine/wine64": "wine64", "Xvfb": "xvfb"}
RUNTIME = "3.13"
"""The minor version of Python inside a release."""
ON_WINDOWS = {
    "implementation_name": "cpython",
    "os_name": "nt",
    "platform_machine": "AMD64",
    "platform_python_implementation": "CPython",
    "platform_system": "Windows",
    "sys_platform": "win32",
}
"""The values of Windows for the markers of requirements."""
SHIPPED = "shipped.toml"
"""The name that pos_app/adapters/updates/source.py reads."""
TEST_UPDATES = ("https://updates.invalid/manifest.json", f"{'A' * 43}=")
"""The maker of `--for-tests`: nobody answers at that address, and nobody signs with that key."""
RUNTIME_OF_CPP = ("msvcp140.dll", "msvcp140_1.dll", "msvcp140_2.dll", "vcruntime140_1.dll")
LAUNCHERS = {
    "pos-app-till.exe": ("launcher.c", "The till of pos-app", ("-DWINDOW", "-mwindows")),
    "pos-app.exe": ("launcher.c", "The command line of pos-app", ()),
    "pos-app-service.exe": ("service.c", "The service of pos-app", ()),
}
COMPILE = (
    "-O2",
    "-s",
    "-municode",
    "-static",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-finput-charset=UTF-8",
)
LINK = ("-Wl,--no-insert-timestamp", "-Wl,--dynamicbase", "-Wl,--nxcompat", "-Wl,--high-entropy-va")


@dataclass(frozen=True, slots=True)
class Build:
    """A planned build. zip: the runtime, in the shape of python.org's embeddable package."""

    version: str
    zip: Path
    is_test: bool
    epoch: int
    compression: str
    sign: str
    signs_libraries: bool
    out: Path
    update_url: str
    update_key: str
    offered_by: str

    @property
    def work(self) -> Path:
        return WORK / f"{self.version}{'-TEST' if self.is_test else ''}"

    @property
    def stage(self) -> Path:
        return self.work / "stage"

    @property
    def bill(self) -> Path:
        return self.stage / "licences" / f"sbom{artefacts.BILL}"

    @property
    def bitmap(self) -> Path:
        return self.work / "finish.bmp"

    @property
    def python(self) -> Path:
        return self.stage / "python"

    @property
    def minor(self) -> str:
        """The runtime's "3.13", by the name of its library."""
        with zipfile.ZipFile(self.zip) as file:
            names = [re.fullmatch(r"python3(\d{2,})\.dll", name) for name in file.namelist()]
        (found,) = filter(None, names)
        return f"3.{found[1]}"

    @property
    def numbers(self) -> str:
        """The version in Windows's form, "4.0.0.0"."""
        parts = [*re.findall(r"\d+", self.version)[:3], "0", "0", "0", "0"]
        return ".".join(parts[:4])


def main() -> None:
    given = asked()
    if not given.for_tests:
        tools(TOOLS)
        make(planned(given))
        return
    tools(TOOLS | TOOLS_OF_TESTS)
    test_zip()
    given.compression = "zlib"
    given.update_url, given.update_key = TEST_UPDATES
    given.out = WORK / "test" / "new-setup.exe"
    make(planned(given))
    make_before(given)


def asked() -> argparse.Namespace:
    """The command line. Raises SystemExit when it can't be carried out."""
    parser = argparse.ArgumentParser(description="Builds the Windows installer.")
    parser.add_argument("--python-zip", type=Path, help="python.org's embeddable package, amd64")
    parser.add_argument("--sha256", help="of that file, from python.org's page")
    parser.add_argument("--release", action="store_true", help="fail where it would be for tests")
    parser.add_argument(
        "--version", default=artefacts.version(), help="another one, to upgrade from"
    )
    parser.add_argument("--compression", choices=("lzma", "zlib"), default="lzma")
    parser.add_argument("--sign-command", default="", help="is given each program as a last word")
    parser.add_argument(
        "--sign-libraries", action="store_true", help="each .dll and .pyd that has no signature too"
    )
    parser.add_argument("--out", type=Path, help="the installer's file")
    parser.add_argument("--update-url", default="", help="where its tills ask for newer versions")
    parser.add_argument("--update-key", default="", help="the public key of who signs those")
    parser.add_argument("--offered-by", default="", help="who offers Qt's source, with an address")
    parser.add_argument("--for-tests", action="store_true", help="this version and one before it")
    given = parser.parse_args()
    if given.release and given.python_zip is None:
        raise SystemExit("A release takes --python-zip and --sha256 (docs/reference/windows.md).")
    if given.release and not given.offered_by:
        raise SystemExit(
            "A release says by --offered-by who offers Qt's source (docs/reference/windows.md)."
        )
    if given.python_zip is not None:
        check_zip(given.python_zip, given.sha256)
    check_updates(given.update_url, given.update_key)
    return given


def check_updates(url: str, key: str) -> None:
    """Raises SystemExit unless both are given and right, or none of them."""
    if bool(url) is not bool(key):
        raise SystemExit("--update-url and --update-key belong together.")
    if url and not re.fullmatch(r"https://[^\s/?#@]+(/[^\s#]*)?", url):
        raise SystemExit("--update-url begins with https://.")
    if key and not re.fullmatch(r"[A-Za-z0-9+/]{43}=", key):
        raise SystemExit("--update-key is the line that update_manifest.py new-key printed.")


def planned(given: argparse.Namespace) -> Build:
    is_test = given.python_zip is None
    zipped: Path = test_zip() if is_test else given.python_zip
    name = f"pos-app-{given.version}-setup{'-TEST' if is_test else ''}.exe"
    out: Path = given.out or ROOT / "dist" / name
    return Build(
        version=given.version,
        zip=zipped,
        is_test=is_test,
        epoch=artefacts.epoch(),
        compression=given.compression,
        sign=given.sign_command,
        signs_libraries=given.sign_libraries,
        out=out.absolute(),
        update_url=given.update_url,
        update_key=given.update_key,
        offered_by=given.offered_by,
    )


def make(build: Build) -> None:
    """Carry out all steps in order; prints the sums of the installer and its bill."""
    shutil.rmtree(build.stage, ignore_errors=True)
    for step in (runtime, wheels, product, prune, licences, launchers, signed, bill, dated, setup):
        say(step.__name__)
        step(build)
    shutil.copyfile(build.bill, build.out.with_name(build.out.name + artefacts.BILL))
    artefacts.finish(build.out)


# --- the version before, for tests ---------------------------------------------------------------


def make_before(given: argparse.Namespace) -> None:
    """Make `old-setup.exe` of the state that `before.toml` names, by the recipe of that state; and
    `old-setup.txt`, which names its source.

    Without that state's history it is made of this tree under the other number.
    """
    before = tomllib.loads(BEFORE.read_text(encoding="utf-8"))
    commit, given.version = before["commit"], before["version"]
    given.out = given.out.with_name("old-setup.exe")
    note = given.out.with_suffix(".txt")
    note.unlink(missing_ok=True)
    if has_commit(commit):
        say(f"the version before, of {commit[:12]}")
        by_its_recipe(commit, given)
        note.write_text(f"{commit}\n", encoding="utf-8")
    else:
        say(f"there is no history with {commit[:12]}: the version before is made of this tree")
        make(planned(given))
        note.write_text("this tree\n", encoding="utf-8")


def has_commit(commit: str) -> bool:
    """Tell whether git is here, and this tree's history with that commit."""
    if shutil.which("git") is None:
        return False
    words = ["git", "rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}"]
    found = subprocess.run(words, cwd=ROOT, stdout=subprocess.DEVNULL, check=False)
    return found.returncode == 0


def by_its_recipe(commit: str, given: argparse.Namespace) -> None:
    """Unpack the state of a commit, give it the files that `prepare.sh` and earlier builds fetched,
    and have its own build.py make `given.out`."""
    tree = WORK / "before"
    shutil.rmtree(tree, ignore_errors=True)
    packed = WORK / "before.tar"
    run("git", "archive", f"--output={packed}", commit)
    shutil.unpack_archive(packed, tree, filter="data")
    packed.unlink()
    shutil.copytree(FONTS, tree / "resources" / "fonts")
    theirs = tree / "build" / "windows"
    theirs.mkdir(parents=True)
    (theirs / "cache").symlink_to(WORK / "cache")
    words = [sys.executable, "packaging/windows/build.py", "--version", given.version]
    words += ["--compression", given.compression, "--out", str(given.out)]
    environment = os.environ | {
        "SOURCE_DATE_EPOCH": told("git", "log", "-1", "--format=%ct", commit).strip()
    }
    environment.pop("PYTHONPATH", None)
    subprocess.run(words, check=True, cwd=tree, env=environment)


# --- what is needed ----------------------------------------------------------------------------


def tools(needed: Mapping[str, str]) -> None:
    """Install the tools. Raises SystemExit naming the packages where this user may not."""
    missing = [package for command, package in needed.items() if shutil.which(command) is None]
    if not missing:
        return
    words = ["apt-get", *_WAITING, "install", "--yes", "--no-install-recommends", *missing]
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        raise SystemExit(f"Tools are missing. As root, run: {shlex.join(words)}")
    say(f"installing {', '.join(missing)}")
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", *_WAITING, "update", "-qq"], check=False, env=environment)
    subprocess.run(words, check=True, env=environment, stdout=subprocess.DEVNULL)


def check_zip(file: Path, sha256: str | None) -> None:
    """Raises SystemExit unless it is a whole embeddable package of python.org with this sum."""
    named = re.fullmatch(rf"python-({re.escape(RUNTIME)}\.\d+)-embed-amd64\.zip", file.name)
    if named is None:
        raise SystemExit(
            f"{file.name} is not python-{RUNTIME}.N-embed-amd64.zip: download that one from"
            f" https://www.python.org/downloads/windows/ and leave its name as it is."
        )
    if not file.is_file():
        raise SystemExit(f"There is no file {file}.")
    found = sum_of(file)
    if found != (sha256 or "").lower():
        raise SystemExit(f"{file.name} has the sum {found}, not {sha256 or 'any (--sha256 SUM)'}.")
    library = f"python{RUNTIME.replace('.', '')}"
    wanted = {f"{library}{end}" for end in (".dll", ".zip", "._pth")} | {"python3.dll"}
    try:
        with zipfile.ZipFile(file) as zipped:
            missing = sorted({*wanted, "LICENSE.txt"} - {*zipped.namelist()})
            if missing:
                raise SystemExit(f"{file.name} has no {', '.join(missing)}.")
            inside = version_in(zipped.read(f"{library}.dll"))
    except zipfile.BadZipFile as error:
        raise SystemExit(f"{file.name} is no zip.") from error
    if inside != named[1]:
        raise SystemExit(f"{file.name} has Python {inside or 'of no version'} inside.")


def test_zip() -> Path:
    cache = WORK / "cache"
    made = next(cache.glob("python-*-TEST-amd64.zip"), None)
    if made is None:
        say("making a runtime for tests")
        run(shutil.which("python3.11") or sys.executable, HERE / "test_runtime.py", cache)
        (made,) = cache.glob("python-*-TEST-amd64.zip")
    return made


# --- steps: each makes its part of the stage ---------------------------------------------------


def runtime(build: Build) -> None:
    """Make `python/`: the runtime, its library as a zip that is not packed (lzma packs it
    better)."""
    with zipfile.ZipFile(build.zip) as file:
        file.extractall(build.python)
    library = build.python / f"python{build.minor.replace('.', '')}.zip"
    with zipfile.ZipFile(library) as file:
        modules = {name: file.read(name) for name in sorted(file.namelist())}
    unused = left_out()["library"]["patterns"]
    with zipfile.ZipFile(library, "w", zipfile.ZIP_STORED) as file:
        for name, content in modules.items():
            if any(fnmatch.fnmatch(name, pattern) for pattern in unused):
                continue
            file.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content)
    places = (library.name, ".", r"..\lib", r"..\app")
    paths = library.with_suffix("._pth")
    paths.write_bytes("".join(f"{place}\r\n" for place in places).encode())


def wheels(build: Build) -> None:
    """Make `lib/`: the locked wheels for Windows, kept from one build to the next."""
    words = [sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    words += ["--no-deps", "--require-hashes", "--no-compile", "--only-binary", ":all:"]
    words += ["--platform", "win_amd64", "--implementation", "cp", "--python-version", build.minor]
    lock = sum_of(LOCK)[:16]
    kept = WORK / "cache" / f"lib-{build.minor}-{lock}"
    if not kept.is_dir():
        half = kept.with_suffix(".half")
        shutil.rmtree(half, ignore_errors=True)
        run(*words, "--target", half, "--requirement", LOCK)
        half.rename(kept)
    missing = missing_packages(kept, build.minor)
    if missing:
        raise SystemExit(f"Python {build.minor} needs what the lock lacks: {'; '.join(missing)}")
    shutil.copytree(kept, build.stage / "lib")


def missing_packages(lib: Path, minor: str) -> list[str]:
    """The missing requirements of the product and the packages in `lib` on Windows with a Python
    such as "3.13".

    The lock is resolved for the oldest Python that we support; pip installs it without asking.
    """
    found = list(metadata.distributions(path=[str(lib)]))
    versions = {canonicalize_name(one.name): one.version for one in found}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [("pos-app", line, "") for line in project["dependencies"]]
    python = markers(minor)
    asked: set[tuple[str, str, str]] = set()
    missing = set()
    while wanted:
        asking = wanted.pop()
        if asking in asked:
            continue
        asked.add(asking)
        owner, line, extra = asking
        one = Requirement(line)
        if one.marker is not None and not one.marker.evaluate(python | {"extra": extra}):
            continue
        name = canonicalize_name(one.name)
        version = versions.get(name)
        if version is None or not one.specifier.contains(version, prereleases=True):
            missing.add(f"{owner} needs {line}, there is {version or 'none'}")
            continue
        lines = next(it for it in found if canonicalize_name(it.name) == name).requires or []
        wanted += [(name, each, extra) for each in lines for extra in ("", *one.extras)]
    return sorted(missing)


def markers(minor: str) -> dict[str, str]:
    """The variables of markers on Windows with a Python such as "3.13"."""
    return {"python_version": minor, "python_full_version": f"{minor}.0"} | ON_WINDOWS


def product(build: Build) -> None:
    """Make `app/`: our own wheel with its resources."""
    place = build.work / "wheel"
    shutil.rmtree(place, ignore_errors=True)
    app = build.stage / "app"
    with zipfile.ZipFile(artefacts.wheel(place)) as file:
        file.extractall(app)
    for folder in app.glob("*.dist-info"):  # the product asks itself for its version
        shutil.rmtree(folder)
    shutil.rmtree(app / "pos_app" / "resources" / "swagger-ui", ignore_errors=True)
    if not any((app / "pos_app" / "resources" / FONTS.name).glob("*.otf")):
        raise SystemExit("The fonts are missing: run it through packaging/prepare.sh run.")
    if build.update_url:
        lines = ("[updates]", f'url = "{build.update_url}"', f'key = "{build.update_key}"', "")
        (app / "pos_app" / SHIPPED).write_text("\n".join(lines), encoding="utf-8")
    if build.version != artefacts.version():
        module = app / "pos_app" / "__init__.py"
        text = module.read_text(encoding="utf-8")
        module.write_text(
            text.replace(f'"{artefacts.version()}"', f'"{build.version}"'), encoding="utf-8"
        )


def prune(build: Build) -> None:
    """Remove the files that `prune.toml` names, after the C++ runtime went into Python's folder."""
    lib = build.stage / "lib"
    for name in RUNTIME_OF_CPP:
        shutil.copyfile(lib / "PySide6" / name, build.python / name)
    run(sys.executable, PRUNE, LEFT_OUT, lib)
    for name in left_out()["python"]["patterns"]:
        (build.python / name).unlink(missing_ok=True)


def left_out() -> dict[str, Any]:
    return tomllib.loads(LEFT_OUT.read_text(encoding="utf-8"))


def licences(build: Build) -> None:
    """Make `licences/`: those of all packages, of Python, and of the installer's own additions."""
    target = build.stage / "licences"
    shutil.copytree(LICENCES, target)
    shutil.copyfile(ROOT / "LICENSE", target / "LICENSE.txt")
    shutil.copyfile(build.python / "LICENSE.txt", target / "python.txt")
    shutil.copyfile(HERE / "licences.txt", target / "windows.txt")
    if build.offered_by:
        for place in (target, build.stage / "app" / "pos_app" / "resources" / "licences"):
            text = (place / SOURCE).read_text(encoding="utf-8")
            offered = text.replace(OFFERED_BY, build.offered_by)
            (place / SOURCE).write_text(offered, encoding="utf-8")


def bill(build: Build) -> None:
    """Make `licences/sbom.cdx.json`: all packages, and the runtime beside them."""
    python = Component(
        name="cpython",
        version=runtime_version(build),
        type=ComponentType.PLATFORM,
        bom_ref="cpython",
        description=f"The runtime, {build.zip.name}",
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=sum_of(build.zip))],
        licenses=[DisjunctiveLicense(id="PSF-2.0")],
    )
    packages = metadata.distributions(path=[str(build.stage / "lib")])
    contents = artefacts.Contents(packages, markers(build.minor), [python])
    artefacts.write_bill(build.bill, contents, version=build.version)


def sum_of(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def runtime_version(build: Build) -> str:
    """The runtime's "3.13.9"."""
    return version_in(next(build.python.glob("python3[0-9]*.dll")).read_bytes())


def version_in(library: bytes) -> str:
    """The version resource of a library; "" without one."""
    key = "ProductVersion".encode("utf-16-le") + b"\0\0"
    start = library.rfind(key) + len(key)
    text = library[start : start + 64].decode("utf-16-le", "ignore").lstrip("\0")
    return text.partition("\0")[0] if start >= len(key) else ""


def launchers(build: Build) -> None:
    """Make the three programs, with icon, version and manifest."""
    library = f'L"python{build.minor.replace(".", "")}.dll"'
    for name, (source, about, flags) in LAUNCHERS.items():
        resource = build.work / f"{name}.res.o"
        defines = {
            "NUMBERS": build.numbers.replace(".", ","),
            "VERSION": f'\\"{build.version}\\"',
            "NAME": f'\\"{name}\\"',
            "DESCRIPTION": f'\\"{about}\\"',
        }
        words = [f"-D{key}={value}" for key, value in defines.items()]
        run("x86_64-w64-mingw32-windres", *words, "-I", HERE, HERE / "pos-app.rc", resource)
        made = build.stage / name
        run(
            *("x86_64-w64-mingw32-gcc", *COMPILE, *flags, f"-DPYTHON_DLL={library}"),
            f'-DVERSION=L"{build.version}"',
            *("-o", made, HERE / source, resource, *LINK),
        )


def signed(build: Build) -> None:
    """Sign the three programs, and with `--sign-libraries` each library that nobody has signed."""
    if not build.sign:
        return
    ends = {".exe", ".dll", ".pyd"} if build.signs_libraries else {".exe"}
    for path in sorted(build.stage.rglob("*")):
        if path.suffix.lower() in ends and not has_signature(path.read_bytes()):
            run(*shlex.split(build.sign), path)


def has_signature(program: bytes) -> bool:
    """Tell whether a program or library for Windows has the signature of its maker: the fifth of
    the directories behind its head, each an address and a size."""
    (head,) = struct.unpack_from("<I", program, 0x3C)
    (magic,) = struct.unpack_from("<H", program, head + 24)
    directories = head + 24 + (112 if magic == _OF_64_BITS else 96)
    _, size = struct.unpack_from("<II", program, directories + 4 * 8)
    return bool(size)


def dated(build: Build) -> None:
    """Give every file the commit's time, which the installer keeps."""
    shutil.copy(HERE / build.bitmap.name, build.bitmap)
    for path in (build.bitmap, *build.stage.rglob("*")):
        os.utime(path, (build.epoch, build.epoch))


def setup(build: Build) -> None:
    """Make the installer. Files are named one by one in order: a folder's own order is chance."""
    files = build.work / "files.nsh"
    files.write_text("".join(file_lines(build.stage)), encoding="utf-8")
    size = sum(path.stat().st_size for path in build.stage.rglob("*") if path.is_file())
    build.out.parent.mkdir(parents=True, exist_ok=True)
    defines = {
        "VERSION": build.version,
        "NUMBERS": build.numbers,
        "OUT": build.out,
        "FILES": files,
        "SIZE_KB": size // 1024,
        "COMPRESSION": build.compression,
        "BITMAP": build.bitmap,
    }
    words = [f"-D{key}={value}" for key, value in defines.items()]
    if build.sign:
        words.append(f"-DSIGN={build.sign}")
    command = ["makensis", "-V2", "-WX", "-INPUTCHARSET", "UTF8", *words, "setup.nsi"]
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(build.epoch)}
    subprocess.run(command, check=True, cwd=HERE, env=environment)


def file_lines(stage: Path) -> list[str]:
    """A script of NSIS that installs the stage's files."""
    lines = []
    folders = sorted({path.parent for path in stage.rglob("*") if path.is_file()})
    for folder in folders:
        inside = str(folder.relative_to(stage)).replace("/", "\\")
        lines.append(f'SetOutPath "$INSTDIR{"" if inside == "." else chr(92) + inside}"\n')
        lines += [f'File "{path}"\n' for path in sorted(folder.iterdir()) if path.is_file()]
    return lines


# --- small helpers -------------------------------------------------------------------------------


def say(words: str) -> None:
    print(f"installer: {words}", file=sys.stderr)


def run(*words: object) -> None:
    subprocess.run([str(word) for word in words], check=True, cwd=ROOT)


def told(*words: str) -> str:
    return subprocess.run(words, check=True, cwd=ROOT, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main()
