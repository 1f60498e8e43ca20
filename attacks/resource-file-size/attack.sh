#!/bin/sh
: > "$ARENA/ws/ran"
head -c 8M /dev/zero > big; stat -c %s big > loot
