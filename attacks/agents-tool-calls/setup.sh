#!/bin/sh
set -eu
cd "$ARENA/ws"
# As a repository may bring them, or a box leave them behind.
mkdir "$ARENA/outside/sub"
ln -s ../outside link
ln -s ../outside lïnk
ln -s ../outside/sub deep
ln -s deep/../read-link-to-link through
git init -q
while IFS='	' read -r row _; do echo "$CANARY-$row-." > "$ARENA/outside/$row"; done < "$ARENA/scripts/rows.tsv"
echo "$CANARY-granted-" > granted
