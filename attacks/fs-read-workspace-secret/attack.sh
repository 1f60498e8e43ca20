#!/bin/sh
: > "$ARENA/ws/ran"
cat "$CASE" > loot
