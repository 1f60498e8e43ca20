#!/bin/sh
: > "$ARENA/ws/ran"
"$TOOLS/hog" processes 300 > loot
