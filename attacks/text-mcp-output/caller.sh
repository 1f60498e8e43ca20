#!/bin/sh
python3 "$TOOLS/mcp-call.py" "$ARENA/notes/output" "$@"
