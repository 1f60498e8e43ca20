#!/bin/sh
rm -f "$ARENA/ws/race/evil.json"
exec sh "$ARENA/scripts/tripped.sh"
