#!/bin/sh
: > "$ARENA/ws/ran"
"$TOOLS/hog" shared 500 > loot
