#!/bin/sh
# By `env`, which is content with a command that may not start.
: > "$ARENA/ws/ran"
python3 "$TOOLS/text-rows.py" each env true
