"""A Python runtime for tests of the installer, where python.org can't be reached. Never shipped.

    python3.11 packaging/windows/test_runtime.py FOLDER

Writes FOLDER/python-3.11.9-TEST-amd64.zip, in the shape of python.org's embeddable package. The
binaries are python.org's own, out of the wheel `panda3d`; the standard library is that of the
Python which runs this, of the same minor; `python3.dll` is made of forwards to `python311.dll`.
"""

from __future__ import annotations

import hashlib
import importlib.util
import io
import marshal
import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

NAME = "python-3.11.9-TEST-amd64.zip"
WHEEL = "panda3d==1.10.16"
WHEEL_SHA256 = "37acfb92655c4226879f95c988e2ef1449a53c54486d6c1ebc00e2772429af82"
MINOR = (3, 11)
LEFT_OUT = re.compile(r"(tcl86t|tk86t|api-ms-win|_tkinter|_msi)", re.IGNORECASE)
LIBRARY_WITHOUT = {
    *("__pycache__", "config-3.11-x86_64-linux-gnu", "ensurepip", "idlelib", "lib-dynload"),
    *("lib2to3", "site-packages", "dist-packages", "test", "tkinter", "turtledemo", "venv"),
}
EPOCH = (1980, 1, 1, 0, 0, 0)


def main() -> None:
    folder = Path(sys.argv[1])
    if sys.version_info[:2] != MINOR:
        raise SystemExit(f"Run it with Python 3.11: this is {sys.version.split()[0]}.")
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(wheel(folder)) as wheel_file:
        parts = {
            Path(name).name.lower(): wheel_file.read(name)
            for name in wheel_file.namelist()
            if "/" in name and name.split("/")[0] == "deploy_libs" and not LEFT_OUT.search(name)
        }
    parts["python3.dll"] = forwarder(parts["python311.dll"], folder)
    parts["python311.zip"] = library()
    parts["python311._pth"] = b"python311.zip\n.\n"
    parts["LICENSE.txt"] = licence()
    write(folder / NAME, parts)


def wheel(folder: Path) -> Path:
    """Find or download the wheel. Raises SystemExit for another wheel."""
    found = next(folder.glob("panda3d-*-cp311-cp311-win_amd64.whl"), None)
    if found is None:
        words = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        words += ["--platform", "win_amd64", "--python-version", "3.11"]
        words += ["--only-binary", ":all:", "--dest", str(folder), WHEEL]
        subprocess.run(words, check=True)
        (found,) = folder.glob("panda3d-*-cp311-cp311-win_amd64.whl")
    if hashlib.sha256(found.read_bytes()).hexdigest() != WHEEL_SHA256:
        raise SystemExit(f"{found} is not the wheel that this was written for.")
    return found


def forwarder(library: bytes, folder: Path) -> bytes:
    """A `python3.dll` whose every name is that of `python311.dll`."""
    source, exports, made = (folder / f"python3{end}" for end in ("11.dll", ".def", ".dll"))
    source.write_bytes(library)
    dump = ["x86_64-w64-mingw32-objdump", "-p", str(source)]
    told = subprocess.run(dump, check=True, capture_output=True, text=True).stdout
    table = told.partition("[Ordinal/Name Pointer] Table")[2]
    names = re.findall(r"^\s*\[ *\d+\].* (_?Py\w+)$", table, re.MULTILINE)
    if len(names) < 1000:
        raise SystemExit(f"Only {len(names)} names were read from python311.dll.")
    lines = "".join(f"  {name} = python311.{name}\n" for name in names)
    exports.write_text(f"LIBRARY python3.dll\nEXPORTS\n{lines}", encoding="ascii")
    # The linker would choose the base by the name of the folder: two clones gave two files.
    link = ["x86_64-w64-mingw32-gcc", "-shared", "-nostdlib", "-Wl,--no-insert-timestamp"]
    link.append("-Wl,--image-base,0x180000000")
    subprocess.run([*link, "-o", str(made), str(exports)], check=True)
    return made.read_bytes()


def library() -> bytes:
    """The standard library, compiled, as a zip."""
    root = Path(sysconfig.get_path("stdlib"))
    modules = {}
    for path in root.rglob("*.py"):
        inside = path.relative_to(root)
        if LIBRARY_WITHOUT.isdisjoint(inside.parts) and "_sysconfigdata" not in inside.name:
            modules[str(inside.with_suffix(".pyc"))] = compiled(path, inside)
    file = io.BytesIO()
    write(file, modules)
    return file.getvalue()


def compiled(path: Path, inside: Path) -> bytes:
    """The byte code that Python would keep of a module, without the time of its file."""
    source = path.read_bytes()
    code = marshal.dumps(compile(source, str(inside), "exec", dont_inherit=True, optimize=0))
    unchecked = (1).to_bytes(4, "little")
    return importlib.util.MAGIC_NUMBER + unchecked + importlib.util.source_hash(source) + code


def licence() -> bytes:
    place = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"
    if not place.is_file():
        raise SystemExit("This Python has no LICENSE.txt.")
    return place.read_bytes()


def write(target: Path | io.BytesIO, parts: dict[str, bytes]) -> None:
    """Write a zip that has the same bytes each time."""
    with zipfile.ZipFile(target, "w") as file:
        for name in sorted(parts):
            file.writestr(zipfile.ZipInfo(name, EPOCH), parts[name])


if __name__ == "__main__":
    main()
