#!/bin/sh
# Sweeps that take too long for every change. `check.sh` runs each of them in a bounded form.
# usage: sh scripts/nightly.sh [MINUTES of each] [PATTERN of the steps to run]
# Every step runs, even after failed ones. The table at the end goes into docs/performance.md.
set -eu
cd "$(dirname "$0")/.."
minutes=${1:-30}
wanted=${2:-*}
table=$(mktemp)
step() { # NAME COMMAND…
  name=$1; shift
  case $name in $wanted) ;; *) return 0 ;; esac
  echo; echo "== $name"
  began=$(date +%s)
  if "$@"; then outcome=passed; else outcome="failed ($?)"; fi
  echo "| $name | $outcome | $((($(date +%s) - began + 30) / 60)) min |" >> "$table"
}
seed() { echo $(($(date +%s) % 1000000000)); }
clean_debian() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 0
  # Runlevel 1: Prometheus's tests start it, not the service manager.
  RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends debootstrap podman buildah runc uidmap catatonit qemu-user-static gcc-aarch64-linux-gnu libc6-dev-arm64-cross prometheus >/dev/null
  sh scripts/debian-root.sh
  sh scripts/debian-root.sh pod nftables,python3,git,make,procps,iproute2,curl,bubblewrap,bsdutils
  make -s -C native prebuilt
}
all_attacks() {
  XDG_STATE_HOME=$(mktemp -d); export XDG_STATE_HOME
  bin/holdfast microvm build || echo "no guest kernel, so no attacks on microVMs"
  sh scripts/attacks-page.sh && ended=0 || ended=$?
  rm -rf "$XDG_STATE_HOME"; unset XDG_STATE_HOME
  return "$ended"
}

sh scripts/setup.sh
PATH=$PWD/node_modules/.bin:$PATH
step "launcher fuzzing" sh scripts/fuzz-launcher.sh $((minutes * 60))
step "streams, JSON and findings of the gateway" node scripts/fuzz-gateway.ts $((minutes * 60))
step "expressions on runs of characters" node scripts/regex-growth.ts
step "killing supervisors" node scripts/kill-sweep.ts "$minutes"
step "killing accepts" node scripts/accept-kill-sweep.ts "$minutes"
step "killing writers of the journal" node scripts/journal-kill-sweep.ts "$minutes"
step "a day of an agent in an hour" node scripts/endurance.ts $((minutes * 3300))
step "races for parents" node scripts/race-sweep.ts
step "commands that bash runs" node scripts/shell-differential.ts $((minutes * 5000))
step "commands that dash runs" node scripts/shell-differential.ts $((minutes * 5000)) "$(date +%s)" dash
step "what programs change and print" env HOLDFAST_SEED="$(seed)" HOLDFAST_TOOL_RUNS=$((minutes * 10)) vitest run --project sweeps src/shell/tools/real-effects
step "what whole lines change, open and start" env HOLDFAST_SEED="$(seed)" HOLDFAST_LINE_RUNS=$((minutes * 200)) vitest run --project sweeps src/shell/analyse/real-lines
# More inputs than with each change, where a property gets only about a third of them.
for round in 1 2 3; do step "properties, on other inputs ($round)" env HOLDFAST_EXTENT=whole HOLDFAST_SEED="$(seed)" vitest run --project units --project sweeps; done
step "false alarms over npm packages" node scripts/false-alarms/count.ts
step "coding agents from npm" node scripts/install-agents.ts
step "a clean Debian, and the launchers of arm64" clean_debian
# With the real coding agents, Extism, the package on that Debian, and all rounds of races and sweeps.
step "tests of the machine, whole" env HOLDFAST_EXTENT=whole vitest run --project machine --project pairs --project alone
# Writes docs/attacks.md too.
step "all attacks" all_attacks
echo; echo "| step | outcome | time |"; echo "|---|---|--:|"; cat "$table"
if grep -q "| failed" "$table"; then rm -f "$table"; exit 1; fi
rm -f "$table"
