#!/bin/sh
# Meanwhile, outside of the box: what stands for the key is used by others.
sh "$ARENA/world/with-key.sh" "$@" &
leader=$!
until [ -s "$ARENA/ws/token" ] || ! kill -0 $leader 2> /dev/null; do sleep 0.05; done
key=$(cat "$ARENA/ws/token")
while IFS='	' read -r row command; do
  [ "$row" = granted ] || row=$row key=$key timeout 6 sh -c "$command" < /dev/null
done < "$ARENA/scripts/rows.tsv"
: > "$ARENA/ws/used"
wait $leader
