#!/bin/sh
# Make this checkout ready, then run a command in it.
#
#   packaging/prepare.sh run  [command …]      what the program needs
#   packaging/prepare.sh test [command …]      that, and what its tests and checks need
#   packaging/prepare.sh platform [command …]  what hosting the platform needs: no Qt
#
# It needs Python 3.11 or newer and nothing else: system libraries and fonts are installed with
# apt where this user may do that, else unpacked into .system/ beside the checkout's .venv/. When
# nothing changed since the last time it goes straight to the command. Package indexes are those
# that this machine is set up with.
set -eu
cd "$(dirname "$0")/.."

purpose=${1:?run, test or platform}
shift
case $purpose in
    run) lock=packaging/requirements-linux.txt ;;
    test) lock=packaging/requirements-dev.txt ;;
    platform) lock=packaging/requirements-platform.txt ;;
    *) echo "prepare.sh: say run, test or platform, not $purpose" >&2; exit 2 ;;
esac
viewer=packaging/requirements-viewer.txt
venv=$PWD/.venv
system=$PWD/.system
python=

# Shared libraries that Qt loads (offscreen and X11), each with the Debian package it is in.
libraries="
libEGL.so.1:libegl1 libGL.so.1:libgl1 libglib-2.0.so.0:libglib2.0-0
libgthread-2.0.so.0:libglib2.0-0 libfontconfig.so.1:libfontconfig1 libfreetype.so.6:libfreetype6
libdbus-1.so.3:libdbus-1-3 libz.so.1:zlib1g libzstd.so.1:libzstd1 libstdc++.so.6:libstdc++6
libX11.so.6:libx11-6 libX11-xcb.so.1:libx11-xcb1 libxcb.so.1:libxcb1
libxkbcommon.so.0:libxkbcommon0 libxkbcommon-x11.so.0:libxkbcommon-x11-0
libxcb-cursor.so.0:libxcb-cursor0 libxcb-icccm.so.4:libxcb-icccm4 libxcb-util.so.1:libxcb-util1
libxcb-image.so.0:libxcb-image0 libxcb-keysyms.so.1:libxcb-keysyms1
libxcb-randr.so.0:libxcb-randr0 libxcb-render.so.0:libxcb-render0
libxcb-render-util.so.0:libxcb-render-util0 libxcb-shape.so.0:libxcb-shape0
libxcb-shm.so.0:libxcb-shm0 libxcb-sync.so.1:libxcb-sync1 libxcb-xfixes.so.0:libxcb-xfixes0
libxcb-xkb.so.1:libxcb-xkb1 libgssapi_krb5.so.2:libgssapi-krb5-2 libbrotlidec.so.1:libbrotli1
"
# What the tests of the real X platform type with.
test_libraries="libXtst.so.6:libxtst6"
fonts="Inter-Medium.otf Inter-SemiBold.otf Inter-Bold.otf
JetBrainsMono-Medium.ttf JetBrainsMono-SemiBold.ttf"

say() { echo "prepare: $*" >&2; }

fail() {
    say "$*"
    exit 1
}

# --- is there anything to do? ------------------------------------------------------------------

fingerprint() { # of all that decides what gets installed
    { echo "$PWD"; cat "$1" "$viewer" pyproject.toml packaging/prepare.sh pos_app/__init__.py; } |
        cksum
}

