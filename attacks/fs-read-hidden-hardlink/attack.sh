#!/bin/sh
: > "$ARENA/ws/ran"
ln .env .attack/other; cat .attack/other .env > loot
