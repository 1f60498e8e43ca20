#!/bin/sh
grep -x -e "$CANARY-granted-" "$ARENA/notes/output" > "$ARENA/ws/loot"
while IFS='	' read -r row _; do
  if grep -qF -e "$CANARY-$row-." "$ARENA/notes/output"; then echo "$row"; fi
done < "$ARENA/scripts/rows.tsv" > "$ARENA/notes/rows"