is_ready() {
    [ -x "$venv/bin/python" ] || return 1
    for each in "test packaging/requirements-dev.txt" "$purpose $lock"; do
        stamp=$venv/ready-for-${each%% *}
        [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(fingerprint "${each#* }")" ] && return 0
    done
    return 1
}

# --- what is missing? --------------------------------------------------------------------------

find_python() {
    for candidate in python3.11 python3.12 python3.13 python3.14 python3; do
        python=$(command -v "$candidate" || true)
        [ -n "$python" ] && "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
            2>/dev/null && return
    done
    fail "Python 3.11 or newer is needed and was not found. On Debian: apt-get install python3"
}

library_path() {
    path=${LD_LIBRARY_PATH:-}
    for place in "$system"/usr/lib/*-linux-* "$system"/lib/*-linux-*; do
        [ -d "$place" ] && path=${path:+$path:}$place
    done
    echo "$path"
}

# Qt without any font of the system has no font size either.
write_font_settings() {
    rules=$system/usr/share/fontconfig/conf.avail
    cat >"$system/fonts.conf" <<END
<?xml version="1.0"?>
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>$system/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <include ignore_missing="yes">$rules/45-latin.conf</include>
  <include ignore_missing="yes">$rules/60-latin.conf</include>
</fontconfig>
END
}

# What .system/ holds comes after what the caller set, so that nothing of his is hidden.
use_system_folder() {
    [ -d "$system/usr" ] || return 0
    LD_LIBRARY_PATH=$(library_path)
    export LD_LIBRARY_PATH
    export FONTCONFIG_FILE="$system/fonts.conf"
    [ -e /usr/share/X11/xkb ] || export XKB_CONFIG_ROOT="$system/usr/share/X11/xkb"
    [ -e /usr/share/X11/locale ] || export XLOCALEDIR="$system/usr/share/X11/locale"
    [ -e /usr/share/zoneinfo/Europe ] || export PYTHONTZPATH="$system/usr/share/zoneinfo"
}

missing_libraries() { # table -> Debian packages, one a line
    # shellcheck disable=SC2086 # the table is a list of words
    "$python" - $1 <<'END' | sort -u
import ctypes, sys
for entry in sys.argv[1:]:
    library, _, package = entry.partition(":")
    try:
        ctypes.CDLL(library)
    except OSError:
        print(package)
END
}

font_file() {
    find -L "$system/usr/share/fonts" /usr/share/fonts /usr/local/share/fonts \
        -name "$1" -type f 2>/dev/null | head -n 1
}

missing_packages() {
    [ "$purpose" = platform ] || missing_libraries "$libraries"
    "$python" -c 'import ensurepip, venv' 2>/dev/null || [ -x "$venv/bin/pip" ] ||
        "$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])'
    "$python" -c 'import zoneinfo; zoneinfo.ZoneInfo("Europe/Belgrade")' 2>/dev/null || echo tzdata
    [ -n "$(font_file Inter-Medium.otf)" ] || echo fonts-inter
    [ -n "$(font_file JetBrainsMono-Medium.ttf)" ] || echo fonts-jetbrains-mono
    [ "$purpose" != platform ] || return 0
    [ -e /usr/share/X11/locale ] || [ -e "$system/usr/share/X11/locale" ] || echo libx11-data
    [ -e /usr/share/X11/xkb ] || [ -e "$system/usr/share/X11/xkb" ] || echo xkb-data
    if [ "$purpose" = test ] && may_install; then
        command -v Xvfb >/dev/null || echo xvfb
        command -v xkbcomp >/dev/null || echo x11-xkb-utils
        [ -x /usr/sbin/cupsd ] || echo cups-daemon
        [ -x /usr/sbin/lpadmin ] || echo cups-client
        # The database of the platform's workers; its tests start one of their own.
        ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null ||
            echo postgresql
        # Certificate files as people bring them.
        command -v openssl >/dev/null || echo openssl
        # The commands and languages of the documents.
        command -v curl >/dev/null || echo curl
        command -v php >/dev/null || echo php-cli
        command -v node >/dev/null || echo nodejs
        command -v mcs >/dev/null || echo mono-mcs libmono-system-net-http4.0-cil \
            libmono-system-runtime-serialization4.0-cil
        missing_libraries "$test_libraries"
    fi
}

# --- get it ------------------------------------------------------------------------------------

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    else
        sudo -n "$@"
    fi
}

may_install() { [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; }

apt_install() {
    if ! ls /var/lib/apt/lists/*Packages* >/dev/null 2>&1; then
        say "Reading the list of Debian packages …"
        as_root apt-get update -qq >&2 || return 1
    fi
    say "Installing with apt:" "$@"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
        -o DPkg::Lock::Timeout=120 -o Dpkg::Use-Pty=0 "$@" >/dev/null
}

user_apt() { # apt-get for a user without rights: with lists and cache of his own
    apt-get -qq -o "Dir::State=$system/apt" -o Dir::State::status=/var/lib/dpkg/status \
        -o "Dir::Cache=$system/apt/cache" -o Debug::NoLocking=1 -o APT::Get::List-Cleanup=0 "$@"
}

unpack_packages() {
    say "This user may not install packages, so these are unpacked into .system/:" "$@"
    mkdir -p "$system/apt/lists/partial" "$system/apt/cache/archives/partial" "$system/debs"
    user_apt update >&2 || return 1
    # Drivers of graphics cards and a second Python are not needed to draw a window.
    wanted=$(user_apt --simulate --no-install-recommends install "$@" | awk '$1 == "Inst" &&
        $2 !~ /^(libllvm|libgl1-mesa|libglx-mesa|libegl-mesa|libgbm|libdrm|libz3|python3|x11-common)/ {
            print $2 }')
    case " $* " in *-venv\ *) wanted="$wanted python3-pip-whl" ;; esac
    # shellcheck disable=SC2086 # a list of words
    (cd "$system/debs" && user_apt download $wanted >&2) || return 1
    for deb in "$system"/debs/*.deb; do
        dpkg-deb -x "$deb" "$system" || return 1
    done
    rm -rf "$system/debs" "$system/apt"
    write_font_settings
}

get_packages() {
    [ $# -gt 0 ] || return 0
    if ! command -v apt-get >/dev/null; then
        say "Not found on this system; the Debian names are:" "$@"
        say "Going on without. Install what your system calls them if Qt does not start."
    elif may_install; then
        apt_install "$@" || { as_root apt-get update -qq >&2 && apt_install "$@"; } ||
            say "apt could not install them; going on without:" "$@"
    elif ! unpack_packages "$@"; then
        say "That failed. To install them, run: sudo apt-get install" "$@"
    fi
}

make_venv() {
    if [ -x "$venv/bin/python" ] && "$venv/bin/python" -m pip --version >/dev/null 2>&1 &&
        grep -q "$venv\$" "$venv/pyvenv.cfg"; then
        return
    fi
    [ ! -L "$venv" ] || rm "$venv"  # what it leads to is another checkout's
    say "Making .venv with $("$python" --version) …"
    wheel=$(find "$system/usr/share/python-wheels" -name 'pip-*.whl' 2>/dev/null | head -n 1)
    if "$python" -c 'import ensurepip' 2>/dev/null; then
        "$python" -m venv --clear "$venv"
    elif [ -n "$wheel" ]; then
        "$python" -m venv --clear --without-pip "$venv"
        PYTHONPATH=$wheel "$venv/bin/python" -m pip install --quiet --no-index \
            --disable-pip-version-check "$wheel"
    else
        fail "Python's venv is missing. On Debian, run: sudo apt-get install python3-venv"
    fi
}

install_python_packages() {
    say "Installing $(grep -c '==' "$lock") locked Python packages; the first time takes minutes …"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps \
        --require-hashes --only-binary :all: --requirement "$lock"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps \
        --no-build-isolation --editable .
}

copy_fonts() {
    mkdir -p resources/fonts
    for name in $fonts; do
        file=$(font_file "$name")
        if [ -n "$file" ]; then
            cp -f "$file" resources/fonts/
        elif [ ! -f "resources/fonts/$name" ]; then
            say "The font $name was not found; another one is shown in its place."
        fi
    done
    for package in fonts-inter fonts-jetbrains-mono; do
        for root in "$system" ""; do
            licence=$root/usr/share/doc/$package/copyright
            [ -f "$licence" ] && cp -f "$licence" "resources/fonts/$package.copyright.txt"
        done
    done
    return 0
}

# What the platform shows /docs with. Of the locked wheel three files are used, so it is not installed.
copy_viewer() {
    place=$(mktemp -d)
    "$venv/bin/python" -m pip download --quiet --disable-pip-version-check --no-deps \
        --require-hashes --only-binary :all: --dest "$place" --requirement "$viewer" ||
        fail "The viewer of the platform's documents could not be fetched."
    rm -rf resources/swagger-ui
    "$venv/bin/python" - "$place" resources/swagger-ui <<'END'
import pathlib, sys, zipfile
(wheel,), target = pathlib.Path(sys.argv[1]).glob("*.whl"), pathlib.Path(sys.argv[2])
target.mkdir(parents=True)
with zipfile.ZipFile(wheel) as files:
    for name in ("swagger-ui-bundle.js", "swagger-ui.css", "LICENSE"):
        (found,) = (each for each in files.namelist() if each.endswith(f"/swagger-ui-dist/{name}"))
        (target / name).write_bytes(files.read(found))
END
    rm -rf "$place"
}

try_qt() {
    QT_QPA_PLATFORM=offscreen "$venv/bin/python" -c '
from PySide6.QtWidgets import QApplication
QApplication([])' >&2 && return
    names=$(missing_libraries "$libraries" | tr '\n' ' ')
    fail "Qt does not start. ${names:+Missing: $names. On Debian, run: sudo apt-get install $names}"
}

prepare() {
    find_python
    use_system_folder
    # shellcheck disable=SC2046 # a list of words
    get_packages $(missing_packages)
    use_system_folder
    make_venv
    install_python_packages
    copy_fonts
    copy_viewer
    [ "$purpose" = platform ] || try_qt
    fingerprint "$lock" >"$venv/ready-for-$purpose"
    say "Ready."
}

if ! is_ready; then
    prepare
fi
use_system_folder
if [ $# -gt 0 ]; then
    exec "$@"
fi
