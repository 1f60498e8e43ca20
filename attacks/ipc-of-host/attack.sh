#!/bin/sh
: > "$ARENA/ws/ran"
"$TOOLS/ipc" "$CASE" get "$(cat name)" > loot
