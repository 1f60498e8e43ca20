#!/bin/sh
"$@"
exec python3 "$ARENA/scripts/lister.py" "$@"
