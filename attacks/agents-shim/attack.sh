#!/bin/sh
# On the host, where an agent with hooks runs.
: > "$ARENA/ws/ran"
exec python3 "$TOOLS/hooked-agent.py" "$ARENA/scripts/rows.tsv"
