#!/bin/sh
# Sets everything up and runs all tests. As root on Debian it installs what they need.
set -eu
cd "$(dirname "$0")/.."
sh scripts/install-test-packages.sh
sh scripts/setup.sh
PATH=$PWD/node_modules/.bin:$PATH
step() { echo; echo "== $*"; }
step types; tsc -p tsconfig.json
step lint; npm run --silent lint
step tests
report=$(mktemp)
vitest run --reporter=default --reporter=json --outputFile.json="$report" || { node scripts/tell-failures.ts "$report"; exit 1; }
rm -f "$report"
step "launcher fuzzing"; sh scripts/fuzz-launcher.sh "${FUZZ_SECONDS:-30}"
step "guest kernel"; XDG_STATE_HOME=$(mktemp -d); export XDG_STATE_HOME; bin/holdfast microvm build || echo "no guest kernel, so no attacks on microVMs"
# One case of each by one user on one backend, some again on the slow ones; all of them by both on every backend in nightly.sh.
step attacks; node attacks/runner/main.ts --sample || failed=1; rm -rf "$XDG_STATE_HOME"; exit ${failed:-0}
