#!/bin/sh
: > "$ARENA/ws/ran"
"$TOOLS/hog" files 1000 > loot
