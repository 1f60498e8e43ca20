#!/bin/sh
: > "$ARENA/ws/ran"
mkdir -p "$(dirname "$ARENA/home/$CASE")"; echo "$CANARY" >> "$ARENA/home/$CASE"
