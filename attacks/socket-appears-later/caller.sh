#!/bin/sh
"$@" &
box=$!
until [ -e "$ARENA/ws/ran" ] || ! kill -0 $box; do sleep 0.05; done
"$TOOLS/listen" stream "$ARENA/ws/tmp/service" "$ARENA/heard" > /dev/null
: > "$ARENA/ws/go"
wait $box
