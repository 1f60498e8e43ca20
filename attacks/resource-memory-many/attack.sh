#!/bin/sh
: > "$ARENA/ws/ran"
for i in 1 2 3 4; do "$TOOLS/hog" memory 100 > "part$i" & done; wait; cat part? | grep -cx 100 > loot
