#!/bin/sh
: > "$ARENA/ws/ran"
"$TOOLS/hog" cpu $((2 * SLOWNESS)) > loot
