#!/bin/sh
# Renews the locked requirements from pyproject.toml, with hashes, for Linux and Windows.
#
#   packaging/lock.sh            keeps locked versions, adds new packages
#   packaging/lock.sh --upgrade  takes the newest versions that pyproject.toml allows
#
# Needs uv (`.venv/bin/python -m pip install uv`). The files don't name the index.
set -eu
cd "$(dirname "$0")/.."
python=.venv/bin/python

compile() { # output, python platform, further arguments
    output=packaging/requirements-$1.txt
    platform=$2
    shift 2
    echo "Locking $output"
    "$python" -m uv pip compile pyproject.toml --quiet --python-version 3.11 \
        --python-platform "$platform" --only-binary :all: --generate-hashes --no-header \
        --no-emit-index-url --output-file "$output" "$@"
}

linux=x86_64-manylinux_2_34
compile linux $linux --extra platform --group build "$@"
compile dev $linux --extra platform --group build --group dev \
    --constraint packaging/requirements-linux.txt "$@"
# What a machine needs that only hosts the platform: no window, no sound.
compile platform $linux --extra platform --group build \
    --no-emit-package pyside6-essentials --no-emit-package shiboken6 --no-emit-package qasync \
    --no-emit-package miniaudio --constraint packaging/requirements-linux.txt
compile windows x86_64-pc-windows-msvc "$@"
