"""The container file, the compose file and the unit of systemd: their steps, without an engine."""

from __future__ import annotations

import configparser
import io
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import artefacts
import httpx
import pytest
import yaml
from dockerfile_parse import DockerfileParser

from pos_app import __version__, settings
from pos_app.settings.kinds import kinds
from pos_app.settings.shapes import PlatformServerSettings
from tests.fakes.no_tls import NO_TLS
from tests.integration.platform_api.hosted import BREAD
from tests.scripts import built_by_another, copied

ROOT = Path(__file__).parents[3]
CONTAINERFILE = ROOT / "packaging/container/platform.Containerfile"
COMPOSE = ROOT / "packaging/container/compose.yaml"
UNIT = ROOT / "packaging/linux/pos-app-platform.service"
ENVIRONMENT_FILE = ROOT / "packaging/linux/platform.env"
PROGRAM = "/opt/pos-app"
"""The program's folder in all three."""
USER = 10001
VARIABLE = "POS_APP_PLATFORM_SERVER__"


def stages() -> list[list[tuple[str, str]]]:
    """Return the instructions of each stage of the container file, with their values."""
    parser = DockerfileParser(fileobj=io.BytesIO(CONTAINERFILE.read_bytes()))
    found: list[list[tuple[str, str]]] = []
    for each in parser.structure:
        if each["instruction"] == "FROM":
            found.append([])
        if each["instruction"] != "COMMENT":
            found[-1].append((each["instruction"], each["value"]))
    return found


def said(stage: list[tuple[str, str]], instruction: str) -> list[str]:
    return [value for name, value in stage if name == instruction]


def image_environment() -> dict[str, str]:
    (line,) = said(stages()[-1], "ENV")
    return dict(word.split("=", 1) for word in shlex.split(line))


def compose() -> dict[str, Any]:
    """Read the compose file, with its variables at their defaults."""
    text = re.sub(r"\$\{\w+:-(.*?)\}", r"\1", COMPOSE.read_text("utf-8"))
    read: dict[str, Any] = yaml.safe_load(text)
    return read


