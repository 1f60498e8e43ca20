#!/bin/sh
# Brings a fresh clone to a working `bin/holdfast`: dependencies, launcher, bundles. Needs npm and a C compiler.
set -eu
cd "$(dirname "$0")/.."
if ! command -v npm >/dev/null; then echo "setup: npm is missing: install Node with npm" >&2; exit 1; fi
if ! command -v cc >/dev/null && ! command -v musl-gcc >/dev/null; then echo "setup: no C compiler: install one (Debian: apt-get install gcc libc6-dev make)" >&2; exit 1; fi
if ! command -v make >/dev/null; then echo "setup: make is missing (Debian: apt-get install make)" >&2; exit 1; fi
# Not `npm ci`: it refuses a lock file without the optional packages of other platforms, which not every mirror has.
[ node_modules/.package-lock.json -nt package-lock.json ] || npm install --no-save --ignore-scripts --no-audit --no-fund --loglevel=error
PATH=$PWD/node_modules/.bin:$PATH
make -s -C native
node scripts/build.ts
