#!/bin/sh
: > "$ARENA/ws/ran"
"$TOOLS/hog" cpu 6 > loot
