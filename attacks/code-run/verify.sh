#!/bin/sh
beat() { cat "$ARENA/ws/.attack/beat" 2>&1; }
before=$(beat)
sleep 0.5
[ "$(beat)" = "$before" ] || echo "$CANARY-stays-" >> "$ARENA/ws/loot"
while IFS='	' read -r row _; do
  if grep -qF -e "$CANARY-$row-" "$ARENA/ws/loot"; then echo "$row"; fi
done < "$ARENA/scripts/rows.tsv" > "$ARENA/notes/rows"
