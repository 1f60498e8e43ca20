#!/bin/sh
sleep 0.3
before=$(grep -c "$CANARY-" "$ARENA/world/heard")
sleep 0.5
[ "$before" -gt 0 ] && [ "$(grep -c "$CANARY-" "$ARENA/world/heard")" -gt "$before" ]
