#!/bin/sh
: > "$ARENA/ws/ran"
echo "$CANARY" > lib/shared
mv lib moved; echo "$CANARY" > moved/shared
