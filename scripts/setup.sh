#!/bin/sh
# Brings a fresh clone to a working `bin/holdfast`: dependencies, launcher, bundles. Needs npm and a C compiler.
# `setup.sh build` omits the tools of tests and benchmarks, nine tenths of all packages. `setup.sh packages` ends after
# the packages of npm, and needs no compiler.
set -eu
cd "$(dirname "$0")/.."
if ! command -v npm >/dev/null; then echo "setup: npm is missing: install Node with npm" >&2; exit 1; fi
if [ "${1:-all}" != packages ]; then
  if ! command -v cc >/dev/null && ! command -v musl-gcc >/dev/null; then echo "setup: no C compiler: install one (Debian: apt-get install gcc libc6-dev make)" >&2; exit 1; fi
  if ! command -v make >/dev/null; then echo "setup: make is missing (Debian: apt-get install make)" >&2; exit 1; fi
fi
# Not `npm ci`, which refuses a lock file without the optional packages of other platforms. Not every mirror has these.
install() { npm install --no-save --ignore-scripts --no-audit --no-fund --loglevel=error "$@"; }
install_for_build() {
  part=$(mktemp -d "$PWD/.setup-XXXXXX")
  trap 'rm -rf "$part"' EXIT
  node -e '
    const { dependencies, devDependencies } = require("./package.json");
    const isForBuild = ([name]) => /^(?:@types\/.*|esbuild|typescript|node-linux-.*)$/.test(name);
    const tools = Object.fromEntries(Object.entries(devDependencies).filter(isForBuild));
    console.log(JSON.stringify({ dependencies, devDependencies: tools }));
  ' >"$part/package.json"
  cp package-lock.json "$part"
  install --prefix "$part"
  rm -rf node_modules
  mv "$part/node_modules" .
}
if [ "${1:-all}" = build ]; then
  [ node_modules/.package-lock.json -nt package-lock.json ] || install_for_build
else
  [ node_modules/.package-lock.json -nt package-lock.json ] && [ -d node_modules/vitest ] || install
fi
[ "${1:-all}" != packages ] || exit 0
PATH=$PWD/node_modules/.bin:$PATH
make -s -C native
node scripts/build.ts
