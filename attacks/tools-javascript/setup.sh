#!/bin/sh
set -eu
cd "$ARENA/ws"
mkdir -p data .attack
echo "$CANARY-granted-" > data/granted
while IFS='	' read -r row _; do echo "$CANARY-$row-" > "secret-$row"; done < "$ARENA/scripts/rows.tsv"
ln -s ../secret-symlink data/link
ln -s .. data/up
cat > .attack/manifest <<END
name = "row"
module = "tool.mjs"
kind = "javascript"
memory = 256
deadline = 1000
[paths]
read = ["data"]
END
