#!/bin/sh
: > "$ARENA/ws/ran2"
cat "$CASE/holdfast-$CANARY" > loot
