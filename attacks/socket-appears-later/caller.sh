#!/bin/sh
"$@" &
box=$!
until [ -e "$ARENA/ws/ran" ] || ! kill -0 $box; do sleep 0.05; done
"$TOOLS/listen" stream "$ARENA/ws/tmp/service" "$ARENA/notes/heard" > "$ARENA/notes/service"
: > "$ARENA/ws/go"
wait $box
sleep 0.3
read -r service _ < "$ARENA/notes/service"
kill "$service" 2> /dev/null || :
