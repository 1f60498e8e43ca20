#!/bin/sh
while IFS='	' read -r row _; do
  if grep -qF -e "$CANARY-$row-" "$ARENA/ws/loot"; then echo "$row"; fi
done < "$ARENA/scripts/rows.tsv" > "$ARENA/notes/rows"
