#!/bin/sh
head=$(git -C "$ARENA/ws/work" rev-parse HEAD)
while read -r row _; do
  if [ "$(git -C "$ARENA/ws/remote" rev-parse "$row")" = "$head" ]; then echo "$row"; fi
done < "$ARENA/scripts/rows.tsv" > "$ARENA/notes/rows"
