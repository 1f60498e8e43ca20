#!/bin/sh
exec python3 "$ARENA/scripts/tool-calls.py" "$@"
