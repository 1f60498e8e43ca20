#!/bin/sh
: > "$ARENA/ws/ran2"
cat "$ARENA/home/.npm/_cacache/poison" > loot
