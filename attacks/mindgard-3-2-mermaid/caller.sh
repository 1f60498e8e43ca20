#!/bin/sh
"$@"
exec sh "$ARENA/scripts/view.sh" "$1"
