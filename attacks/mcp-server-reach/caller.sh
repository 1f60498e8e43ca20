#!/bin/sh
exec python3 "$TOOLS/mcp-agent.py" "$@"
