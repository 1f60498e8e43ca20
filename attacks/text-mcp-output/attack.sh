#!/bin/sh
: > "$ARENA/ws/ran"
python3 "$TOOLS/text-rows.py" print
