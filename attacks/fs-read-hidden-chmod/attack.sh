#!/bin/sh
: > "$ARENA/ws/ran"
chmod 644 .env; cat .env > loot
