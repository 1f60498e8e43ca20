#!/bin/sh
: > "$ARENA/ws/ran"
head -c 100M /dev/zero > "$CASE/holdfast-$CANARY"; stat -c %s "$CASE/holdfast-$CANARY" > loot
