#!/bin/sh
# The sweeps that are too long for every change. `check.sh` runs each of them in a bounded form.
# usage: sh scripts/nightly.sh [MINUTES of each]
set -eu
cd "$(dirname "$0")/.."
minutes=${1:-30}
sh scripts/setup.sh
PATH=$PWD/node_modules/.bin:$PATH
step() { echo; echo "== $*"; }
step "launcher fuzzing"; sh scripts/fuzz-launcher.sh $((minutes * 60))
step "streams, JSON and findings of the gateway"; node scripts/fuzz-gateway.ts $((minutes * 60))
step "killing supervisors"; node scripts/kill-sweep.ts "$minutes"
step "killing accepts"; node scripts/accept-kill-sweep.ts "$minutes"
step "killing writers of the journal"; node scripts/journal-kill-sweep.ts "$minutes"
step "races for parents"; node scripts/race-sweep.ts
step "commands that bash runs"; node scripts/shell-differential.ts $((minutes * 5000))
step "commands that dash runs"; node scripts/shell-differential.ts $((minutes * 5000)) $(date +%s) dash
step "what programs change and print"; HOLDFAST_SEED=$(($(date +%s) % 1000000000)) HOLDFAST_TOOL_RUNS=$((minutes * 10)) vitest run --project sweeps src/shell/tools/real-effects
step "what whole lines change, open and start"; HOLDFAST_SEED=$(($(date +%s) % 1000000000)) HOLDFAST_LINE_RUNS=$((minutes * 200)) vitest run --project sweeps src/shell/analyse/real-lines
# More often than with each change, where a property has about a third of the inputs that it once had.
for round in 1 2 3; do step "properties, on other inputs ($round)"; HOLDFAST_EXTENT=whole HOLDFAST_SEED=$(($(date +%s) % 1000000000)) vitest run --project units --project sweeps; done
step "coding agents from npm"; node scripts/install-agents.ts
step "a clean Debian, and the launchers of arm64"
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then apt-get install -y -qq --no-install-recommends debootstrap qemu-user-static gcc-aarch64-linux-gnu libc6-dev-arm64-cross >/dev/null; sh scripts/debian-root.sh; fi
make -s -C native prebuilt
# With the real coding agents, Extism, the package on that Debian, and all rounds of races and sweeps.
step "tests of the machine, whole"; HOLDFAST_EXTENT=whole vitest run --project machine --project alone
step "guest kernel"; XDG_STATE_HOME=$(mktemp -d); export XDG_STATE_HOME; bin/holdfast microvm build || echo "no guest kernel, so no attacks on microVMs"
step attacks; node attacks/runner/main.ts || failed=1; rm -rf "$XDG_STATE_HOME"; exit ${failed:-0}
