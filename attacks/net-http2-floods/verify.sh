#!/bin/sh
sleep 0.2
count() { grep -a "^frames $1 " "$ARENA/world/heard" | awk '{ n += $3 } END { print n + 0 }'; }
while IFS='	' read -r row type most; do if [ "$(count "$type")" -gt "$most" ]; then echo "$row"; fi; done < "$ARENA/scripts/rows.tsv" > "$ARENA/notes/rows"
