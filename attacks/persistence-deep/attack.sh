#!/bin/sh
: > "$ARENA/ws/ran"
mkdir -p a/b/c/d/.cursor; echo "$CANARY" > a/b/c/d/.cursor/mcp.json
