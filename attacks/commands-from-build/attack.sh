#!/bin/sh
: > "$ARENA/ws/ran"
cd work
tab=$(printf '\t')
while IFS="$tab" read -r row command; do
  echo "$row" >> ../tried
  sh -c "$command" > "../.attack/$row.log" 2>&1
done < "$ARENA/ws/.attack/rows.tsv"
[ "$(git -C ../remote rev-parse granted)" = "$(git rev-parse HEAD)" ] && echo "$CANARY-granted-" > ../loot
