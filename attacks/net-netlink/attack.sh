#!/bin/sh
: > "$ARENA/ws/ran"
while IFS='	' read -r row command; do
  echo "$row" >> tried
  if [ "$row" = granted ]; then curl -s -m 3 http://test.example/ | sed -n "s/.*$CANARY.*/$CANARY-granted-/p" >> loot; continue; fi
  if sh -c "$command"; then echo "$CANARY-$row-" >> loot; fi
done < .attack/rows.tsv
