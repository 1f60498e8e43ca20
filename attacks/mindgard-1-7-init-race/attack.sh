#!/bin/sh
# A client whose question comes when all is under way.
: > "$ARENA/ws/ran"
cd "$ARENA/ws"
python3 .attack/agent.py start init .mcp.json 'mcpServers/*' &
servers=$!
printf 'Do you trust this folder? [y/N] '
read -r answer
wait $servers
echo "$answer"
