#!/bin/sh
: > "$ARENA/ws/ran"
cat "$ARENA/home/$CASE" > loot