def unit() -> configparser.ConfigParser:
    class Lists(dict[str, Any]):
        """A section that keeps every value of a repeated name."""

        def __setitem__(self, name: str, value: Any) -> None:
            if isinstance(value, list) and name in self:
                value = [*self[name], *value]
            super().__setitem__(name, value)

    parser = configparser.ConfigParser(dict_type=Lists, strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(UNIT.read_text("utf-8"))
    return parser


def is_setting(variable: str) -> bool:
    name = variable.removeprefix(VARIABLE).lower().removesuffix("_file")
    return variable.startswith(VARIABLE) and name in kinds(PlatformServerSettings)


# --- what they promise --------------------------------------------------------------------------


def test_the_image_is_small_and_nobody_s() -> None:
    build, last = stages()
    assert said(build, "FROM")[0].removesuffix(" AS build") == said(last, "FROM")[0]
    assert (said(last, "USER"), said(last, "VOLUME")) == ([f"{USER}:{USER}"], ['["/data"]'])
    assert said(last, "COPY") == [f"--from=build {PROGRAM}/.venv {PROGRAM}/.venv"]
    assert all(name not in dict(last) for name in ("ADD", "ARG"))
    for variable in image_environment():
        assert not variable.startswith("POS_APP_") or is_setting(variable)
    (health,) = said(last, "HEALTHCHECK")
    checked = compose()["services"]["platform"]["healthcheck"]["test"]
    assert json.loads(health.partition("CMD ")[2]) == checked[1:]
    for source in (one for line in said(build, "COPY") for one in line.split()[:-1]):
        assert (ROOT / source).exists(), source
    lock = (ROOT / "packaging/requirements-platform.txt").read_text("utf-8").lower()
    assert not re.search(r"^(pyside6|shiboken6|qasync|miniaudio)", lock, re.MULTILINE)
    assert "sqlalchemy==" in lock


def test_compose_names_what_is_there() -> None:
    read = compose()
    database, platform = read["services"]["database"], read["services"]["platform"]
    assert platform["read_only"] is True
    assert platform["cap_drop"] == ["ALL"]
    assert platform["depends_on"]["database"]["condition"] == "service_healthy"
    assert (COMPOSE.parent / platform["build"]["context"]).resolve() == ROOT
    assert ROOT / platform["build"]["dockerfile"] == CONTAINERFILE
    assert all(map(is_setting, platform["environment"]))
    for service in (database, platform):
        assert set(service["secrets"]) <= set(read["secrets"])
        assert {volume.split(":")[0] for volume in service["volumes"]} <= set(read["volumes"])
        told = service["environment"].items()
        in_files = {value for name, value in told if name.endswith("_FILE")}
        assert in_files == {f"/run/secrets/{name}" for name in service["secrets"]}
    assert not any("PASSWORD" in name and "FILE" not in name for name in database["environment"])


def test_the_unit_is_one_that_systemd_takes(tmp_path: Path) -> None:
    service = unit()["Service"]
    for name in ("NoNewPrivileges", "DynamicUser", "PrivateTmp", "ProtectHome"):
        assert service[name] == "yes"
    variables = re.findall(r"^#?(\w+)=", ENVIRONMENT_FILE.read_text("utf-8"), re.MULTILINE)
    assert len(variables) > 6
    assert all(is_setting(name) or name.startswith("AWS_") for name in variables)
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    plain = UNIT.read_text("utf-8").replace(f"{PROGRAM}/.venv/bin/pos-app", "/bin/true")
    copy = tmp_path / UNIT.name
    copy.write_text(plain.replace("/opt/pos-app", str(tmp_path)), "utf-8")
    for words in (("verify", "--man=no"), ("security", "--offline=true", "--threshold=20")):
        told = subprocess.run(
            ["systemd-analyze", *words, copy], capture_output=True, text=True, check=False
        )
        assert told.returncode == 0, told.stdout + told.stderr


# --- their steps --------------------------------------------------------------------------------


@contextmanager
def started(
    command: list[str], environment: Mapping[str, str], **how: Any
) -> Iterator[subprocess.Popen[str]]:
    child = subprocess.Popen(
        command,
        env=dict(environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **how,
    )
    try:
        yield child
        child.send_signal(signal.SIGTERM)
        assert child.wait(40) == 0
    finally:
        child.kill()
        child.communicate()


def prepared(lines: str, folder: Path) -> None:
    """Run the steps of the comment at the head of the compose file."""
    steps = re.findall(r"^#   (.*)$", lines, re.MULTILINE)
    assert len(steps) > 4
    subprocess.run(["sh", "-eu", "-c", "\n".join(steps)], cwd=folder, check=True)


def sold_bread(address: str, account: list[str], key: list[str], how: Mapping[str, Any]) -> None:
    """Make a first account and key by command, and a product with them."""

    def told(command: list[str]) -> dict[str, str]:
        done = subprocess.run([*command, "--json"], capture_output=True, check=True, **how)
        read: dict[str, str] = json.loads(done.stdout)
        return read

    made = told([*key, told([*account, "Прва"])["account"]])
    with httpx.Client(
        base_url=address, auth=(made["key"], made["secret"]), trust_env=False, verify=NO_TLS
    ) as client:
        assert client.post("/v2/products", json=BREAD).status_code == 201
        assert client.get("/metrics").status_code in (401, 404)


@pytest.mark.long
def test_the_steps_of_compose(folder: Path, postgresql_address: str) -> None:
    """Compose starts the platform with these variables, secrets in files, and two workers."""
    prepared(COMPOSE.read_text("utf-8"), folder)
    secrets = folder / "secrets"
    password = (secrets / "database_password").read_text("utf-8").strip()
    written = (secrets / "database_url").read_text("utf-8").strip()
    assert written == f"postgresql://platform:{password}@database/platform"
    assert (secrets.stat().st_mode & 0o777, len(password)) == (0o700, 43)
    (secrets / "database_url").chmod(0o600)
    (secrets / "database_url").write_text(f"{postgresql_address}\n", "utf-8")
    service = compose()["services"]["platform"]
    environment = {**os.environ, **image_environment(), **service["environment"]}
    environment |= {"XDG_DATA_HOME": str(folder), "PATH": os.environ["PATH"]}
    environment |= {
        name: value.replace("/run/secrets", str(secrets)) for name, value in environment.items()
    }
    environment |= {f"{VARIABLE}HOST": "127.0.0.1", f"{VARIABLE}PORT": "0"}
    program = [sys.executable, "-m", "pos_app", "platform"]
    with started([*program, *json.loads(said(stages()[-1], "CMD")[0])], environment) as child:
        assert child.stdout is not None
        address = child.stdout.readline().strip()
        how = {"env": environment}
        sold_bread(address, [*program, "account", "add"], [*program, "key", "add"], how)
        port = address.rpartition(":")[2]
        check = [word.replace("8400", port) for word in service["healthcheck"]["test"][1:]]
        assert subprocess.run(check, env=environment, check=False).returncode == 0
        token = (secrets / "metrics_token").read_text("utf-8").strip()
        headers = {"Authorization": f"Bearer {token}"}
        asked = httpx.get(f"{address}/metrics", headers=headers, trust_env=False, verify=NO_TLS)
        assert asked.status_code == 200
    assert subprocess.run(check, env=environment, check=False, capture_output=True).returncode == 1


@pytest.mark.long
@pytest.mark.deadline(900)
@pytest.mark.skipif(os.geteuid() != 0, reason="another user, and a root that is read-only")
def test_the_steps_of_the_image_and_of_the_unit() -> None:
    """The image is built from the files that it copies and locked packages."""
    place = Path(tempfile.mkdtemp(prefix="pos-image-", dir="/dev/shm"))
    place.chmod(0o755)
    try:
        program, data = place / "pos-app", place / "data"
        built(program)
        environment = image_environment() | {f"{VARIABLE}PORT": "0"}
        as_image = {
            name: value.replace(PROGRAM, str(program)).replace("/data", str(data))
            for name, value in environment.items()
        }
        last = dict(stages()[-1])
        runs(json.loads(last["ENTRYPOINT"]), json.loads(last["CMD"]), as_image, data)
        service = unit()["Service"]
        line = service["ExecStart"].replace(PROGRAM, str(program)).split()
        state = place / "var" / service["StateDirectory"]
        told = dict(one.split("=", 1) for one in service["Environment"].splitlines() if one)
        assert told["XDG_DATA_HOME"] == "/var/lib"
        told |= {"XDG_DATA_HOME": str(state.parent), f"{VARIABLE}PORT": "0"}
        told["PATH"] = "/usr/bin:/bin"
        state.parent.mkdir(mode=0o755)
        runs(line[:2], line[2:], told, state)
    finally:
        shutil.rmtree(place)


@pytest.mark.long
@pytest.mark.deadline(3600)
@pytest.mark.skipif(shutil.which("buildah") is None, reason="buildah is not installed")
def test_the_image_from_another_folder_has_the_same_bytes(tmp_path: Path) -> None:
    """POS_APP_TEST_IMAGE has further arguments of buildah, as where there is no registry."""
    further = shlex.split(os.environ.get("POS_APP_TEST_IMAGE", ""))
    base = said(stages()[-1], "FROM")[0]
    if subprocess.run(["buildah", "pull", "--policy", "missing", base], check=False).returncode:
        pytest.skip(f"{base} is not reached from here")
    build = ("packaging/artefacts.py", "image", "--", *further)
    epoch = artefacts.epoch()
    made, again = (
        Path(built_by_another(place, epoch, *build).split()[-1])
        for place in (ROOT, copied(tmp_path / "друго-место"))
    )
    for end in ("", artefacts.BILL):
        first, second = (one.with_name(one.name + end).read_bytes() for one in (made, again))
        assert first == second, end
    assert made.name == f"pos-app-platform-{__version__}.tar"
    with tarfile.open(made) as image:
        (told,) = json.load(artefacts.unpacked(image, "manifest.json"))
        labels = json.load(artefacts.unpacked(image, told["Config"]))["config"]["Labels"]
    assert labels["org.opencontainers.image.version"] == __version__


def built(program: Path) -> None:
    """Copy the build's files and run its commands; Debian's packages are installed already."""
    program.mkdir()
    build = stages()[0]
    for line in said(build, "COPY"):
        *sources, target = line.split()
        for each in sources:
            listed = subprocess.run(
                ["git", "ls-files", "-z", each], cwd=ROOT, capture_output=True, check=True
            ).stdout
            for name in filter(None, listed.decode().split("\0")):
                to = program / (name if target != "./" else Path(name).name)
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, to)
    commands = [one for one in said(build, "RUN") if "apt-get" not in one]
    assert len(commands) == 1
    done = subprocess.run(
        ["sh", "-c", commands[0]], cwd=program, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    for folder in ("pos_app", "resources", "packaging"):
        shutil.rmtree(program / folder)  # the last stage has only the environment
    assert not list(program.glob(".venv/lib/*/site-packages/PySide6*"))


def runs(entry: list[str], words: list[str], environment: dict[str, str], data: Path) -> None:
    """Run it as its user, who can write only to this folder and to /tmp."""
    data.mkdir(mode=0o700)
    os.chown(data, USER, USER)
    alone = (
        f"mount --bind {data} {data}; mount -o remount,ro,bind /; mount -t tmpfs none /tmp;"
        f" exec setpriv --reuid={USER} --regid={USER} --clear-groups --no-new-privs"
        ' --bounding-set=-all "$@"'
    )
    before = ["unshare", "--mount", "sh", "-eu", "-c", alone, "sh"]
    with started([*before, *entry, *words], environment, cwd="/") as child:
        assert child.stdout is not None
        assert child.stderr is not None
        address = child.stdout.readline().strip()
        assert address.startswith("http://"), child.stderr.read()
        command = [*before, *entry]
        how = {"env": environment, "cwd": "/"}
        sold_bread(address, [*command, "account", "add"], [*command, "key", "add"], how)
        stat = Path(f"/proc/{child.pid}/status").read_text(encoding="ascii")
        assert re.search(rf"^Uid:\s+{USER}\s", stat, re.MULTILINE)
    assert settings.default_data_folder() != data
    assert all(each.stat().st_uid == USER for each in data.rglob("*"))
