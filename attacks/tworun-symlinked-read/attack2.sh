#!/bin/sh
: > "$ARENA/ws/ran2"
cat docs/id_ed25519 > loot
