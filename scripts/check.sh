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
# Each by one user on one backend; all of them by both on both in nightly.sh.
step attacks; node attacks/runner/main.ts --sample
