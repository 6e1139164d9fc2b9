"""Clients that openapi-generator and orval make of the served OpenAPI documents compile, and sell
at that server; `packaging/client_tools.sh` installs the tools."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import httpx
import pytest

from tests.e2e.town import Town
from tests.fakes.no_tls import NO_TLS
from tests.integration.platform_api.pictures import picture

ROOT = Path(__file__).parents[2]
TOOLS = ROOT / "build" / "client-tools"
PROGRAMS = ROOT / "docs" / "snippets" / "generated"
JAR = TOOLS / "openapi-generator.jar"
NODE = TOOLS / "node_modules" / ".bin"
MONO = Path("/usr/lib/mono/4.5")
JAVA = Path("/usr/share/java")
GUZZLE = Path("/usr/share/php/GuzzleHttp/autoload.php")
JARS = ("httpmime.jar", "httpcore.jar", "jsr305.jar", "geronimo-annotation-1.3-spec.jar")
GENERATOR = {"java": "openjdk-17-jre-headless", str(JAR): "packaging/client_tools.sh"}
LONGEST = 300
"""Seconds of one command, on a busy machine."""


def made(words: list[str], place: Path, **environment: str) -> None:
    """Run a generator or compiler. Fails with all its output."""
    done = tried(words, place, **environment)
    assert done.returncode == 0, done.stdout + done.stderr


def tried(words: list[str], place: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    return subprocess.run(
        words,
        cwd=place,
        env=clean | environment,
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )


def needs(tools: Mapping[str, str]) -> None:
    """Skip the test without one of these programs or files, and name its package."""
    missing = {
        package
        for tool, package in tools.items()
        if shutil.which(tool) is None and not Path(tool).is_file()
    }
    if missing:
        pytest.skip(f"not here: {', '.join(sorted(missing))}; see packaging/client_tools.sh")


@dataclass(frozen=True, slots=True)
class Language:
    """needs: program or file -> its package. compiled: compiles client and program in the folder,
    and returns the command."""

    name: str
    ending: str
    needs: Mapping[str, str]
    options: tuple[str, ...]
    compiled: Callable[[Path, str], list[str]]
    folder: str = "."

    def program(self, document: Path, place: Path, name: str) -> list[str]:
        """Generate and compile; `name` is that of the program without its ending."""
        needs(GENERATOR | dict(self.needs))
        words = ["java", "-jar", str(JAR), "generate", "-i", str(document), "-o", self.folder]
        made([*words, *self.options], place)
        return self.compiled(place, name)


def _python(place: Path, name: str) -> list[str]:
    made([sys.executable, "-m", "compileall", "-q", "fiscal"], place)
    shutil.copy(PROGRAMS / f"{name}.py", place)
    return [sys.executable, f"{name}.py"]


def _php(place: Path, name: str) -> list[str]:
    for each in (place / "lib").rglob("*.php"):
        made(["php", "-l", str(each)], place)
    for program in (f"{name}.php", "load.php"):
        shutil.copy(PROGRAMS / program, place)
    return ["php", f"{name}.php"]


def _typescript(place: Path, name: str) -> list[str]:
    shutil.copy(PROGRAMS / f"{name}.ts", place)
    words = ["--strict", "--target", "ES2022", "--lib", "ES2022,DOM", "--module", "commonjs"]
    made([str(NODE / "tsc"), *words, "--outDir", "made", f"{name}.ts"], place)
    return ["node", f"made/{name}.js"]


def _csharp(place: Path, name: str) -> list[str]:
    shutil.copy(PROGRAMS / f"{name.capitalize()}.cs", place)
    libraries = [TOOLS / "Newtonsoft.Json.dll", TOOLS / "Polly.dll"]
    for each in libraries:
        shutil.copy(each, place)
    libraries += sorted((MONO / "Facades").glob("*.dll"))
    known = ("Net.Http", "Runtime.Serialization", "ComponentModel.DataAnnotations", "Web")
    sources = [str(each) for each in (place / "src" / "Fiscal").rglob("*.cs")]
    words = ["mcs", "-langversion:7.2", f"-out:{name}.exe", *(f"-r:{each}" for each in libraries)]
    words += [f"-r:System.{each}.dll" for each in known]
    made([*words, *sources, f"{name.capitalize()}.cs"], place)
    return ["mono", f"{name}.exe"]


def _java(place: Path, name: str) -> list[str]:
    shutil.copy(PROGRAMS / f"{name.capitalize()}.java", place)
    jars = os.pathsep.join([str(JAR), *(str(JAVA / each) for each in JARS), "classes"])
    sources = [str(each) for each in (place / "src" / "main").rglob("*.java")]
    words = ["javac", "-encoding", "UTF-8", "-nowarn", "-d", "classes", "-cp", jars]
    made([*words, *sources, f"{name.capitalize()}.java"], place)
    return ["java", "-cp", jars, name.capitalize()]


def _go(place: Path, name: str) -> list[str]:
    shutil.copy(PROGRAMS / f"{name}.go", place)
    (place / "go.mod").write_text("module fiscal\n\ngo 1.18\n", encoding="utf-8")
    alone = {"GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOCACHE": str(TOOLS / "go")}
    made(["go", "vet", "./..."], place, **alone)
    made(["go", "build", "-o", name, f"{name}.go"], place, **alone)
    return [str(place / name)]


def _options(generator: str, *more: str, **properties: str) -> tuple[str, ...]:
    told = [f"{name}={value}" for name, value in properties.items()]
    added = ["--additional-properties", ",".join(told)] if told else []
    return ("-g", generator, *more, *added)


LANGUAGES = (
    Language(
        "csharp",
        ".cs",
        {
            "mcs": "mono-mcs",
            "mono": "mono-runtime",
            str(MONO / "Facades" / "netstandard.dll"): "mono-devel",
            str(TOOLS / "Polly.dll"): "packaging/client_tools.sh",
        },
        _options(
            "csharp", "--library", "httpclient", targetFramework="net48", packageName="Fiscal"
        ),
        _csharp,
    ),
    Language(
        "php",
        ".php",
        {"php": "php-cli", str(GUZZLE): "php-guzzlehttp-guzzle"},
        _options("php", invokerPackage="Fiscal"),
        _php,
    ),
    Language(
        "go",
        ".go",
        {"go": "golang-go"},
        _options(
            "go",
            # Go has no field of the name of a method, and each member that may be left out has one.
            "--name-mappings",
            "hasVariants=WithVariants",
            # Its tests import a module of the generator's own name.
            "--global-property",
            "apiTests=false,modelTests=false",
            packageName="client",
            withGoMod="false",
        ),
        _go,
        "client",
    ),
    Language("python", ".py", {}, _options("python", packageName="fiscal"), _python),
    Language(
        "typescript",
        ".ts",
        {"node": "nodejs", str(NODE / "tsc"): "packaging/client_tools.sh"},
        _options("typescript-fetch"),
        _typescript,
        "client",
    ),
    Language(
        "java",
        ".java",
        {
            "javac": "openjdk-17-jdk-headless",
            str(JAVA / "httpmime.jar"): "libhttpmime-java",
            str(JAVA / "jsr305.jar"): "libjsr305-java",
            str(JAVA / "geronimo-annotation-1.3-spec.jar"): "libgeronimo-annotation-1.3-spec-java",
        },
        _options(
            "java",
            "--library",
            "native",
            invokerPackage="fiscal",
            apiPackage="fiscal.api",
            modelPackage="fiscal.model",
            openApiNullable="false",
        ),
        _java,
    ),
)


def orval(document: Path, place: Path) -> None:
    needs({str(NODE / each): "packaging/client_tools.sh" for each in ("orval", "tsc")})
    words = ["--input", str(document), "--output", "client.ts", "--client", "fetch"]
    made([str(NODE / "orval"), *words], place)
    words = ["--strict", "--target", "ES2022", "--lib", "ES2022,DOM,DOM.Iterable", "--noEmit"]
    made([str(NODE / "tsc"), *words, "--module", "preserve", "client.ts"], place)


pytestmark = pytest.mark.long

AMOUNTS = ("131072.01", "262144.03", "9999999.99", "16777217.01", "2147483648.37", "99999999999.99")
"""Amounts in dinars that a number of 32 bits does not hold."""


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda each: each.name)
def test_each_example_says_how_its_client_is_made(language: Language) -> None:
    examples = [each for each in PROGRAMS.iterdir() if each.suffix == language.ending]
    assert len(examples) >= 2
    for each in examples:
        head = each.read_text(encoding="utf-8").partition("Arguments")[0]
        words = re.sub(r"\\\n|^// ?", " ", head, flags=re.MULTILINE).split()
        made = ["generate", "-i", "openapi.json", "-o", language.folder, *language.options]
        at = words.index("generate") if "generate" in words else 0
        assert words[at : at + len(made)] == made or each.name == "load.php", each


def served(address: str, place: Path) -> Path:
    answer = httpx.get(f"{address}/openapi.json", trust_env=False, verify=NO_TLS)
    file = place / "openapi.json"
    file.write_bytes(answer.content)
    return file


def platform(town: Town) -> str:
    return town.url(0).removesuffix("/v2")


def ran(words: list[str], place: Path) -> list[list[str]]:
    """The words of the program's output, by line. PYTHONPATH is the folder of the Python client."""
    done = tried(words, place, PYTHONPATH=str(place), LANG="C.UTF-8")
    assert done.returncode == 0, done.stdout + done.stderr
    return [line.split() for line in done.stdout.splitlines()]


