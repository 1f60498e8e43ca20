#!/bin/sh
: > "$ARENA/ws/ran"
cat <&9 > loot
