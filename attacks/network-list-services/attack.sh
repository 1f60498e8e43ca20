#!/bin/sh
: > "$ARENA/ws/ran"
cat /proc/net/tcp > loot
