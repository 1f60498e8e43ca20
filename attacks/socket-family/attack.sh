#!/bin/sh
: > "$ARENA/ws/ran"
"$TOOLS/family" "$CASE" > loot
