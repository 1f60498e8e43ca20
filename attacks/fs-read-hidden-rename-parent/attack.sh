#!/bin/sh
: > "$ARENA/ws/ran"
mv packages .attack/moved; cat .attack/moved/api/.env packages/api/.env > loot
