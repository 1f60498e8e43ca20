#!/bin/sh
sleep 0.2
before=$(grep -c "$CANARY-" "$ARENA/world/heard")
sleep 0.5
[ "$(grep -c "$CANARY-" "$ARENA/world/heard")" -gt "$before" ]
