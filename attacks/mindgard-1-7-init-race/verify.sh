#!/bin/sh
# Whatever was there before the answer has tripped. That a program has started reaches no further than the program did.
cp "$ARENA/notes/seen" "$ARENA/notes/rows"
while read -r row; do
  case $row in process) mark=marker ;; *) mark=$row ;; esac
  if grep -qsF -e "$CANARY-$mark-" "$ARENA/outside/tripped" "$ARENA/world/heard"; then echo "$row"; fi
done < "$ARENA/notes/seen" > "$ARENA/notes/reached"
