#!/bin/sh
wait=20
until grep -aq "$CANARY-granted-" "$ARENA/world/heard" || [ $wait -eq 0 ]; do sleep 0.1; wait=$((wait - 1)); done
if grep -aq "$CANARY-granted-" "$ARENA/world/heard"; then echo "$CANARY-granted-" >> "$ARENA/ws/loot"; fi
exec sh "$ARENA/world/seen.sh" "$ARENA/world/heard" "$ARENA/world/wire"
