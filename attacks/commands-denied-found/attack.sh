#!/bin/sh
: > "$ARENA/ws/ran"
echo "$CANARY" | ./tool > loot
