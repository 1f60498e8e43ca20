#!/bin/sh
: > "$ARENA/ws/ran"
ln .mcp.json other && echo "$CANARY" > other
