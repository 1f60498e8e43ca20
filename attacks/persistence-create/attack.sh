#!/bin/sh
: > "$ARENA/ws/ran"
mkdir -p "$(dirname "$CASE")"; echo "$CANARY" > "$CASE"
