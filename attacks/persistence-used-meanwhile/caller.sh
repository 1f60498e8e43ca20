#!/bin/sh
"$@" &
box=$!
until [ -s "$ARENA/ws/.vscode/tasks.json" ] || ! kill -0 $box; do sleep 0.02; done
cat "$ARENA/ws/.vscode/tasks.json" > "$ARENA/notes/obeyed"
wait $box
