#!/bin/sh
: > "$ARENA/ws/ran"
head -c 4 /proc/kcore > loot
