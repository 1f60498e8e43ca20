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
step "killing supervisors"; node scripts/kill-sweep.ts "$minutes"
step "killing accepts"; node scripts/accept-kill-sweep.ts "$minutes"
step "races for parents"; node scripts/race-sweep.ts
step attacks; node attacks/runner/main.ts
