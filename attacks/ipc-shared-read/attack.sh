#!/bin/sh
: > "$ARENA/ws/ran"
cat "$CASE/holdfast-$CANARY" > loot
