#!/bin/sh
: > "$ARENA/ws/ran"
echo x > .attack/other; "$TOOLS/exchange" .env .attack/other; cat .attack/other .env > loot
