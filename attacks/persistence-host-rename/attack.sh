#!/bin/sh
: > "$ARENA/ws/ran"
until [ -e go ]; do sleep 0.05; done
echo "$CANARY" > .mcp.json
