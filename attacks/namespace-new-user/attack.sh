#!/bin/sh
: > "$ARENA/ws/ran"
"$TOOLS/namespace" "$CASE" > loot
