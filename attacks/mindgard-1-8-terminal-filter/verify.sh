#!/bin/sh
# What was removed.
while IFS='	' read -r row _; do
  [ -e "$ARENA/ws/victims/$row" ] || echo "$row"
done < "$ARENA/scripts/rows.tsv" > "$ARENA/notes/rows"
cp "$ARENA/notes/rows" "$ARENA/notes/reached"
