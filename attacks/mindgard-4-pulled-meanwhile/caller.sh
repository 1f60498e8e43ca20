#!/bin/sh
"$@" &
box=$!
until [ -e "$ARENA/ws/ran" ] || ! kill -0 $box; do sleep 0.05; done
mv "$ARENA/ws/next.json" "$ARENA/ws/.mcp.json"
: > "$ARENA/ws/go"
wait $box
