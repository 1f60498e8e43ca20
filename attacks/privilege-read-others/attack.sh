#!/bin/sh
: > "$ARENA/ws/ran"
cat private > loot
