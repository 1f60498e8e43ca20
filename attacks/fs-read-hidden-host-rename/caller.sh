#!/bin/sh
"$@" &
box=$!
until [ -e "$ARENA/ws/ran" ] || ! kill -0 $box; do sleep 0.05; done
echo "$CANARY" > "$ARENA/ws/new"; mv "$ARENA/ws/new" "$ARENA/ws/.env"
: > "$ARENA/ws/go"
wait $box
