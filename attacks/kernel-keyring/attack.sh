#!/bin/sh
: > "$ARENA/ws/ran"
"$TOOLS/key-read" "$CASE" > loot
