#!/bin/sh
sleep 0.2
{ grep -aqP '\xef\x11\x22\x33' "$ARENA/world/wire" && echo igmp; grep -aqP '\xff\x0e\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x11\x22\x33\x44' "$ARENA/world/wire" && echo mld; } > "$ARENA/notes/rows"
