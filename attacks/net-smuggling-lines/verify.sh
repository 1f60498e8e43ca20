#!/bin/sh
sleep 0.1
while read -r row; do grep -aq "request .* GET /smuggled/$CANARY-$row- " "$ARENA/world/heard" && echo "$row"; done < "$ARENA/scripts/rows.tsv" > "$ARENA/notes/rows"
