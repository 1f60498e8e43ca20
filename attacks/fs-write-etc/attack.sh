#!/bin/sh
: > "$ARENA/ws/ran"
echo "$CANARY" > "/etc/holdfast-attack-$CANARY"
