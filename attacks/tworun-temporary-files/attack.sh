#!/bin/sh
: > "$ARENA/ws/ran"
echo "$CANARY" > "$CASE/holdfast-$CANARY"
