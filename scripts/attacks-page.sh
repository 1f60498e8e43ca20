#!/bin/sh
# Writes docs/attacks.md from runs of all attacks, family by family. On backends that not every host has, an ordinary user tries the first case of each.
# usage: sh scripts/attacks-page.sh [DIRECTORY]. DIRECTORY keeps the results: a family with a successful result there does not run again.
# Exits with 1, and leaves the page unchanged, if a family fails.
set -eu
cd "$(dirname "$0")/.."
PATH=$PWD/node_modules/.bin:$PATH
results=${1:-}
if [ -z "$results" ]; then results=$(mktemp -d); trap 'rm -rf "$results"' EXIT; fi
mkdir -p "$results"
trap 'exit 130' INT TERM
failed=0
# $1 name of the part, then the options of its runs. A family without an attack for those backends has no results.
families() {
  part=$1; shift
  for family in $(ls attacks/*/*.md | sed 's,^attacks/\([a-z]*\)/.*,\1,' | sort -u); do
    kept=$results/$part-$family.json
    [ -e "$kept" ] && continue
    if node attacks/runner/main.ts --only "$family-*" "$@" --json > "$kept.new" || { grep -q '"passed": 0,' "$kept.new" && grep -q '"failed": 0,' "$kept.new"; }; then mv "$kept.new" "$kept"; else failed=1; echo "$part, $family: failed, see $kept.new" >&2; fi
  done
}
families whole --backend native,bubblewrap
families some --backend landlock,gvisor,microvm --cases 1 --user user
# A page without the failures would be misleading.
[ "$failed" = 0 ] || exit 1
node attacks/runner/page.ts "$results"/*.json* > "$results/page.md"
mv "$results/page.md" docs/attacks.md
