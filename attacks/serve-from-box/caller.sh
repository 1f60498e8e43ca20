#!/bin/sh
case $CASE in
  *-later) ;;
  *) exec "$@" ;;
esac
"$@" &
box=$!
until [ -e "$ARENA/ws/ran" ] || ! kill -0 $box; do sleep 0.05; done
sh "$ARENA/scripts/listen.sh" > "$ARENA/notes/service"
: > "$ARENA/ws/go"
wait $box
sleep 0.3
read -r service _ < "$ARENA/notes/service"
kill "$service" 2> /dev/null || :
rm -rf "$ARENA/run/holdfast"
