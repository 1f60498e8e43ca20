#!/bin/sh
: > "$ARENA/ws/ran"
"$TOOLS/hog" memory 500 > loot
