#!/bin/sh
# Sets everything up and runs all tests. As root on Debian it installs what they need.
set -eu
cd "$(dirname "$0")/.."
logs=$(mktemp -d)
fuzzing= building= installing=
trap 'kill $fuzzing $building $installing 2>/dev/null || :; rm -rf "$logs"' EXIT
# Both mostly wait for the network and the disk.
sh scripts/install-test-packages.sh & installing=$!
sh scripts/setup.sh packages
wait "$installing"; installing=
sh scripts/setup.sh
PATH=$PWD/node_modules/.bin:$PATH
step() { echo; echo "== $*"; }
# Each takes one processor, and the type check and the lint leave one idle.
sh scripts/fuzz-launcher.sh "${FUZZ_SECONDS:-30}" >"$logs/fuzz" 2>&1 & fuzzing=$!
XDG_STATE_HOME=$logs/state bin/holdfast microvm build >"$logs/kernel" 2>&1 & building=$!
step types; tsc -p tsconfig.json
step lint; npm run --silent lint
step "launcher fuzzing"; wait "$fuzzing" || { cat "$logs/fuzz"; exit 1; }; cat "$logs/fuzz"; fuzzing=
step "guest kernel"; wait "$building" || echo "no guest kernel, so no attacks on microVMs"; cat "$logs/kernel"; building=
step tests
vitest run --reporter=default --reporter=json --outputFile.json="$logs/report" || { node scripts/tell-failures.ts "$logs/report"; exit 1; }
# Runs one case of each by one user on one backend, and some again on the slow ones. nightly.sh runs all of them by both users on every backend.
step attacks; XDG_STATE_HOME=$logs/state node attacks/runner/main.ts --sample
