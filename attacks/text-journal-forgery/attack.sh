#!/bin/sh
: > "$ARENA/ws/ran"
python3 "$TOOLS/text-rows.py" each sh -c 'echo x > "$ARENA/outside/$0"' 2> "$ARENA/ws/refusals"
cat "$ARENA/ws/refusals" >&2
