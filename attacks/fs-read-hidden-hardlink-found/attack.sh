#!/bin/sh
: > "$ARENA/ws/ran"
cat backup/plain.txt "$ARENA/outside/plain.txt" > loot