def total_of(town: Town, number: str) -> Decimal:
    address = f"{town.shop.url}/fiscalization/receipts/{number}"
    answer = httpx.get(address, trust_env=False, verify=NO_TLS)
    total: Decimal = json.loads(answer.text, parse_float=Decimal)["totalAmount"]
    return total


@pytest.mark.deadline(240)
@pytest.mark.parametrize("language", LANGUAGES, ids=lambda each: each.name)
def test_a_client_of_the_shop_sells(language: Language, town: Town, tmp_path: Path) -> None:
    words = language.program(served(town.shop.url, tmp_path), tmp_path, "sale")
    before = len(town.signed)
    told = ran([*words, f"generated-{language.name}", *AMOUNTS], tmp_path)
    sold, found, refunded, advance, listed, *exact = told
    assert (listed, sold[1:]) == (["listed", advance[1], refunded[1]], found[1:])
    assert (sold[0], float(sold[2])) == ("sale", 117.98)
    assert (found[0], refunded[0], advance[0]) == ("found", "refund", "advance")
    assert len(refunded) == 3, "the refund in cash and its copy"
    numbers = [number for _, number, _ in exact]
    assert town.signed[before:] == [sold[1], *refunded[1:], advance[1], *numbers]
    assert [Decimal(total) for _, _, total in exact] == [Decimal(one) for one in AMOUNTS]
    assert [total_of(town, number) for number in numbers] == [Decimal(one) for one in AMOUNTS]


