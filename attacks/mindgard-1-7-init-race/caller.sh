#!/bin/sh
exec python3 "$ARENA/scripts/slow-answer.py" "$@"
