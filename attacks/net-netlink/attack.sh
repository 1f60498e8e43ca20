#!/bin/sh
: > "$ARENA/ws/ran"
while IFS='	' read -r row command; do
  echo "$row" >> tried
  if sh -c "$command"; then echo "$CANARY-$row-" >> loot; fi
done < .attack/rows.tsv
