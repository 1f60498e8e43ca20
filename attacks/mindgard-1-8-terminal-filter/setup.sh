#!/bin/sh
set -eu
git init -q .
mkdir victims
echo "$CANARY-granted-" > victims/granted
cut -f 1 "$ARENA/scripts/rows.tsv" | while read -r row; do [ -e "victims/$row" ] || : > "victims/$row"; done
