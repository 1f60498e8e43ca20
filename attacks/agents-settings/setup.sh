#!/bin/sh
set -eu
cd "$ARENA/ws"
git init -q
while IFS='	' read -r row _; do echo "$CANARY-$row-." > "$ARENA/outside/$row"; done < "$ARENA/scripts/rows.tsv"
echo "$CANARY-granted-" > granted
