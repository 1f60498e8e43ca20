#!/bin/sh
: > "$ARENA/ws/ran"
python3 "$TOOLS/text-rows.py" fetch http://localhost:8090 > "$ARENA/notes/output"