@pytest.mark.deadline(240)
@pytest.mark.parametrize("language", LANGUAGES, ids=lambda each: each.name)
def test_a_client_of_the_platform_keeps_a_catalogue_and_sells(
    language: Language, town: Town, tmp_path: Path
) -> None:
    words = language.program(served(platform(town), tmp_path), tmp_path, "catalogue")
    before, photo = len(town.signed), tmp_path / "photo.jpg"
    photo.write_bytes(picture("JPEG"))
    arguments = [*town.credentials, town.client, f"generated-{language.name}", str(photo)]
    store, shown, product, sold, found = ran([*words, *arguments], tmp_path)
    assert (store, shown) == (["store", "True"], ["picture", "image/jpeg"])
    assert (product[:2], float(product[2])) == (["product", "Е"], 60.5)
    assert product[3:] == ["Бели", "1"], "what was not sent stays"
    assert (sold[0], float(sold[2])) == ("sale", 117.98)
    assert (found, town.signed[before:]) == (["found", *sold[1:]], [sold[1]])


@pytest.mark.deadline(240)
@pytest.mark.parametrize("which", ["shop", "platform"])
def test_a_client_by_orval_compiles(which: str, town: Town, tmp_path: Path) -> None:
    address = town.shop.url if which == "shop" else platform(town)
    orval(served(address, tmp_path), tmp_path)
